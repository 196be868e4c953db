import { describe, expect, it } from 'vitest';
import { copyToClipboard } from '../../src/runtime/clipboard.js';

describe('the clipboard', () => {
  const copy = (text: string, env: NodeJS.ProcessEnv): readonly [string | null, readonly string[]] => {
    const written: string[] = [];
    return [copyToClipboard(text, env, (sequence) => written.push(sequence)), written];
  };

  it('is reached by OSC 52 outside of tmux', () => {
    const [where, written] = copy('zwei Zeilen\näöü\n', { TERM: 'xterm-256color' });
    expect(where).toBe('OSC 52');
    const [, encoded = ''] = /^\u001B\]52;c;([A-Za-z0-9+/=]+)\u0007$/.exec(written.join('')) ?? [];
    expect(Buffer.from(encoded, 'base64').toString()).toBe('zwei Zeilen\näöü\n');
  });

  it('gets nothing that is longer than terminals take', () => {
    expect(copy('x'.repeat(56_000), { TERM: 'xterm' })).toEqual([null, []]);
    expect(copy('x'.repeat(55_000), { TERM: 'xterm' })[0]).toBe('OSC 52');
  });

  it.each(['linux', 'dumb', ''])('is not there with TERM=%s', (TERM) => {
    expect(copy('text', { TERM })).toEqual([null, []]);
  });

  it('is asked for by OSC 52 where the tmux of the environment is gone', () => {
    const env = { TERM: 'tmux-256color', TMUX: '/nowhere/socket,1,0', PATH: process.env.PATH };
    expect(copy('text', env)[0]).toBe('OSC 52');
  });
});
