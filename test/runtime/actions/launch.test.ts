import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listAttempts, readAttempt } from '../../../src/runtime/actions/attempts.js';
import { launchCommand } from '../../../src/runtime/actions/launch.js';
import { type LaunchSpec, launchSpec } from '../../../src/runtime/actions/launch-spec.js';
import {
  commandLines,
  content,
  isAlive,
  startTicksOf,
  until,
  type Workbench,
  workbench,
} from './support/workbench.js';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.close());

async function launch(spec: Partial<LaunchSpec> & Pick<LaunchSpec, 'command'>, name = 'default') {
  const attempt = await launchCommand(bench.host, { name, spec: launchSpec({ cwd: bench.folder, ...spec }) });
  bench.adopt(attempt.pid);
  return attempt;
}

const ended = async (number: number, name = 'default') =>
  until('the end to be recorded', () => existsSync(bench.path(`state/firedup/${name}/${number}/exit`))).then(
    async () => (await readAttempt(bench.host, name, number)).life,
  );

describe('a launch', () => {
  it('runs the argv without a shell, and tells the pid of the command itself, leader of its own session', async () => {
    const attempt = await launch({
      command: ['python3', '-c', 'import time; time.sleep(60)', '$(touch no)', "it's"],
    });
    expect(attempt).toMatchObject({ number: 1, name: 'default', startTicks: startTicksOf(attempt.pid) });
    const words = await until('the command', () => {
      const line = readFileSync(`/proc/${attempt.pid}/cmdline`, 'utf8').split('\0');
      return line.includes('$(touch no)') && line;
    });
    expect(words.slice(-3)).toEqual(['$(touch no)', "it's", '']);
    const stat = readFileSync(`/proc/${attempt.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    expect([Number(stat[2]), Number(stat[3])]).toEqual([attempt.pid, attempt.pid]);
    expect((await readAttempt(bench.host, 'default', 1)).life).toEqual({ kind: 'running' });
  });

  it('writes stdout and stderr into one log in the folder of the attempt, which nobody else may enter', async () => {
    const attempt = await launch({ command: ['sh', '-c', 'echo out; echo err >&2'] });
    await ended(1);
    expect(readFileSync(attempt.log, 'utf8')).toBe('out\nerr\n');
    expect(attempt.log).toBe(`${attempt.folder}/log`);
    expect(statSync(attempt.folder).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(attempt.folder))
      expect(statSync(`${attempt.folder}/${file}`).mode & 0o077).toBe(0);
  });
});
