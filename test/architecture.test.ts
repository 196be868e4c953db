import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** The table of docs/architecture.md: which folders of ours a folder may import from. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: ['engines', 'triage', 'ingest', 'errors', 'time-box'],
  ingest: [],
  engines: ['time-box'],
  triage: ['ingest', 'engines', 'time-box'],
  preflight: ['core', 'ingest', 'engines', 'triage'],
  host: ['errors'],
  remote: ['package-file'],
  probes: ['host', 'remote', 'ingest', 'core', 'errors'],
  runtime: [
    'core',
    'preflight',
    'probes',
    'host',
    'remote',
    'store',
    'ingest',
    'triage',
    'errors',
    'time-box',
  ],
  store: ['core', 'engines', 'triage', 'ingest', 'errors'],
  tui: ['core', 'errors', 'time-box'],
  cli: [
    'core',
    'demo',
    'engines',
    'errors',
    'host',
    'ingest',
    'package-file',
    'preflight',
    'probes',
    'remote',
    'runtime',
    'store',
    'triage',
    'tui',
  ],
  demo: ['host', 'errors', 'package-file'],
  judge: ['core', 'engines', 'triage', 'ingest', 'errors'],
  errors: [],
  'time-box': [],
  'package-file': [],
};

/** Packages and built-in modules that only some folders know. */
const onlyIn: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:react|ink|ink-spinner)(?:\/|$)/, ['tui']],
  [/^ssh2(?:\/|$)/, ['host', 'demo']],
  [/^commander$/, ['cli']],
];

/** Pure folders: no input, no output, no clock of their own. */
const pure = ['core', 'ingest', 'engines', 'triage', 'preflight'];

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

describe('the import rules of the architecture', () => {
  it.each(files)('%s keeps to its folder', (file) => {
    const folder = folderOf(file);
    const text = readFileSync(join(src, file), 'utf8');
    for (const name of importsOf(text)) {
      if (name.startsWith('.')) {
        const target = folderOf(relative(src, resolve(dirname(join(src, file)), name)));
        expect([folder, ...(mayImport[folder] ?? [])], `${file} imports ${name}`).toContain(target);
      }
      for (const [pattern, folders] of onlyIn) {
        if (pattern.test(name)) expect(folders, `${file} imports ${name}`).toContain(folder);
      }
      if (pure.includes(folder))
        expect(name, `${file} is pure`).not.toMatch(/^node:(?!string_decoder|buffer)/);
    }
  });

  it.each(files.filter((file) => pure.includes(folderOf(file))))('%s has no clock and no dice', (file) => {
    const code = readFileSync(join(src, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    expect(code).not.toMatch(
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bsetTimeout\(|(?<![.\w])process\.(?:env|argv|exit|stdout|stdin|hrtime|cwd|on)\b/,
    );
  });

  it('has no circles: of two files at most one imports the other, by whatever way', () => {
    const graph = new Map(
      files.map((file) => {
        const own = importsOf(readFileSync(join(src, file), 'utf8')).filter((name) => name.startsWith('.'));
        return [
          file,
          own.flatMap((name) => sourceOf(relative(src, resolve(dirname(join(src, file)), name)))),
        ];
      }),
    );
    expect(circlesOf(graph)).toEqual([]);
    expect(
      circlesOf(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toEqual([['b', 'c', 'b']]);
  });

  it('reads imports where there are some', () => {
    expect(
      importsOf("import { a } from './b.js';\nexport type { C } from 'd';\nawait import('../e.js')"),
    ).toEqual(['./b.js', 'd', '../e.js']);
  });
});

function folderOf(file: string): string {
  const [first = ''] = file.split(sep);
  return first.replace(/\.[jt]sx?$/, '');
}

/** The source that an import of `PATH.js` means; none for what is no TypeScript. */
const sourceOf = (path: string): readonly string[] =>
  ['.ts', '.tsx'].map((suffix) => path.replace(/\.js$/, suffix)).filter((file) => files.includes(file));

/** Paths through `graph` that come back to where they began, one for each file that closes one. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) circles.push([...path.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

function importsOf(text: string): readonly string[] {
  const pattern = /(?:^(?:import|export)\b[^;'"(=]*?|^\} from |\bimport\()\s*'([^']+)'/gm;
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}
