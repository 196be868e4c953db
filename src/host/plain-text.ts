/**
 * Words of a remote machine (banner, error text, comment of a key) made safe for a message: control characters,
 * line breaks and direction marks become one blank, the rest is cut at `maxLength` characters.
 */
export function plainText(text: string, maxLength = 200): string {
  const line = text.replace(unsafe, ' ').replace(/ {2,}/g, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

// C0, DEL, C1, zero-width and bidirectional marks, line separators, byte order mark, interlinear marks, tags, lone surrogates.
const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
