import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPid, requirePid } from '../../../src/runtime/actions/check-pid.js';
import { shells } from '../../remote/shells.js';
import { until } from '../../support/until.js';
import { python, startTicksOf, targetOf, type Workbench, workbench } from './support/workbench.js';

describe.each(shells)('what a pid is, where sh is $name', ({ command: shell }) => {
  let bench: Workbench;
  beforeEach(() => {
    bench = workbench({ shell });
  });
  afterEach(() => bench.close());

  it('is a running process, with its identity', async () => {
    const { startTicks, bootId } = targetOf(process.pid);
    const running = { kind: 'running', pid: process.pid, startTicks, bootId };
    expect(await checkPid(bench.host, process.pid)).toEqual(running);
    await requirePid(bench.host, process.pid);
  });

  it('is nothing', async () => {
    const child = spawn('true', { stdio: 'ignore' });
    await once(child, 'exit');
    for (const pid of [0, -5, child.pid ?? 0]) {
      expect(await checkPid(bench.host, pid)).toEqual({ kind: 'absent' });
      await expect(requirePid(bench.host, pid)).rejects.toMatchObject({ code: 'not-running', exitCode: 2 });
    }
  });

  it('is a zombie', async () => {
    const text =
      'import os, time\npid = os.fork()\nif pid == 0: os._exit(0)\nprint(pid, flush=True); time.sleep(300)';
    const parent = spawn(python, ['-c', text], { stdio: ['ignore', 'pipe', 'ignore'] });
    bench.adopt(parent.pid ?? 0);
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    await until(() => startTicksOf(pid) === null && readFileSync(`/proc/${pid}/stat`, 'latin1'), 'its end');
    expect(await checkPid(bench.host, pid)).toEqual({ kind: 'zombie' });
    await expect(requirePid(bench.host, pid)).rejects.toThrow('zombie');
  });

  it('is a thread of a process', async () => {
    const thread = readdirSync(`/proc/${process.pid}/task`)
      .map(Number)
      .find((id) => id !== process.pid);
    expect(await checkPid(bench.host, thread ?? 0)).toEqual({ kind: 'thread', leader: process.pid });
    await expect(requirePid(bench.host, thread ?? 0)).rejects.toMatchObject({
      hint: `Give --pid ${process.pid}.`,
    });
  });
});
