import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Copied, copyToClipboard } from '../../src/runtime/clipboard.js';
import { available, pathOf } from '../support/available.js';
import { openTmux, type TmuxPane } from '../support/tmux.js';
import { underScript } from '../support/under-script.js';
import { until } from '../support/until.js';

const copy = (text: string, env: NodeJS.ProcessEnv, isOurs = true): readonly [Copied, string] => {
  const written: string[] = [];
  const copied = copyToClipboard(text, env, (sequence) => {
    if (isOurs) written.push(sequence);
    return isOurs;
  });
  return [copied, written.join('')];
};

const requested = (written: string): string => {
  const [, encoded = ''] = /^\u001B\]52;c;([A-Za-z0-9+/=]+)\u0007$/.exec(written) ?? [];
  return Buffer.from(encoded, 'base64').toString();
};

describe('the clipboard', () => {
  it('is reached by OSC 52 outside of tmux', () => {
    const [copied, written] = copy('zwei Zeilen\näöü\n', { TERM: 'xterm-256color' });
    expect(copied).toEqual({ to: 'terminal' });
    expect(requested(written)).toBe('zwei Zeilen\näöü\n');
  });

  it('gets nothing that is longer than terminals take', () => {
    const tooLong = { to: 'nowhere', why: 'too-long' };
    expect(copy('x'.repeat(75_000), { TERM: 'xterm' })).toEqual([tooLong, '']);
    expect(copy('x'.repeat(75_000), { TERM: 'screen', STY: '1.x' })).toEqual([tooLong, '']);
    expect(copy('x'.repeat(74_900), { TERM: 'xterm' })[0]).toEqual({ to: 'terminal' });
  });

  it.each(['linux', 'dumb', 'vt220', ''])('is not there with TERM=%s', (TERM) => {
    expect(copy('text', { TERM })).toEqual([{ to: 'nowhere', why: 'no-clipboard' }, '']);
  });

  it('is not there while the terminal is lent', () => {
    expect(copy('text', { TERM: 'xterm' }, false)[0]).toEqual({ to: 'nowhere', why: 'no-clipboard' });
  });

  it('is asked for in pieces in GNU screen, and both ways where TERM alone may mean it', () => {
    const long = 'long '.repeat(500);
    for (const env of [
      { STY: '4711.pts-0.box', TERM: 'screen.xterm-256color' },
      { TERM: 'screen-256color' },
    ]) {
      const [copied, written] = copy(long, env);
      expect(copied).toEqual({ to: 'terminal' });
      const pieces = written.split('\u001BP').slice(1);
      expect(pieces.every((piece) => piece.endsWith('\u001B\\') && piece.length <= 255)).toBe(true);
      expect(requested(pieces.map((piece) => piece.slice(0, -2)).join(''))).toBe(long);
    }
    const [, short] = copy('short', { TERM: 'screen-256color' });
    const [, plain] = copy('short', { TERM: 'xterm' });
    expect(short).toBe(`\u001BP${plain}\u001B\\${plain}`);
  });
});

describe.skipIf(!available('tmux'))('the clipboard in tmux', () => {
  let pane: TmuxPane;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-clipboard-'));
    pane = openTmux({ command: 'exec sleep 1000' });
    env = { TERM: 'tmux-256color', TMUX: pane.socket, PATH: process.env.PATH };
  });
  afterAll(() => {
    pane?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is its buffer, however long the text is', () => {
    const long = `${'zwei Zeilen\näöü '.repeat(20_000)}\n`;
    expect(copy(long, env)).toEqual([{ to: 'tmux' }, '']);
    expect(pane.buffer()).toBe(long);
  });

  it('is its buffer where tmux is too old for -w', () => {
    const old = join(folder, 'tmux');
    writeFileSync(
      old,
      `#!/bin/sh\nfor word; do [ "$word" = -w ] && { echo "unknown flag -w" >&2; exit 1; }; done\nexec '${pathOf('tmux')}' "$@"\n`,
    );
    chmodSync(old, 0o755);
    expect(copy('by an old one\n', { ...env, PATH: `${folder}:${env.PATH}` })).toEqual([{ to: 'tmux' }, '']);
    expect(pane.buffer()).toBe('by an old one\n');
  });

  it('is asked for by OSC 52 where its server is gone, or tmux not on the PATH', () => {
    for (const other of [{ TMUX: '/nowhere/socket,1,0' }, { PATH: join(folder, 'empty') }]) {
      const [copied, written] = copy('text', { ...env, ...other });
      expect(copied).toEqual({ to: 'terminal' });
      expect(requested(written)).toBe('text');
    }
  });
});

describe.skipIf(!available('screen', 'script', 'procfs'))('the clipboard in GNU screen', () => {
  it('is the one of the terminal around it, and nothing of the text is printed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'firedup-screen-'));
    const text = 'zwei Zeilen\näöü '.repeat(300);
    const sequence = join(folder, 'sequence');
    writeFileSync(sequence, copy(text, { STY: 'x', TERM: 'screen' })[1]);
    const env = { SCREENDIR: folder, STY: '' };
    chmodSync(folder, 0o700);
    const shell = `cat '${sequence}'; echo done; exec sleep 1000`;
    const outer = underScript(
      ['screen', '-c', '/dev/null', '-S', 'firedup', 'sh', '-c', shell],
      [80, 24],
      env,
    );
    try {
      await until(() => /\u001B\]52;c;.*done/s.test(outer.text()), `the text has come: ${outer.text()}`);
      const [, encoded = ''] = /\u001B\]52;c;([A-Za-z0-9+/=]+)\u0007/.exec(outer.text()) ?? [];
      expect(Buffer.from(encoded, 'base64').toString()).toBe(text);
    } finally {
      execFileSync('screen', ['-S', 'firedup', '-X', 'quit'], { env: { ...process.env, ...env } });
      await outer.ended;
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
