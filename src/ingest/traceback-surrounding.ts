/** What stands around every line of a block that was pasted, collected or drawn. */
export interface Surrounding {
  /** Copied from a terminal with a border: `│   File "…"   │`. */
  boxed: boolean;
  /** Blanks before the header, and so before all the rest: pasted into an indented text. */
  indent: number;
}

/**
 * `body` without Ray's `[repeated 7x across cluster]`, the bar of an exception group (`  | `), a terminal's border and
 * the indentation of the whole block. `open` is the block that the line may belong to.
 */
export function withoutSurrounding(body: string, open: Surrounding | undefined): string {
  let said = body.includes('[repeated ') ? body.replace(/ ?\[repeated \d+x across cluster\].*$/, '') : body;
  if (/^ *\| /.test(said)) said = said.replace(/^ *\| /, '');
  else if (said.startsWith('│ ') && (open?.boxed === true || /^│ +File "/.test(said)))
    said = said.slice(2).replace(/[ │]+$/, '');
  const indent = open?.indent ?? 0;
  return indent > 0 && indentOf(said) >= indent ? said.slice(indent) : said;
}

/** How many blanks `text` begins with. */
export function indentOf(text: string): number {
  let blanks = 0;
  while (text.charCodeAt(blanks) === 32) blanks++;
  return blanks;
}
