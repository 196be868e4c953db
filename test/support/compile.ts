import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Compiles a test program and the sources that it imports, so that a plain `node` runs it in a terminal.
 * Returns the program's path and what removes it all again.
 */
export function compileProgram(source: string): { readonly path: string; remove(): void } {
  const folder = resolve('node_modules/.cache', `program-${process.pid}-${randomUUID().slice(0, 8)}`);
  mkdirSync(folder, { recursive: true });
  const config = {
    extends: resolve('tsconfig.json'),
    compilerOptions: { noEmit: false, outDir: folder, rootDir: resolve('.'), sourceMap: false },
    include: [],
    files: [resolve(source)],
  };
  const configPath = join(folder, 'tsconfig.json');
  writeFileSync(configPath, JSON.stringify(config));
  // Faults in files that others are working on do not keep it from being written.
  execFileSync('npx', ['tsc', '-p', configPath, '--noCheck'], { stdio: 'pipe' });
  return {
    path: join(folder, source.replace(/\.tsx?$/, '.js')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
