import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, unlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchSpec } from '../../../src/core/launch-spec.js';
import { listAttempts, readAttempt } from '../../../src/runtime/actions/attempts.js';
import { launchCommand } from '../../../src/runtime/actions/launch.js';
import { until } from '../../support/until.js';
import { isAlive, python, type Workbench, workbench } from './support/workbench.js';

const canMount =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

describe.skipIf(!canMount)('a full disk (needs root, to mount a small tmpfs)', () => {
  let bench: Workbench;
  let disk: string;
  beforeEach(() => {
    bench = workbench();
    disk = bench.path('disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', disk]);
  });
  afterEach(async () => {
    // The supervisor may be about to leave.
    await until(
      () => spawnSync('umount', [disk]).status === 0 || spawnSync('umount', ['-l', disk]).status === 0,
      'the disk to be free',
    );
    await bench.close();
  });

  const fill = () => spawnSync('dd', ['if=/dev/zero', `of=${disk}/filler`, 'bs=4096']);
  const sleeper = [python, '-c', 'import time; time.sleep(300)'];
  const launch = (log: string | null) =>
    launchCommand(bench.host, {
      name: 'default',
      spec: launchSpec({ command: sleeper, cwd: bench.folder, log }),
    });

  it('is refused before the launch where the log is to be, and nothing is left behind', async () => {
    fill();
    const pending = launch(`${disk}/server.log`);
    await expect(pending).rejects.toMatchObject({ code: 'no-space' });
    await expect(pending).rejects.toThrow(disk);
    expect(await listAttempts(bench.host, 'default')).toEqual([]);
  });

  it('is refused where the state folder is', async () => {
    process.env.XDG_STATE_HOME = `${disk}/state`;
    mkdirSync(`${disk}/state/firedup/default`, { recursive: true });
    fill();
    await expect(launch(null)).rejects.toMatchObject({ code: 'no-space' });
    unlinkSync(`${disk}/filler`);
    expect(await listAttempts(bench.host, 'default')).toEqual([]);
    expect(existsSync(`${disk}/state/firedup/default/1`)).toBe(false);
  });

  it('that fills later does not lose how the command ended', async () => {
    process.env.XDG_STATE_HOME = `${disk}/state`;
    const attempt = await launch(bench.path('server.log'));
    bench.adopt(attempt.pid);
    fill();
    process.kill(attempt.pid, 'SIGKILL');
    await until(() => !isAlive(attempt.pid), 'its end');
    const record = await until(async () => {
      const read = await readAttempt(bench.host, 'default', 1);
      return read.life.kind === 'ended' && read;
    }, 'the recorded end');
    expect(record.life).toMatchObject({ exit: { signal: 'SIGKILL' } });
    expect(readFileSync(bench.path('server.log'), 'utf8')).toBe('');
  });

  it('is why the end is unknown where even the reserved place was lost, and that is said', async () => {
    process.env.XDG_STATE_HOME = `${disk}/state`;
    const attempt = await launch(bench.path('server.log'));
    bench.adopt(attempt.pid);
    unlinkSync(`${attempt.folder}/exit.reserved`);
    unlinkSync(`${attempt.folder}/start`);
    fill();
    process.kill(attempt.pid, 'SIGKILL');
    await until(() => !isAlive(attempt.pid), 'its end');
    const record = await until(async () => {
      const read = await readAttempt(bench.host, 'default', 1);
      return read.life.kind !== 'running' && read;
    }, 'the look after it');
    expect(record.life).toEqual({ kind: 'unknown', reason: 'the disk of its folder is full' });
  });
});
