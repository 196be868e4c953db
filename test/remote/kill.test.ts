import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive, targetOf } from '../runtime/actions/support/workbench.js';
import { available } from '../support/available.js';
import { until } from '../support/until.js';
import { act, busyboxOnly } from './act.js';
import { shells } from './shells.js';

let folder: string;
let children: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firedup kill-'));
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function sleeper(env: NodeJS.ProcessEnv = {}): number {
  const child = spawn('sleep', ['300'], { stdio: 'ignore', detached: true, env: { ...process.env, ...env } });
  children.push(child);
  return child.pid ?? 0;
}

const args = (
  mode: string,
  pid: number,
  more: Partial<Record<'signal' | 'grace' | 'marker', string>> = {},
) => {
  const { startTicks, bootId } = targetOf(pid);
  return [
    mode,
    String(pid),
    startTicks,
    bootId,
    more.signal ?? 'TERM',
    more.grace ?? '20',
    more.marker ?? '-',
    '-',
    '-',
  ];
};

describe.each(shells)('kill.sh in $name', ({ command: shell }) => {
  it('lists in the agreed form', () => {
    const pid = sleeper();
    const { lines, stderr } = act(shell, 'kill', args('list', pid));
    expect(stderr).toBe('');
    const uid = process.getuid?.();
    const command = Buffer.from('sleep\x00300\x00').toString('hex');
    expect(lines.filter((line) => !/^(near|owner) /.test(line))).toEqual([
      `me ${uid}`,
      expect.stringMatching(
        new RegExp(`^member ${pid} ${process.pid} ${targetOf(pid).startTicks} ${uid} \\d+ ${command}$`),
      ),
      'end listed',
    ]);
    expect(lines[1]).toMatch(new RegExp(`^owner ${uid} \\w+$`));
  });

  it('ends in the agreed form', async () => {
    const pid = sleeper();
    const { lines, stderr } = act(shell, 'kill', args('kill', pid));
    expect(stderr).toBe('');
    expect(lines).toEqual([`me ${process.getuid?.()}`, 'signal TERM 1', 'end gone']);
    await until(() => !isAlive(pid), 'it to be gone');
  });

  it('tells whom it will not touch', () => {
    expect(act(shell, 'kill', args('kill', process.pid)).lines.at(-1)).toBe('end forbidden');
    expect(act(shell, 'kill', args('kill', 1)).lines.at(-1)).toBe('end forbidden');
  });
});

describe.skipIf(!available('busybox'))('kill.sh with nothing but busybox', () => {
  it('works', async () => {
    const PATH = busyboxOnly(join(folder, 'bin'));
    const pid = sleeper();
    const { lines, stderr } = act(['sh'], 'kill', args('kill', pid), { env: { PATH } });
    expect(stderr).toBe('');
    expect(lines.at(-1)).toBe('end gone');
    await until(() => !isAlive(pid), 'it to be gone');
  });
});
