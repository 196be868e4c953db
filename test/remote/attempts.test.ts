import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { targetOf } from '../runtime/actions/support/workbench.js';
import { act } from './act.js';
import { shells } from './shells.js';

let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firedup attempts-'));
  env = { XDG_STATE_HOME: join(folder, 'state') };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function attempt(name: string, number: number, files: Record<string, string>): void {
  const path = join(folder, 'state/firedup', name, String(number));
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
}

const hex = (text: string) => Buffer.from(text).toString('hex');

describe.each(shells)('attempts.sh in $name', ({ command: shell }) => {
  it('tells what stands in the folders, byte by byte, the first attempt first', () => {
    const shown = `{"command":"a 'b' \\n ü"}\n`;
    attempt('box', 10, { id: 'ten\n', 'shown.json': shown, 'launch.json': '{}\n', 'log-path': '/a b\n/log' });
    attempt('box', 9, { id: 'nine\n', exit: '0 1700000000 oom:-:-\n', pid: '1 2 boot 1700000000\n' });
    const { lines } = act(shell, 'attempts', ['list', 'box'], { env });
    const base = `${folder}/state/firedup/box`;
    expect(lines).toEqual([
      'attempt 9',
      `folder ${hex(`${base}/9`)}`,
      'pid 1 2 boot 1700000000',
      'exit 0 1700000000 oom:-:-',
      'id nine',
      'attempt 10',
      `folder ${hex(`${base}/10`)}`,
      'id ten',
      `log ${hex('/a b\n/log')}`,
      `shown ${hex(shown)}`,
      'alive no',
      expect.stringMatching(/^room \d+$/),
      'end of list',
    ]);
    const latest = act(shell, 'attempts', ['read', 'box', 'latest'], { env }).lines;
    expect(latest.slice(0, 1)).toEqual(['attempt 10']);
    expect(latest).toContain(`launch ${hex('{}\n')}`);
  });

  it('tells a running process from one that has its pid or ran before the last boot', () => {
    const { bootId: boot, startTicks: ticks } = targetOf(process.pid);
    const life = (pid: string) => {
      attempt('box', 1, { pid: `${pid}\n` });
      return act(shell, 'attempts', ['read', 'box', '1'], { env }).lines.find((line) =>
        line.startsWith('alive'),
      );
    };
    expect(life(`${process.pid} ${ticks} ${boot} 1`)).toBe('alive yes');
    expect(life(`${process.pid} ${Number(ticks) + 1} ${boot} 1`)).toBe('alive no');
    expect(life(`${process.pid} ${ticks} 0-0 1`)).toBe('alive other-boot');
    expect(life('')).toBe('alive no');
  });

  it('lists names, and nothing where there is none', () => {
    expect(act(shell, 'attempts', ['names'], { env }).lines).toEqual(['end of list']);
    expect(act(shell, 'attempts', ['list', 'box'], { env }).lines).toEqual(['end of list']);
    expect(act(shell, 'attempts', ['read', 'box', 'latest'], { env }).lines).toEqual(['end of list']);
    attempt('one', 1, {});
    attempt('two', 7, {});
    expect(act(shell, 'attempts', ['names'], { env }).lines).toEqual(['name one', 'name two', 'end of list']);
  });
});
