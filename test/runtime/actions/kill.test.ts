import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActionStep } from '../../../src/core/events.js';
import { readAttempt } from '../../../src/runtime/actions/attempts.js';
import { killTree } from '../../../src/runtime/actions/kill.js';
import { killTargetOf } from '../../../src/runtime/actions/kill-target.js';
import { launchCommand } from '../../../src/runtime/actions/launch.js';
import { launchSpec } from '../../../src/runtime/actions/launch-spec.js';
import { previewKill } from '../../../src/runtime/actions/preview-kill.js';
import { content, isAlive, targetOf, until, type Workbench, workbench } from './support/workbench.js';

const treeScript = fileURLToPath(new URL('./support/tree.py', import.meta.url));

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.close());

/** Starts the tree through `launchCommand` and waits until it is whole. */
async function launchTree(name = 'default') {
  const folder = bench.path(`tree-${name}`);
  mkdirSync(folder);
  const command = ['python3', treeScript, folder];
  const attempt = await launchCommand(bench.host, { name, spec: launchSpec({ command, cwd: bench.folder }) });
  bench.adopt(attempt.pid);
  await content(`${folder}/root`);
  const pids = new Map(
    readdirSync(folder).map((file) => [file, Number(readFileSync(`${folder}/${file}`, 'utf8'))]),
  );
  for (const pid of pids.values()) bench.adopt(pid);
  return { attempt, command, pids };
}

const alive = (pids: ReadonlyMap<string, number>) =>
  [...pids].filter(([, pid]) => isAlive(pid)).map(([name]) => name);

describe('killing a launched server', () => {
  it('ends the whole tree: workers with a session of their own, one that ignores TERM, one that double-forked', async () => {
    const { attempt, pids } = await launchTree();
    expect(pids.size).toBe(10);
    const steps: ActionStep[] = [];
    const record = await readAttempt(bench.host, 'default', 1);
    const result = await killTree(bench.host, killTargetOf(record), {
      graceMs: 1500,
      onStep: (step) => steps.push(step),
    });
    expect(result).toEqual({ outcome: 'gone', survivors: [] });
    expect(alive(pids)).toEqual([]);
    expect(isAlive(attempt.pid)).toBe(false);
    expect(steps.at(-1)).toEqual({
      action: 'kill',
      step: 'kill',
      status: 'done',
      text: 'Every process has gone',
    });
    const after = await until('the recorded end', async () => readAttempt(bench.host, 'default', 1));
    expect(after.life).toMatchObject({ kind: 'ended', exit: { signal: 'SIGTERM' } });
  });

  it('signals nothing when the start ticks are not those of the process', async () => {
    const { attempt, pids } = await launchTree();
    const result = await killTree(
      bench.host,
      { ...targetOf(attempt.pid), startTicks: '1' },
      { graceMs: 500 },
    );
    expect(result.outcome).toBe('absent');
    expect(alive(pids)).toHaveLength(10);
    await killTree(bench.host, targetOf(attempt.pid), { signal: 'KILL' });
  });
});
