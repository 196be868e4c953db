import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandsPage } from '../src/cli/commands-page.js';
import { createProgram } from '../src/cli/program.js';
import { exitCodes } from '../src/errors.js';
import { keysPage } from '../src/tui/keys-page.js';
import { screenSvg } from './support/screen-svg.js';
import { modelOf } from './support/stories/all.js';
import { openFixture, themes } from './tui/open-fixture.js';

const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path: string): string => readFileSync(file(path), 'utf8');

/** UPDATE_DOCS=1 writes what is drawn from the code anew. */
async function update(path: string, text: string): Promise<void> {
  if (process.env.UPDATE_DOCS) await writeFile(file(path), text);
}

describe('the docs', () => {
  it('have the keys as the keymap has them', async () => {
    await update('docs/keys.md', keysPage());
    expect(read('docs/keys.md')).toBe(keysPage());
  });

  it('have the commands as the program has them', async () => {
    const page = commandsPage(createProgram());
    await update('docs/commands.md', page);
    expect(read('docs/commands.md')).toBe(page);
  });

  it.each([
    ['loading', 'default', [100, 30]],
    ['crashed', 'default', [100, 30]],
    ['crashed-all', 'default', [100, 30]],
    ['relaunching', 'default', [100, 30]],
    ['history', 'default', [100, 30]],
    ['loading', 'light', [100, 30]],
    ['ready', 'catppuccin-mocha', [100, 30]],
  ] as const)('show the screen as it is: %s, %s', async (view, name, size) => {
    const model = modelOf(view);
    const index = themes.findIndex((theme) => theme.name === name);
    const theme = themes[index];
    if (!theme) throw new Error(`no ${view} in ${name}`);
    const isDefault = theme === themes[0];
    const { terminal, handle } = openFixture({ ...model, theme: index }, size, undefined, {
      depth: isDefault ? '16' : 'full',
    });
    await terminal.waitFor((shown) => shown.some((row) => row !== ''));
    const colors = isDefault ? undefined : { ground: theme.ground, ink: theme.styles.text };
    const picture = screenSvg(terminal.emulator, colors);
    handle.close();
    const path = `docs/pictures/${view}${isDefault ? '' : `-${name}`}.svg`;
    await update(path, picture);
    expect(read(path)).toBe(picture);
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
