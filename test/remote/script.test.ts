import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadScript, scriptCommand } from '../../src/remote/script.js';
import { loginShells, shells } from './shells.js';

const names = readdirSync(new URL('../../src/remote/', import.meta.url))
  .filter((name) => name.endsWith('.sh'))
  .map((name) => name.slice(0, -'.sh'.length));

/** Those that are included by others. */
const parts = new Set(
  names.flatMap((name) =>
    [
      ...readFileSync(new URL(`../../src/remote/${name}.sh`, import.meta.url), 'utf8').matchAll(
        /^\. \.\/(.+)\.sh$/gm,
      ),
    ].map((found) => found[1]),
  ),
);

describe.each(loginShells)('a script given to %s as login shell', (login) => {
  it.each([true, false])('gets its arguments and its stdin (base64: %s)', (base64) => {
    const path = "/no such/it's\n$(id)!x\\";
    const out = spawnSync(login, ['-c', scriptCommand('listener', ['n0nce', '1', path], { base64 })], {
      input: '',
      encoding: 'utf8',
    });
    expect(out.stderr).toBe('');
    expect(out.stdout).toMatch(/^\n#n0nce pid=\d+ ticks=\d+ boot=\S+/);
  });
});

describe.each(shells)('the scripts in $name', ({ command }) => {
  it.each(names)('%s is understood', (name) => {
    const [program = '', ...args] = command;
    execFileSync(program, [...args, '-n', '-c', loadScript(name)]);
  });
});

describe('shipping', () => {
  it.each(names)('%s fits into one argument', (name) => {
    expect(scriptCommand(name, ['x'.repeat(200)], { base64: false }).length).toBeLessThan(90_000);
  });

  it('leaves comments at home', () => {
    expect(loadScript('alive')).not.toMatch(/^\s*#/m);
  });

  it('puts included files in', () => {
    expect(loadScript('listener')).toContain('hello()');
  });
});

describe.skipIf(spawnSync('shellcheck', ['--version']).status !== 0)('shellcheck', () => {
  it.each(names)('has nothing to say about %s.sh', (name) => {
    // A part sets and reads what is not its own.
    const except = parts.has(name) ? ['-e', 'SC2034,SC2154'] : [];
    const out = spawnSync('shellcheck', ['-x', '-S', 'warning', '-s', 'sh', ...except, `${name}.sh`], {
      cwd: new URL('../../src/remote/', import.meta.url),
      encoding: 'utf8',
    });
    expect(out.stdout).toBe('');
  });
});
