/**
 * Whether the words at `index` of a line are quoted there rather than said: by a shell that traces its commands
 * (`set -x`), in quotation marks (a prompt, a model's name, an import that failed). What decides a verdict must be
 * said by the engine itself, which wrote what begins at `written`.
 */
export function isQuoted(text: string, index: number, written = 0): boolean {
  if (tracedCommand.test(written === 0 ? text : text.slice(written))) return true;
  const before = text.slice(0, index).replace(escaped, '');
  return (
    isOpen(before.replace(logfmtMessage, 'msg='), '"') ||
    isOpen(before.replace(apostrophe, ''), "'") ||
    isOpen(before, '`') ||
    tracedWord.test(before)
  );
}

/** `+ grep -q …`, `++ date`: PS4 of sh and bash, also behind a time stamp. */
const tracedCommand = /^(?:\[[^\]]{0,40}\] ?)?\++ /;

/** The same behind what is not known to be a collector's: a command that says, or looks for, what follows it. */
const tracedWord = /(?:^|\s)\++ (?:echo|printf|logger|e?grep|rg|awk|sed|tail|test|\[\[?) /;

/** `\"` within a string of JSON, or of Python: it closes nothing. */
const escaped = /\\./g;

/** In logfmt (Ollama) the message itself stands in quotation marks: `level=INFO msg="Listening on …`. */
const logfmtMessage = /\bmsg="(?=[^"]*$)/;

/** In `can't` and `model's` it opens nothing. */
const apostrophe = /(?<=\w)'(?=\w)/g;

function isOpen(text: string, mark: string): boolean {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count += 1;
  return count % 2 === 1;
}
