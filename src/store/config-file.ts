import { readFile } from 'node:fs/promises';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { type FiredupError, usageError } from '../errors.js';
import { nearestName } from './nearest-name.js';

// Loaded only where there is a config file: reading YAML takes a parser.

/** A config file that was read: its data, and where in the text each part stands. */
export interface ConfigFile {
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The error that names all `problems` with their places in the file. */
  readonly error: (problems: readonly ConfigProblem[]) => FiredupError;
}

/** Something wrong: where, and the end of a sentence whose subject is that place. */
export interface ConfigProblem {
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** A name that is not known there, and those that are. */
  readonly unknown?: { readonly name: string; readonly allowed: readonly string[]; readonly isKey: boolean };
}

/** What a config may hold. */
const topKeys: readonly string[] = ['engines'];

/** Reads a config file (YAML 1.2, UTF-8) and checks its outermost keys; everything below is checked by whose it is. */
export async function readConfig(path: string): Promise<ConfigFile> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageError(`The config ${path} cannot be read: ${reasons[error.code ?? ''] ?? error.message}.`);
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw usageError(`${path}:${line}:${col}: ${fault.message.split('\n')[0]}`, 'It must be YAML.');
  }
  const error = (problems: readonly ConfigProblem[]): FiredupError => {
    const placed = problems.map((problem) => ({ at: offsetOf(problem, document), text: sentence(problem) }));
    const said = placed
      .sort((a, b) => a.at - b.at)
      .map(({ at, text }) => `${path}:${lines.linePos(at).line}:${lines.linePos(at).col}: ${text}`);
    return configError([...new Set(said)]);
  };
  const data = toData(document, path) ?? {};
  if (typeof data !== 'object' || Array.isArray(data))
    throw error([{ path: [], text: `must be a map of ${topKeys.join(', ')}` }]);
  const unknown = Object.keys(data).filter((key) => !topKeys.includes(key));
  if (unknown.length > 0) {
    throw error(
      unknown.map((name) => ({ path: [], text: '', unknown: { name, allowed: topKeys, isKey: true } })),
    );
  }
  return { path, data: data as Readonly<Record<string, unknown>>, error };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'no permission',
  EISDIR: 'it is a folder',
};

/** Aliases are followed, but not so often that a small file becomes a huge one. */
function toData(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw usageError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const mostShown = 10;

function configError([first = '', ...others]: readonly string[]): FiredupError {
  const shown = others.slice(0, mostShown - 1);
  const left = others.length - shown.length;
  return usageError(first, [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join('\n  ') || undefined);
}

/** Where a key stands that should not be there, or the value that is wrong. */
const offsetOf = ({ path, unknown }: ConfigProblem, document: Document): number =>
  (unknown?.isKey ? keyOffset(document, path, unknown.name) : null) ?? valueOffset(document, path);

function keyOffset(document: Document, path: readonly (string | number)[], name: string): number | null {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isMap(node)) return null;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? null) : null;
}

function valueOffset(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
    const key = keyOffset(document, path.slice(0, length - 1), String(path[length - 1]));
    if (key !== null) return key;
  }
  return 0;
}

function sentence({ path, text, unknown }: ConfigProblem): string {
  const place = path.length === 0 ? 'the config' : placeName(path);
  if (!unknown) return `${place} ${text}.`;
  const { name, allowed, isKey } = unknown;
  const near = nearestName(name, allowed);
  const meant = near === null ? '' : ` (did you mean ${near}?)`;
  if (text !== '') return `${place} ${text}${meant}.`;
  return isKey
    ? `${place} has no key ${name}${meant}; it may have ${allowed.join(', ')}.`
    : `${place} cannot be ${name}${meant}; it may be ${allowed.join(', ')}.`;
}

/** `engines.sglang.failures[0].when` */
const placeName = (path: readonly (string | number)[]): string =>
  path.reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : name === '' ? key : `${name}.${key}`),
    '',
  );
