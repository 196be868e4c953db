import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../src/cli/program.js';
import { exitCodes } from '../src/errors.js';
import { keysPage } from '../src/tui/keys-page.js';

const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path: string): string => readFileSync(file(path), 'utf8');

describe('the docs', () => {
  it('have the keys as the keymap has them', async () => {
    // UPDATE_DOCS=1 writes the page anew.
    if (process.env.UPDATE_DOCS) (await import('node:fs')).writeFileSync(file('docs/keys.md'), keysPage());
    expect(read('docs/keys.md')).toBe(keysPage());
  });

  it('name every command in the README, and every exit code', () => {
    for (const { name } of createProgram().commands.map((command) => ({ name: command.name() }))) {
      expect(read('README.md')).toContain(`firedup ${name === 'demo' ? '' : name}`.trim());
    }
    for (const code of Object.values(exitCodes))
      expect(read('docs/verdicts.md')).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
  });

  it('say in the README the two commands that do it all', () => {
    expect(read('README.md')).toContain('npm ci && npm run demo');
    expect(read('README.md')).toContain('npm ci && npm test');
  });

  it('explain every dependency', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      expect(read('docs/dependencies.md')).toContain(
        name.startsWith('@types/') ? 'types for' : `\`${name}\``,
      );
    }
  });

  it.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md'])(
    'lead to files that are there: %s',
    (page) => {
      const text = read(page);
      const paths = [...text.matchAll(/(?:\]\(|`)((?:docs|src|test|themes|\.ci)\/[\w./-]*\w)(?:[)`])/g)].map(
        ([, path = '']) => path,
      );
      expect(paths.length).toBeGreaterThan(0);
      for (const path of paths) expect(existsSync(file(path)), `${page} names ${path}`).toBe(true);
    },
  );
});
