import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Copied } from '../../src/runtime/clipboard.js';
import { keepText } from '../../src/runtime/keep-text.js';
import { Story } from '../core/fold.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'firedup-keep-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const lines = ['\u001B[31mred\u001B[0m', "api_key='very-private'"];

const keep = async (copied: Copied, state = join(home, 'state')): Promise<readonly [string, string[]]> => {
  const copies: string[] = [];
  const notice = await keepText(
    { what: '2 lines', lines, name: 'copy' },
    new Story().state,
    { HOME: home, XDG_STATE_HOME: state },
    (text) => {
      copies.push(text);
      return copied;
    },
  );
  return [notice.text, copies];
};

describe('a text that is kept', () => {
  it.each([
    [{ to: 'tmux' }, /^2 lines copied \(tmux\), and in ~\/state\/.*-copy-.*\.log$/],
    // Nobody answers a request by OSC 52: it is not said to be copied.
    [{ to: 'terminal' }, /^2 lines sent by OSC 52, and in ~\/state\//],
    [{ to: 'nowhere', why: 'too-long' }, /^too long for the terminal's clipboard: 2 lines in ~\/state\//],
    [{ to: 'nowhere', why: 'no-clipboard' }, /^2 lines in ~\/state\//],
  ] as const)('is said to be where it is: %j', async (copied, words) => {
    const [text, copies] = await keep(copied);
    expect(text).toMatch(words);
    expect(copies).toEqual(["red\napi_key='***'\n"]);
    const path = text.slice(text.indexOf('~')).replace('~', home);
    expect(readFileSync(path, 'utf8')).toBe(copies[0]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is copied where no file can be written, and that is said', async () => {
    const blocked = join(home, 'blocked');
    writeFileSync(blocked, '');
    const [text, copies] = await keep({ to: 'tmux' }, blocked);
    expect(text).toMatch(/^2 lines copied \(tmux\); no file: .*cannot be written/);
    expect(copies).toHaveLength(1);
    await expect(keep({ to: 'nowhere', why: 'no-clipboard' }, blocked)).rejects.toThrow(/cannot be written/);
  });
});
