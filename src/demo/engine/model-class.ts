import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A model class of the simulated package: which methods its Python source has. */
export interface ModelClass {
  readonly name: string;
  readonly methods: ReadonlySet<string>;
}

const modelsFolder = 'sglang/srt/models';

/**
 * Finds a class by name among the model files of the simulated site-packages and reads its methods. Like a
 * Python whose packages were compiled with `unchecked-hash`, it believes the file in `__pycache__` without
 * looking at the source: a patched source counts only once the cache is cleared. Null when no file has the class.
 */
export function importModelClass(sitePackages: string, name: string): ModelClass | null {
  const folder = join(sitePackages, modelsFolder);
  for (const file of readdirSync(folder).filter((entry) => entry.endsWith('.py'))) {
    const body = classBody(compiled(folder, file), name);
    if (body !== null)
      return {
        name,
        methods: new Set([...body.matchAll(/^ {4}def (\w+)\(/gm)].map((match) => match[1] ?? '')),
      };
  }
  return null;
}

/** The cached text if there is one, else the source, which is then kept as cache. */
function compiled(folder: string, file: string): string {
  const cache = join(folder, '__pycache__', `${basename(file, '.py')}.cpython-312.pyc`);
  try {
    return readFileSync(cache, 'utf8');
  } catch {
    const source = readFileSync(join(folder, file), 'utf8');
    mkdirSync(join(folder, '__pycache__'), { recursive: true });
    // By rename, as Python does it: eight ranks import at once, and none may read half a file.
    writeFileSync(`${cache}.${process.pid}`, source);
    renameSync(`${cache}.${process.pid}`, cache);
    return source;
  }
}

/** Everything between `class NAME` and the next unindented line. */
function classBody(source: string, name: string): string | null {
  const lines = source.split('\n');
  const first = lines.findIndex(
    (line) => line.startsWith(`class ${name}(`) || line.startsWith(`class ${name}:`),
  );
  if (first < 0) return null;
  const length = lines.slice(first + 1).findIndex((line) => /^\S/.test(line));
  return lines.slice(first + 1, length < 0 ? undefined : first + 1 + length).join('\n');
}
