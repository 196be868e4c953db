import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/store/config-file.js';
import { findConfig } from '../../src/store/find-config.js';
import { nearestName } from '../../src/store/nearest-name.js';

const root = mkdtempSync(join(tmpdir(), 'firedup-config-'));
let folder = root;

beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

/** Writes a config and returns its path. */
function config(text: string | Buffer, name = 'firedup.yaml'): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe('which config counts', () => {
  it('is the one that is given, then that of the folder, then that of the user, then none', () => {
    const env = { XDG_CONFIG_HOME: join(folder, 'xdg') };
    expect(findConfig(null, folder, env)).toBeNull();
    const users = config('', 'xdg/firedup/config.yaml');
    expect(findConfig(null, folder, env)).toBe(users);
    const folders = config('');
    expect(findConfig(null, folder, env)).toBe(folders);
    expect(findConfig('/else.yaml', folder, env)).toBe('/else.yaml');
  });
});

describe('a config', () => {
  it('is read as data', async () => {
    expect((await readConfig(config('engines: { sglang: { off: [a] } }'))).data).toEqual({
      engines: { sglang: { off: ['a'] } },
    });
  });

  it.each([
    ['nothing', ''],
    ['comments alone', '# later\n'],
  ])('may hold %s', async (_what, text) => {
    expect((await readConfig(config(text))).data).toEqual({});
  });

  it('names places by line and column, in the order of the file', async () => {
    const file = await readConfig(config('engines:\n  sglang:\n    death:\n      - one\n      - two\n'));
    const { message, hint, exitCode } = file.error([
      { path: ['engines', 'sglang', 'death', 1], text: 'is wrong' },
      { path: ['engines', 'sglang', 'death', 0], text: 'is wrong too' },
      { path: ['engines', 'sglang', 'nothing', 'there'], text: 'lacks something' },
    ]);
    expect(message).toBe(`${file.path}:3:5: engines.sglang.nothing.there lacks something.`);
    expect(hint).toBe(
      [
        `${file.path}:4:9: engines.sglang.death[0] is wrong too.`,
        `  ${file.path}:5:9: engines.sglang.death[1] is wrong.`,
      ].join('\n'),
    );
    expect(exitCode).toBe(2);
  });

  it.each([
    [
      'a key that it does not have',
      'enginse: {}',
      /firedup\.yaml:1:1: the config has no key enginse \(did you mean engines\?\)/,
    ],
    ['a list', '- a', /:1:1: the config must be a map/],
    ['a fault of YAML', 'engines: [1\n', /:2:1: /],
    ['a key given twice', 'engines: {}\nengines: {}\n', /:2:1: .*unique/],
    ['a tab for indentation', 'engines:\n\tsglang: {}\n', /:2:1: .*ab/],
    ['aliases that swell', `a: &a [x, x]\n${swelling()}`, /alias/i],
  ])('is refused with %s', async (_what, text, message) => {
    await expect(readConfig(config(text))).rejects.toMatchObject({
      message: expect.stringMatching(message),
      exitCode: 2,
    });
  });

  it('that is not there, or is a folder, is refused', async () => {
    await expect(readConfig(join(folder, 'none.yaml'))).rejects.toThrow(/no such file/);
    await expect(readConfig(folder)).rejects.toThrow(/is a folder/);
  });

  it('that is huge, endless or no text is refused', async () => {
    await expect(readConfig(config(`# ${'x'.repeat(1024 * 1024)}\n`))).rejects.toThrow(/larger than 1 MiB/);
    await expect(readConfig('/dev/zero')).rejects.toThrow(/larger than 1 MiB/);
    await expect(readConfig(config(Buffer.from([0x61, 0x3a, 0xff])))).rejects.toThrow(/is not UTF-8/);
  });
});

/** Each line doubles what the one before it holds. */
function swelling(): string {
  const names = 'abcdefghijklmnopqrst';
  return [...names]
    .slice(1)
    .map((name, index) => `${name}: &${name} [*${names[index]}, *${names[index]}]`)
    .join('\n');
}

describe('the nearest name', () => {
  it.each([
    ['titel', 'title'],
    ['failure', 'failures'],
    ['vlm', 'vllm'],
    ['SGLang', 'sglang'],
    ['zebra', null],
    ['', null],
  ])('to %s is %s', (name, nearest) => {
    expect(nearestName(name, ['title', 'failures', 'vllm', 'sglang'])).toBe(nearest);
  });
});
