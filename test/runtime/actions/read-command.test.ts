import { spawn } from 'node:child_process';
import { openSync, realpathSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchCommand } from '../../../src/runtime/actions/launch.js';
import { readCommand } from '../../../src/runtime/actions/read-command.js';
import { until } from '../../support/until.js';
import { isAlive, python, startTicksOf, type Workbench, workbench } from './support/workbench.js';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.close());

const report =
  'import os, sys, time; print(os.environb, os.getcwdb(), sys.argv, flush=True); time.sleep(300)';

function start(
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string; log?: string } = {},
) {
  const out = options.log === undefined ? 'ignore' : openSync(options.log, 'a');
  const child = spawn(python, args, {
    cwd: options.cwd ?? bench.folder,
    env: options.env ?? {},
    stdio: ['ignore', out, out],
    detached: true,
  });
  bench.adopt(child.pid ?? 0);
  return child.pid ?? 0;
}

describe('the command of a running process', () => {
  it('is read with its environment, its folder and its log, byte by byte', async () => {
    const env = { A: 'x\ny $(z) ü', HF_TOKEN: 'private', SHLVL: '7', EMPTY: '' };
    const log = bench.path('the log');
    const pid = start(['-c', report, 'a b', '', 'ü\n'], { env, log });
    const command = await readCommand(bench.host, pid);
    expect(command).toMatchObject({ pid, startTicks: startTicksOf(pid), log: realpathSync(log), notes: [] });
    expect(command.spec).toEqual({
      command: [python, '-c', report, 'a b', '', 'ü\n'],
      shell: false,
      env: { A: 'x\ny $(z) ü', HF_TOKEN: 'private', EMPTY: '' },
      cleanEnv: true,
      cwd: realpathSync(bench.folder),
      log: null,
    });
  });

  it('starts the same again', async () => {
    const log = bench.path('first.log');
    const pid = start(['-c', report, 'a b', ''], { env: { A: "it's", PATH: process.env.PATH }, log });
    const { spec } = await readCommand(bench.host, pid);
    if (spec === null) throw new Error('unreadable');
    const attempt = await launchCommand(bench.host, { name: 'again', spec });
    bench.adopt(attempt.pid);
    const second = await until(async () => {
      const read = await readCommand(bench.host, attempt.pid);
      return read.spec?.command.length === spec.command.length && read.spec;
    }, 'the same command line');
    expect(second.command).toEqual(spec.command);
    expect(second.cwd).toBe(spec.cwd);
    expect(second.env).toEqual(spec.env);
  });

  it('says what it cannot carry over, and that there is no such process', async () => {
    const pid = start(['-c', report], { env: { 'BASH_FUNC_module%%': '() { :; }', OK: '1' } });
    const { spec, notes } = await readCommand(bench.host, pid);
    expect(spec?.env).toEqual({ OK: '1' });
    expect(notes).toEqual(['No shell can pass on these variables: BASH_FUNC_module%%.']);
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid), 'its end');
    await expect(readCommand(bench.host, pid)).rejects.toMatchObject({ code: 'not-running', exitCode: 2 });
  });

  it('does not take the title that a process has given itself for its command', async () => {
    // What setproctitle does: writes over its own argv, and where that is short over the environment behind it.
    const title = [
      'import ctypes, time',
      "fields = open('/proc/self/stat').read().rsplit(') ', 1)[1].split()",
      'start, end = int(fields[45]), int(fields[46])',
      "title = b'sglang::scheduler_TP0'",
      'ctypes.memmove(start, title.ljust(end - start, bytes(1)), end - start)',
      'time.sleep(300)',
    ].join('\n');
    const pid = start(['-c', title]);
    const command = await until(async () => {
      const read = await readCommand(bench.host, pid);
      return read.spec === null && read;
    }, 'the title');
    expect(command.notes[0]).toContain('sglang::scheduler_TP0');
  });
});
