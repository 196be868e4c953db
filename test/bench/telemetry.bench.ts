import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type ScriptOptions, scriptCommand } from '../../src/remote/script.js';
import { shells } from '../remote/shells.js';
import { endProcess, pids, statOf } from '../support/processes.js';
import { report } from './figures.js';

const seconds = 60;
const processCount = 12;
const nonce = 'c0ffee00c0ffee00';

/**
 * What follower and telemetry cost on the host: CPU time of their shells and of all that they start, but for the GPU
 * tool, and what they write, by /proc. Eight GPUs whose figures change with each call, and twelve processes that read.
 */
describe.each(shells)('on the host, with $name', ({ command }) => {
  it('in CPU time and bytes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'firedup-bench-'));
    const children: ChildProcess[] = [];
    try {
      const tool = join(folder, 'nvidia-smi');
      writeFileSync(tool, nvidiaSmi);
      chmodSync(tool, 0o755);
      const log = join(folder, 'server.log');
      writeFileSync(log, '');
      const spent = join(folder, 'spent');
      writeFileSync(spent, '');
      const env = { ...process.env, FAKE_SMI_SPENT: spent, PATH: `${folder}:${process.env.PATH}` };
      const tree = spawn('bash', ['-c', `for i in {2..${processCount}}; do ${reader} & done; ${reader}`], {
        stdio: 'ignore',
        detached: true,
      });
      children.push(tree);
      const options: ScriptOptions = { shell: command.join(' ') };
      const scripts = {
        telemetry: scriptCommand('telemetry', [nonce, '1', '2', String(tree.pid)], options),
        follower: scriptCommand('follow', [nonce, log, '-', '0', '0'], options),
      };
      const runs = Object.entries(scripts).map(([name, line]) => {
        const child = spawn('sh', ['-c', line], { env, detached: true });
        const bytes = { count: 0, writes: 0 };
        const count = (piece: Buffer): void => {
          bytes.count += piece.length;
          bytes.writes += 1;
        };
        child.stdout.on('data', count);
        child.stderr.on('data', count);
        children.push(child);
        return { name, child, bytes };
      });
      const beats = setInterval(() => {
        for (const { child } of runs) child.stdin.write('.\n');
        // A line now and then, as a server writes.
        appendFileSync(log, `${new Date().toISOString()} a line of the log\n`);
      }, 8000);
      await sleep(10_000);
      const before = runs.map(({ child, bytes }) => ({
        ms: cpuMs(child.pid ?? 0),
        toolMs: spentMs(spent),
        ...bytes,
      }));
      await sleep(seconds * 1000);
      const figures = runs.map(({ name, child, bytes }, place) => {
        const start = before[place] ?? expect.fail();
        const toolMs = name === 'telemetry' ? spentMs(spent) - start.toolMs : 0;
        return {
          name,
          percent: (cpuMs(child.pid ?? 0) - start.ms - toolMs) / (seconds * 10),
          bytesPerSecond: (bytes.count - start.count) / seconds,
          packetsPerSecond: (bytes.writes - start.writes) / seconds,
        };
      });
      clearInterval(beats);
      for (const { name, percent, bytesPerSecond, packetsPerSecond } of figures) {
        report(`${command.join(' ')}: ${name}`, {
          'CPU (% of a core)': percent,
          'KiB/s': bytesPerSecond / 1024,
          // SSH's length, padding and MAC, and TCP/IP, for each piece.
          'KiB/s on the wire, about': (bytesPerSecond + packetsPerSecond * 100) / 1024,
        });
        expect(bytesPerSecond).toBeGreaterThan(name === 'telemetry' ? 100 : 0);
      }
      report(`${command.join(' ')}: both`, {
        'CPU (% of a core)': figures.reduce((sum, { percent }) => sum + percent, 0),
        'KiB/s': figures.reduce((sum, { bytesPerSecond }) => sum + bytesPerSecond, 0) / 1024,
      });
    } finally {
      for (const { pid = 0 } of children) killSession(pid);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const reader = '(while :; do read -rN 65536 _ </dev/urandom; sleep 0.3; done)';

const nvidiaSmi = `#!/bin/sh
read -r up _ </proc/uptime
seed=\${up#*.}
case "$1" in
--query-gpu=*) i=0
  while [ $i -lt 8 ]; do
    echo "$i, GPU-5c89852c-1111-2222-3333-44444444444$i, NVIDIA H200, 00000000:\${i}B:00.0, 143771, 700.00, Disabled, 981$seed, 1\${seed#?}, 4$i, 35$i.$seed"
    i=$((i + 1))
  done ;;
*) i=0
  while [ $i -lt 8 ]; do echo "GPU-5c89852c-1111-2222-3333-44444444444$i, 471$i, 981$seed"; i=$((i + 1)); done ;;
esac
read -r nanoseconds _ </proc/$$/schedstat
echo "$nanoseconds" >>"$FAKE_SMI_SPENT"
`;

interface Stat {
  readonly pid: number;
  readonly session: number;
  /** Own time, and of children that have ended. */
  readonly ms: number;
}

/** CPU time of all in the session, with that of what has ended in it (ms). */
const cpuMs = (session: number): number => ofSession(session).reduce((sum, { ms }) => sum + ms, 0);

/** What the GPU tool has spent by itself, by its own account (ms). */
const spentMs = (file: string): number =>
  readFileSync(file, 'utf8')
    .split('\n')
    .reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1e6, 0);

const ofSession = (session: number): readonly Stat[] =>
  pids().flatMap((pid) => {
    const words = statOf(pid)?.map(Number);
    if (words?.[3] !== session) return [];
    const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + (words[place] ?? 0), 0);
    return [{ pid, session, ms: ticks * 10 }];
  });

function killSession(session: number): void {
  for (const { pid } of ofSession(session)) endProcess(pid);
}
