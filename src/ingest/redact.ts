import { redactKnownForms } from './known-secrets.js';
import { redacted } from './redacted.js';
import { isSecretName, type NameStyle } from './secret-names.js';

/**
 * `text` with the values of secrets replaced: command lines (`--api-key X`, `--api-key=X`), assignments
 * (`HF_TOKEN=…`), reprs of server arguments (`api_key='…'`), JSON, HTTP headers, passwords in URLs, and tokens known
 * by their own form (`hf_…`, `sk-…`, JWT). Names stay. Linear in the length of the text, and stable when repeated.
 */
export function redact(text: string): string {
  return redactKnownForms(redactNamed(text));
}

/** `argv` with the values of secrets replaced; here a value ends where its word ends, whatever is in it. */
export function redactArgv(argv: readonly string[]): string[] {
  return argv.map((word, index) => {
    if (isFurtherKey(argv, index)) return redacted;
    // `bash -lc LINE`
    if (/^-[a-z]*c$/.test(argv[index - 1] ?? '')) return redact(word);
    const option = index === 0 ? undefined : /^--?([A-Za-z][\w.-]*)$/.exec(argv[index - 1] ?? '')?.[1];
    if (option !== undefined && isSecretName(option, 'option') && !/^--[A-Za-z]/.test(word)) return redacted;
    const [, dashes, name, value] = /^(--?)?([A-Za-z_][\w.-]*)=([\s\S]*)$/.exec(word) ?? [];
    if (name !== undefined && value !== undefined && isSecretName(name, dashes ? 'option' : 'variable')) {
      return isPlain(value, name) ? word : `${dashes ?? ''}${name}=${redacted}`;
    }
    return redact(word);
  });
}

/** vLLM takes several keys: `--api-key A B`. */
function isFurtherKey(argv: readonly string[], index: number): boolean {
  const isWord = (word: string | undefined) => word !== undefined && !word.startsWith('-');
  let at = index - 1;
  while (at > 0 && isWord(argv[at])) at--;
  return at < index - 1 && isWord(argv[index]) && argv[at] === '--api-key';
}

/** The environment with the values of secrets replaced. */
export function redactEnv(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      isSecretName(name, 'variable') ? redacted : redact(value),
    ]),
  );
}

function redactNamed(text: string): string {
  const hint = /token|secret|key|pass|credential|authorization/gi;
  let out = '';
  let done = 0;
  for (let hit = hint.exec(text); hit !== null; hit = hint.exec(text)) {
    const name = nameAround(text, hit.index, hint.lastIndex, done);
    hint.lastIndex = name.end;
    const value = valueNamed(text, name);
    if (value === null) continue;
    out += text.slice(done, value.start) + redacted;
    done = value.end;
    hint.lastIndex = Math.max(done, name.end);
  }
  return done === 0 ? text : out + text.slice(done);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The whole name around a hit. Bounded, so that a line that is one long word stays cheap. */
function nameAround(text: string, from: number, to: number, floor: number): Span {
  let start = from;
  let end = to;
  while (start > floor && from - start < 64 && /[\w.-]/.test(text.charAt(start - 1))) start--;
  while (end < text.length && end - to < 64 && /[\w.-]/.test(text.charAt(end))) end++;
  return { start, end };
}

function valueNamed(text: string, span: Span): Span | null {
  const [, dashes = '', name = ''] = /^(-*)(.*)$/.exec(text.slice(span.start, span.end)) ?? [];
  const quote = quoteAt(text, span.end);
  const quoted = quote !== '' && text.endsWith(quote, span.start) && span.start >= quote.length;
  const after = span.end + (quoted ? quote.length : 0);
  if (/^(?:proxy-)?authorization$/i.test(name)) return credentials(text, after);
  const style: NameStyle = dashes !== '' ? 'option' : /^[A-Z0-9_]+$/.test(name) ? 'variable' : 'field';
  if (!isSecretName(name, style)) return null;
  const start = valueStart(text, after, { style, quoted, bare: /^token$/i.test(name) });
  if (start === null) return null;
  const several = name === 'api-key' && start > after && text.slice(after, start).trim() === '';
  const value = valueAt(text, start, style, several);
  return value.end === value.start || isPlain(text.slice(value.start, value.end), name) ? null : value;
}

/** Where the value begins after `=`, `:`, or (option) blanks or, in a repr of an argv, a comma; null: there is none. */
function valueStart(
  text: string,
  at: number,
  name: { style: NameStyle; quoted: boolean; bare: boolean },
): number | null {
  const separator = /[ \t]{0,4}(?:=(?!=)|:)[ \t]{0,4}|[ \t]*,[ \t]*(?=["'])|[ \t]+(?!--[A-Za-z])/y;
  separator.lastIndex = at;
  const found = separator.exec(text)?.[0];
  if (found === undefined) return null;
  const isOption = name.style === 'option';
  if (/^[ \t]*,/.test(found)) return isOption && name.quoted ? separator.lastIndex : null;
  if (/^[ \t]+$/.test(found)) return isOption && !name.quoted ? separator.lastIndex : null;
  // `Unexpected token: …` is prose.
  if (found.includes(':') && !name.quoted && name.bare) return null;
  return separator.lastIndex;
}

/** A quoted string, what is in brackets, or the text up to the next delimiter; `several`: of words like it, all. */
function valueAt(text: string, at: number, style: NameStyle, several: boolean): Span {
  // `b'…'`, `SecretStr('…')`, and `$'…'` of a shell.
  const prefix = /^(?:[bfru$]|[A-Za-z_]\w{0,31}\()(?=["'])/.exec(text.slice(at, at + 34))?.[0].length ?? 0;
  const quote = quoteAt(text, at + prefix);
  if (quote !== '')
    return { start: at + prefix + quote.length, end: closing(text, at + prefix + quote.length, quote) };
  if (text.charAt(at) === '[') {
    const end = text.indexOf(']', at);
    return { start: at + 1, end: end === -1 ? text.length : end };
  }
  // A comma within a word parts two fields; in a variable or an option it stands between two values.
  const word =
    style === 'field'
      ? /\$\{\w+\}|[^\s,;)\]}"'&|<>\\]*/y
      : several
        ? /\$\{\w+\}|(?:[^\s,;)\]}"'&|<>\\]|,(?=[\w~+/-])|[ \t](?=[\w~+/]))*/y
        : /\$\{\w+\}|(?:[^\s,;)\]}"'&|<>\\]|,(?=[\w~+/-]))*/y;
  word.lastIndex = at;
  word.exec(text);
  return { start: at, end: word.lastIndex };
}

function closing(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(quote, at)) return at;
    if (text.charAt(at) === '\\' || (text.charAt(at) === '\n' && quote.length > 1)) at++;
  }
  return text.length;
}

/** `"`, `'`, or these behind a backslash (JSON within JSON); empty where there is none. */
function quoteAt(text: string, at: number): string {
  return /^\\?["']/.exec(text.slice(at, at + 2))?.[0] ?? '';
}

/** After `Authorization`: the scheme stays, the rest of the header goes. */
function credentials(text: string, at: number): Span | null {
  const scheme = /["']?\s{0,4}[:=,]\s{0,4}["']?(?:b["'])?(?:(?:Bearer|Basic|Digest|Token)\s+)?/iy;
  scheme.lastIndex = at;
  if (scheme.exec(text) === null) return null;
  const rest = /[^"'\r\n\\]*/y;
  rest.lastIndex = scheme.lastIndex;
  rest.exec(text);
  return rest.lastIndex === scheme.lastIndex ? null : { start: scheme.lastIndex, end: rest.lastIndex };
}

/** Values that tell nothing: no value, a reference to a variable; and a count, where the name speaks of tokens. */
function isPlain(value: string, name: string): boolean {
  if (/^(?:|None|null|nil|True|False|true|false|\*{3}|\$\w+|\$\{\w+\})$/.test(value)) return true;
  return /^[\d.,%]+$/.test(value) && /token/i.test(name) && !/secret|password|key/i.test(name);
}
