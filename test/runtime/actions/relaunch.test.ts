import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActionStep } from '../../../src/core/events.js';
import { launchSpec } from '../../../src/core/launch-spec.js';
import { readAttempt } from '../../../src/runtime/actions/attempts.js';
import { killTargetOf } from '../../../src/runtime/actions/kill-target.js';
import { launchCommand } from '../../../src/runtime/actions/launch.js';
import { type RelaunchRequest, relaunch } from '../../../src/runtime/actions/relaunch.js';
import { until } from '../../support/until.js';
import { isAlive, python, type Workbench, workbench } from './support/workbench.js';

let bench: Workbench;
let steps: ActionStep[];
beforeEach(() => {
  bench = workbench();
  steps = [];
});
afterEach(() => bench.close());

const sleeper = [python, '-c', 'import time; time.sleep(300)'];

async function firstAttempt() {
  const spec = launchSpec({
    command: sleeper,
    cwd: bench.folder,
    env: { STAGE: 'one', API_KEY: 'private-word' },
  });
  const attempt = await launchCommand(bench.host, { name: 'default', spec });
  bench.adopt(attempt.pid);
  return attempt;
}

async function again(change: Partial<RelaunchRequest> = {}) {
  const record = await readAttempt(bench.host, 'default', 'latest');
  const result = await relaunch(bench.host, {
    name: 'default',
    victim: killTargetOf(record),
    spec: record.spec,
    onStep: (step) => steps.push(step),
    ...change,
  });
  bench.adopt(result.attempt.pid);
  return result;
}

const checklist = () => steps.map(({ step, status }) => `${step} ${status}`);

/** Puts an nvidia-smi in front of PATH: a shell script. */
function nvidiaSmi(text: string): void {
  mkdirSync(bench.path('tools'), { recursive: true });
  chmodSync(bench.write('tools/nvidia-smi', `#!/bin/sh\n${text}\n`), 0o755);
  process.env.PATH = `${bench.path('tools')}:${process.env.PATH}`;
}

describe('a relaunch', () => {
  it('ends the attempt before and starts the next one, with the same command, folder and variables', async () => {
    const first = await firstAttempt();
    const { attempt, before } = await again();
    expect([first, attempt].map(({ number, pid }) => [number, isAlive(pid)])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(before).toEqual([]);
    expect(attempt.log).not.toBe(first.log);
    const [one, two] = [
      await readAttempt(bench.host, 'default', 1),
      await readAttempt(bench.host, 'default', 2),
    ];
    expect(two.spec).toEqual(one.spec);
    expect(checklist()).toEqual([
      'kill active',
      'kill active',
      'kill done',
      'gpus-free active',
      'gpus-free done',
      'start active',
      'start done',
      'finished done',
    ]);
    expect(steps.every(({ action }) => action === 'relaunch')).toBe(true);
  });

  it('starts what has ended by itself without a kill', async () => {
    const first = await firstAttempt();
    process.kill(first.pid, 'SIGKILL');
    await until(async () => (await readAttempt(bench.host, 'default', 1)).life.kind === 'ended', 'its end');
    const { attempt } = await again();
    expect(attempt.number).toBe(2);
    expect(checklist()).toEqual(['kill done', 'start active', 'start done', 'finished done']);
  });

  it('runs the commands before in folder and environment of the server, and gives back what they said', async () => {
    await firstAttempt();
    const { attempt, before } = await again({
      before: [
        'touch made-here && echo "to stdout $STAGE"',
        'echo to stderr >&2; echo $API_KEY; [[ a == a ]] && echo bash; read -r x || echo no input',
      ],
    });
    expect(existsSync(bench.path('made-here'))).toBe(true);
    expect(before.map(({ code, output }) => [code, output])).toEqual([
      [0, 'to stdout one\n'],
      [0, 'to stderr\n***\nbash\nno input\n'],
    ]);
    expect(attempt.number).toBe(2);
    // Recorded for the next relaunch, which is to show what is different.
    const { attempt: recorded } = await readAttempt(bench.host, 'default', 2);
    expect(recorded).toMatchObject({ cwd: bench.folder, before: attempt.before });
    expect(recorded.before).toHaveLength(2);
    expect(checklist().filter((line) => line.startsWith('before'))).toEqual([
      'before active',
      'before done',
      'before active',
      'before done',
    ]);
  });

  it('runs no command before a start that is refused, since one of that name runs', async () => {
    const first = await firstAttempt();
    const refused = again({ victim: null, before: ['touch made-here'] });
    await expect(refused).rejects.toMatchObject({ code: 'already-running', exitCode: 2 });
    await expect(refused).rejects.toThrow(`Attempt 1 of "default" runs as pid ${first.pid}`);
    expect([existsSync(bench.path('made-here')), isAlive(first.pid)]).toEqual([false, true]);
    expect(checklist()).toEqual([]);
    process.kill(first.pid, 'SIGKILL');
    await until(async () => (await readAttempt(bench.host, 'default', 1)).life.kind === 'ended', 'its end');
    expect((await again({ victim: null, before: ['touch made-here'] })).attempt.number).toBe(2);
    expect(existsSync(bench.path('made-here'))).toBe(true);
  });

  it('ends no other server for a start that is refused, but the attempt itself where it is given by its pid', async () => {
    const first = await firstAttempt();
    const { attempt: other } = await relaunch(bench.host, {
      name: 'other',
      victim: null,
      spec: launchSpec({ command: sleeper, cwd: bench.folder }),
    });
    bench.adopt(other.pid);
    const byPid = ({ pid, startTicks, bootId }: typeof first) => ({ pid, startTicks, bootId });
    const refused = again({ victim: byPid(other) });
    await expect(refused).rejects.toMatchObject({ code: 'already-running', exitCode: 2 });
    await expect(refused).rejects.toThrow(`Attempt 1 of "default" runs as pid ${first.pid}`);
    expect([first, other].map(({ pid }) => isAlive(pid))).toEqual([true, true]);
    expect(checklist()).toEqual([]);
    expect(readdirSync(bench.path('state/firedup/default'))).toEqual(['1']);

    const { attempt } = await again({ victim: byPid(first) });
    expect([first, other, attempt].map(({ pid }) => isAlive(pid))).toEqual([false, true, true]);
  });

  it('tells all that a step said, and stops at a script that fails, of which no file is left behind', async () => {
    await firstAttempt();
    mkdirSync(bench.path('tmp'));
    process.env.TMPDIR = bench.path('tmp');
    try {
      const told: string[] = [];
      const script = bench.write(
        'patch.py',
        `#!${python}\nimport os\nprint("in", os.getcwd())\nprint("it's")\n`,
      );
      await again({ before: [`@${script}`], onBefore: ({ output }) => told.push(output) });
      expect(told).toEqual([`in ${bench.folder}\nit's\n`]);
      const failing = again({ before: [`@${bench.write('no.sh', 'echo bad luck; exit 3')}`] });
      await expect(failing).rejects.toMatchObject({ code: 'before-failed' });
      await expect(failing).rejects.toThrow('bad luck');
      expect(readdirSync(bench.path('tmp'))).toEqual([]);
    } finally {
      delete process.env.TMPDIR;
    }
  });

  it('stops at a command that fails: nothing is started', async () => {
    await firstAttempt();
    const pending = again({ before: ['echo why it failed; exit 3', 'touch never'] });
    await expect(pending).rejects.toMatchObject({ code: 'before-failed' });
    await expect(pending).rejects.toThrow('why it failed');
    await expect(pending).rejects.toThrow('status 3');
    const long = again({ before: ['echo one\necho two; exit 4\n'] });
    await expect(long).rejects.toThrow('status 4: echo one (and 1 more line)\none\ntwo');
    expect(existsSync(bench.path('never'))).toBe(false);
    expect((await readAttempt(bench.host, 'default', 'latest')).attempt.number).toBe(1);
    expect(checklist().at(-1)).toBe('before failed');
  });

  it('tells of a refused start as a failed step', async () => {
    await firstAttempt();
    const { spec } = await readAttempt(bench.host, 'default', 1);
    const pending = again({ spec: { ...spec, cwd: '/no/such/folder' } });
    await expect(pending).rejects.toMatchObject({ code: 'cwd-missing' });
    expect(steps.at(-1)).toMatchObject({ step: 'start', status: 'failed' });
  });

  it('waits until the GPUs have given the memory of these processes back', async () => {
    const first = await firstAttempt();
    // Three more times after the process has gone; a stranger stays.
    nvidiaSmi(`
case $1 in --query-gpu*) exit ;; esac
echo 999999, GPU-1, 500
echo call >>"${bench.path('calls')}"
[ "$(wc -l <"${bench.path('calls')}")" -gt 3 ] || echo "${first.pid}, GPU-0, 70000"`);
    const { attempt } = await again();
    expect(attempt.number).toBe(2);
    expect(readFileSync(bench.path('calls'), 'utf8').split('\n')).toHaveLength(5);
    expect(steps.find(({ step, status }) => step === 'gpus-free' && status === 'done')?.text).toContain(
      'given',
    );
  });

  it('stops when they do not, and says who holds how much', async () => {
    const first = await firstAttempt();
    nvidiaSmi(`case $1 in --query-gpu*) exit ;; esac
echo "${first.pid}, GPU-0, 70000"; echo "${first.pid}, GPU-1, [N/A]"`);
    const pending = again({ gpuLimitMs: 100 });
    await expect(pending).rejects.toMatchObject({ code: 'gpus-held', exitCode: 7 });
    await expect(pending).rejects.toThrow(new RegExp(`pid ${first.pid} \\(\\w+, 70000 MiB\\)`));
    expect(checklist().at(-1)).toBe('gpus-free failed');
  });

  it('goes on when the GPUs cannot be asked', async () => {
    await firstAttempt();
    nvidiaSmi(
      'echo "NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver."; exit 9',
    );
    expect((await again()).attempt.number).toBe(2);
    expect(steps.find(({ step, status }) => step === 'gpus-free' && status === 'done')?.text).toContain(
      'has failed',
    );
  });

  it('puts no value of the environment on a command line', async () => {
    await firstAttempt();
    await again({
      before: ['tr "\\0" " " </proc/$$/cmdline; cat /proc/[0-9]*/cmdline | tr "\\0" " " > all'],
    });
    expect(readFileSync(bench.path('all'), 'utf8')).not.toContain('private-word');
  });
});
