import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { type FiredupError, usageError } from '../errors.js';
import { keepTexts } from './config-texts.js';
import { nearestName } from './nearest-name.js';
import { readText } from './read-text.js';

// Loaded only where there is a config file: reading YAML takes a parser.

/** A config file that was read: its data, and where in the text each part stands. */
export interface ConfigFile {
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The error that names the first of `problems` with their places in the file. */
  readonly error: (problems: readonly ConfigProblem[]) => FiredupError;
  /** All `problems` with their places, in the order of the file. */
  readonly say: (problems: readonly ConfigProblem[]) => readonly string[];
  /** The line, from 1, on which the key of the value at `path` stands. */
  readonly lineOf: (path: readonly (string | number)[]) => number;
}

/** Something wrong: where, and the end of a sentence whose subject is that place. */
export interface ConfigProblem {
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** It is the last key of `path` that is wrong, not its value. */
  readonly isKey?: boolean;
  /** A name that is not known there, and those that are. */
  readonly unknown?: { readonly name: string; readonly allowed: readonly string[]; readonly isKey: boolean };
}

/** What a config may hold. */
const topKeys: readonly string[] = ['theme', 'defaults', 'targets', 'engines'];

/** Reads a config file (YAML 1.2, UTF-8) and checks its outermost keys; everything below is checked by whose it is. */
export async function readConfig(path: string): Promise<ConfigFile> {
  const file = await openConfig(path);
  if (file.unknownKeys.length > 0) throw file.error(file.unknownKeys);
  return file;
}

/** The same, where the outermost keys are not refused yet, so that all problems can be told at once. */
export async function openConfig(
  path: string,
): Promise<ConfigFile & { readonly unknownKeys: readonly ConfigProblem[] }> {
  const text = await readText(path);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw usageError(`${path}:${line}:${col}: ${fault.message.split('\n')[0]}`, 'It must be YAML.');
  }
  const place = (problem: Place): string => {
    const { line, col } = lines.linePos(offsetOf(problem, document));
    return `${path}:${line}:${col}`;
  };
  const say = (problems: readonly ConfigProblem[]): readonly string[] => {
    const inOrder = [...problems].sort((a, b) => offsetOf(a, document) - offsetOf(b, document));
    return [...new Set(inOrder.map((problem) => `${place(problem)}: ${sentence(problem)}`))];
  };
  const error = (problems: readonly ConfigProblem[]): FiredupError => configError(say(problems));
  keepTexts(document);
  const data = toData(document, path) ?? {};
  if (typeof data !== 'object' || Array.isArray(data))
    throw error([{ path: [], text: `must be a map of ${topKeys.join(', ')}` }]);
  const unknownKeys = Object.keys(data)
    .filter((key) => !topKeys.includes(key))
    .map((name) => ({ path: [], text: '', unknown: { name, allowed: topKeys, isKey: true } }));
  return {
    path,
    data: data as Readonly<Record<string, unknown>>,
    error,
    say,
    lineOf: (at) => lines.linePos(offsetOf({ path: at, isKey: true }, document)).line,
    unknownKeys,
  };
}

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

/** Where a key stands that is wrong or should not be there, or the value that is wrong. */
function offsetOf({ path, unknown, isKey }: Place, document: Document): number {
  const at = unknown?.isKey
    ? keyOffset(document, path, unknown.name)
    : isKey
      ? keyOffset(document, path.slice(0, -1), String(path.at(-1)))
      : null;
  return at ?? valueOffset(document, path);
}

type Place = Pick<ConfigProblem, 'path' | 'unknown' | 'isKey'>;

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
  const { allowed, isKey } = unknown;
  const name = /[\u0000-\u001f\u007f-\u009f]/.test(unknown.name)
    ? JSON.stringify(unknown.name)
    : unknown.name;
  const near = nearestName(name, allowed);
  const meant = near === null ? '' : ` (did you mean ${near}?)`;
  if (text !== '') return `${place} ${text}${meant}.`;
  return isKey
    ? `${place} has no key ${name}${meant}; it may have ${allowed.join(', ')}.`
    : `${place} cannot be ${name}${meant}; it may be ${allowed.join(', ')}.`;
}

/** `engines.sglang.failures[0].when`; what is no plain word is quoted, and so are escapes in it. */
const placeName = (path: readonly (string | number)[]): string =>
  path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    const word = /^[\w.@+ -]+$/.test(key) ? key : JSON.stringify(key);
    return name === '' ? word : `${name}.${word}`;
  }, '');
