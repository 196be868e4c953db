/**
 * Whether the words at `index` of a line are quoted there rather than said: by a shell that traces its commands
 * (`set -x`), in quotation marks (a prompt, a model's name, an import that failed). What decides a verdict must be
 * said by the engine itself.
 */
export function isQuoted(text: string, index: number): boolean {
  if (tracedCommand.test(text)) return true;
  const before = text.slice(Math.max(0, index - lookBack), index);
  return (
    isOpen(before.replace(logfmtMessage, 'msg='), '"') ||
    isOpen(before.replace(apostrophe, ''), "'") ||
    isOpen(before, '`')
  );
}

/** `+ grep -q …`, `++ date`: PS4 of sh and bash, also behind a time stamp. */
const tracedCommand = /^(?:\[[^\]]{0,40}\] ?)?\++ /;

/** How far before the words a quotation may have begun. */
const lookBack = 2000;

/** In logfmt (Ollama) the message itself stands in quotation marks: `level=INFO msg="Listening on …`. */
const logfmtMessage = /\bmsg="(?=[^"]*$)/;

/** In `can't` and `model's` it opens nothing. */
const apostrophe = /(?<=\w)'(?=\w)/g;

function isOpen(text: string, mark: string): boolean {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count += 1;
  return count % 2 === 1;
}
