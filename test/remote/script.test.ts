import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadScript, scriptCommand } from '../../src/remote/script.js';
import { pathWithout } from '../support/path-without.js';
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

const folder = mkdtempSync(join(tmpdir(), 'firedup-script-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shellPath = (name: string): string =>
  execFileSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' }).trim();

describe.each(loginShells)('a script given to %s as login shell', (login) => {
  it.each(['', 'base64'])('gets its arguments and its stdin on a host without "%s"', (missing) => {
    const path = "/no such/it's\n$(id)!x\\ ü€😀\u0001\u00ff";
    const out = spawnSync(shellPath(login), ['-c', scriptCommand('listener', ['n0nce', '1', path])], {
      input: '',
      encoding: 'utf8',
      env: { ...process.env, ...(missing === '' ? {} : { PATH: pathWithout(join(folder, login), missing) }) },
    });
    expect(out.stderr).toBe('');
    expect(out.stdout).toMatch(/^\n#n0nce pid=\d+ ticks=\d+ boot=\S+/);
  });
});

describe.each(['mawk', 'gawk', 'busybox'].filter((awk) => spawnSync('which', [awk]).status === 0))(
  'without base64, an awk that is %s',
  (awk) => {
    it.each(['C.UTF-8', 'C'])('unpacks every byte in the locale %s', (locale) => {
      const bin = pathWithout(join(folder, `${awk}-${locale}`), 'base64', 'awk');
      symlinkSync(shellPath(awk), join(bin, 'awk'));
      const all = Array.from({ length: 0x2fff }, (_, code) => String.fromCodePoint(code + 1)).join('');
      const out = spawnSync(shellPath('dash'), ['-c', scriptCommand('last-lines', [all, '1', '1'])], {
        encoding: 'utf8',
        env: { PATH: bin, LC_ALL: locale },
      });
      const direct = spawnSync(shellPath('dash'), ['-c', loadScript('last-lines'), 'sh', all, '1', '1'], {
        encoding: 'utf8',
        env: { LC_ALL: locale, PATH: bin },
      });
      expect(out.stderr.length).toBeGreaterThan(all.length);
      expect(out.stderr.replace(/^.*?: (?=.*: )/s, '')).toBe(direct.stderr.replace(/^.*?: (?=.*: )/s, ''));
    });
  },
);

it.each(names)('%s fits into one packet of an SSH server, with room for its arguments', (name) => {
  // RFC 4253, 6.1: a payload of 32768 bytes; dropbear keeps to it, ssh2's server takes 35000, OpenSSH 262144.
  // A log's path, at 4096 bytes the longest, is 5461 of base64.
  expect(scriptCommand(name, []).length).toBeLessThan(26_000);
});

it.each(names)(
  '%s shows no word by which somebody would look for a server, nor what a login shell expands',
  (name) => {
    const [, , text = '', ...more] = scriptCommand(name, ['nonce']).split(" '").slice(2);
    expect(more).toEqual([]);
    expect(text).not.toMatch(/sglang|vllm|python|firedup|jupyter|nvidia/i);
    expect(text.slice(0, text.lastIndexOf("'"))).not.toMatch(/['!\\\n\r]/);
  },
);

it('says so where a host has no tr', () => {
  const PATH = pathWithout(join(folder, 'no-tr'), 'tr');
  const out = spawnSync(shellPath('dash'), ['-c', scriptCommand('home', [])], {
    encoding: 'utf8',
    env: { PATH },
  });
  expect(out).toMatchObject({ status: 127, stdout: '' });
  expect(out.stderr).toMatch(/no tr here/);
});

it('says so where a host can unpack nothing', () => {
  const PATH = pathWithout(join(folder, 'nothing'), 'base64', 'awk');
  const out = spawnSync(shellPath('dash'), ['-c', scriptCommand('home', [])], {
    encoding: 'utf8',
    env: { PATH },
  });
  expect(out).toMatchObject({ status: 127, stdout: '' });
  expect(out.stderr).toMatch(/neither base64 nor awk/);
});

describe.each(shells)('the scripts in $name', ({ command }) => {
  it.each(names)('%s is understood', (name) => {
    const [program = '', ...args] = command;
    execFileSync(program, [...args, '-n', '-c', loadScript(name)]);
  });
});

describe('shipping', () => {
  it.each(names)('%s fits into one argument', (name) => {
    expect(scriptCommand(name, ['x'.repeat(200)]).length).toBeLessThan(90_000);
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
