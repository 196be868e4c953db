/** What was typed into the filter, understood. */
export interface Query {
  readonly text: string;
  /** Null: whatever is not excluded. */
  readonly include: RegExp | null;
  readonly exclude: readonly RegExp[];
  /** A line must be of a rank that one of these fits; none: of any, or of none. */
  readonly ranks: readonly RegExp[];
}

export const emptyQuery: Query = { text: '', include: null, exclude: [], ranks: [] };

export const isEmptyQuery = ({ include, exclude, ranks }: Query): boolean =>
  include === null && exclude.length === 0 && ranks.length === 0;

/**
 * Reads `PATTERN !PATTERN @RANK`: a regular expression that a line must match, others (after a `!` at the start of a
 * word) that it must not match, and ranks (`@TP3`, `@3`, `@TP`). Blanks belong to a pattern. Smart case: a pattern
 * without a capital letter matches either. `\!` and `\@` are the characters. Returns what is wrong where it is none.
 */
export function readQuery(text: string): Query | { readonly error: string } {
  if (text.length > longest) return { error: `longer than ${longest} characters` };
  const ranks: RegExp[] = [];
  const rest = text.replace(rankWord, (_word, before: string, name: string | undefined) => {
    if (name !== undefined) ranks.push(rankPattern(name));
    return before;
  });
  const [first = '', ...others] = rest.split(/(?:^|(?<=\s))!/);
  try {
    const include = compile(first);
    const exclude = others.map(compile).filter((pattern) => pattern !== null);
    return { text, include, exclude, ranks };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { error: reason.replace(/^Invalid regular expression: (?:\/.*\/\w*: )?/s, '') };
  }
}

/** What is longer takes too long to compile, and nothing stops that. */
const longest = 2000;

/** Behind a lone `@` at the end the name is still to come. */
const rankWord = /(^|\s)@(?:([A-Za-z0-9_.-]+)(?=\s|$)|$)/g;

/**
 * Blanks at the ends are those between the parts. `.*` at the beginning changes nothing of which lines match, but V8
 * tries it from every character on: a hundred times the time.
 */
function compile(part: string): RegExp | null {
  const text = part.replace(/^\s+|(?<!\\)\s+$/g, '').replace(/\\([!@])/g, '$1');
  if (text === '') return null;
  const typed = new RegExp(text, hasCapital(text) ? '' : 'i');
  const short = text.replace(/^(?:\.\*\??)+/, '');
  return short === text || short === '' ? typed : new RegExp(short, typed.flags);
}

/** `\S`, `\B`, `\p{Lu}` and `\x1B` are no capital letters. */
const hasCapital = (text: string): boolean =>
  /\p{Lu}/u.test(text.replace(/\\(?:[pP]\{[^}]*\}|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|.)/g, ''));

/** `TP3` is no part of `TP31`; letters alone fit any number, a number alone fits any letters. */
function rankPattern(name: string): RegExp {
  const literal = name.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');
  return new RegExp(
    `${/^\d/.test(name) ? '(?<!\\d)' : '(?<![A-Za-z])'}${literal}${/\d$/.test(name) ? '(?!\\d)' : ''}`,
    'i',
  );
}
