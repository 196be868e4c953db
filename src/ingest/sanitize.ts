// Terminals act on more than colours: OSC 52 sets the clipboard, DCS and APC carry programs, `ESC c` resets,
// `ESC [ c` makes the terminal type an answer. C1 controls (0x80–0x9f) are the same in one byte.
const ESCAPES =
  /\x1b(?:[[][0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]|[\x90\x98\x9d\x9e\x9f][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?/g;
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/g;
// Marks that reorder or hide what is around them (bidi overrides, isolates, zero width, interlinear, BOM, tags).
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;
const SUSPECT =
  /[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\udb40/;

/**
 * Text of the remote made harmless for the terminal: no escape sequence, no control character but TAB, no mark
 * that reorders or hides text; what was there stays visible as `␍`, `\ufffd` or `<U+202E>`. Linear in its length.
 */
export function sanitize(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replace(ESCAPES, '')
    .replace(CONTROLS, (control) => (control === '\r' ? '␍' : '\ufffd'))
    .replace(INVISIBLE, (mark) => `<U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase()}>`);
}

/** The same for a text of several lines, which stay lines. */
export const sanitizeLines = (text: string): string => text.split('\n').map(sanitize).join('\n');
