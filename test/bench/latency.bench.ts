import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firedup, stopPrograms } from '../support/program.js';
import { type Sshd, startSshd } from '../support/sshd.js';
import { median, quantile, report } from './figures.js';

const rounds = 20;
const loops = 6;

const opening = [
  "[2026-03-01 12:00:00] server_args=ServerArgs(model_path='/models/demo', tp_size=1, port=30000)",
  '[2026-03-01 12:00:02 TP0] Load weight begin. avail mem=140.00 GB',
].join('\n');
const crash = [
  '[2026-03-01 12:00:09 TP0] Scheduler hit an exception: Traceback (most recent call last):',
  '  File "/opt/sglang/srt/managers/scheduler.py", line 2000, in run_scheduler_process',
  'RuntimeError: something broke\n',
].join('\n');

/** The classic loop of `ssh`, `grep` and `sleep 15`; prints when it has seen the crash. */
const classic = `
while :; do
  if "$SSH" -F "$CONFIG" box "grep -qiE 'RuntimeError|Traceback' '$LOG'"; then echo seen; exit 0; fi
  sleep 15
done`;

describe('from the crash line to the verdict, over SSH', () => {
  let sshd: Sshd;
  let folder: string;

  beforeAll(async () => {
    sshd = await startSshd();
    folder = mkdtempSync(join(tmpdir(), 'firedup-bench-'));
  });

  afterAll(async () => {
    await stopPrograms();
    await sshd.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('beside the classic loop', async () => {
    const config = sshd.sshConfig('Host box', '  HostName 127.0.0.1');
    const looped = Promise.all(Array.from({ length: loops }, (_, index) => classicLoop(index, config)));
    const samples: number[] = [];
    for (let round = 0; round < rounds; round += 1) samples.push(await firedupWait(round, config));
    const loopSamples = await looped;
    report('firedup: crash line → verdict (ms)', {
      median: median(samples),
      p99: quantile(samples, 0.99),
      n: samples.length,
    });
    report('classic loop, sleep 15 (ms)', {
      median: median(loopSamples),
      max: Math.max(...loopSamples),
      n: loops,
    });
    report('ratio of the medians', { loop: median(loopSamples) / median(samples) });
    expect(samples).toHaveLength(rounds);
  });

  /** Ms from the write of the crash to the line that tells it. */
  async function firedupWait(round: number, config: string): Promise<number> {
    const log = join(folder, `firedup-${round}.log`);
    writeFileSync(log, `${opening}\n`);
    const holder = spawn('sh', ['-c', 'exec sleep 600 >>"$0"', log], { stdio: 'ignore' });
    const program = firedup(['wait', 'box', '-F', config, '--log', log]);
    await program.waitFor(/phase\s+Load weights/);
    await program.waitFor(/is alive/);
    await pause(200 + 400 * Math.random());
    const written = Date.now();
    appendFileSync(log, crash);
    const said = await program.waitFor(/verdict\s+CRASHED/);
    holder.kill('SIGKILL');
    await program.ended();
    return said.at - written;
  }

  async function classicLoop(index: number, config: string): Promise<number> {
    const log = join(folder, `classic-${index}.log`);
    writeFileSync(log, `${opening}\n`);
    const loop = spawn('sh', ['-c', classic], {
      env: { ...process.env, LOG: log, CONFIG: config, SSH: 'ssh' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const seen = new Promise<number>((resolve) => loop.stdout.once('data', () => resolve(Date.now())));
    await pause(1000 + 14_000 * Math.random());
    const written = Date.now();
    appendFileSync(log, crash);
    return (await seen) - written;
  }
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
