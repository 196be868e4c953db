import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLinkProxy } from '../support/link-proxy.js';
import { startedBy } from '../support/processes.js';
import { startSshd } from '../support/sshd.js';
import { startTail } from '../support/tail.js';
import { until } from '../support/until.js';
import { breaks, type Fault, inflict, randomFrom } from './faults.js';
import { startLogWriter } from './log-writer.js';

export interface Torment {
  readonly seed: number;
  readonly faults: number;
  readonly lines: number;
  readonly linesPerSecond: number;
  readonly rotations: number;
  /** How many of a hundred faults are black holes, which take about 10 s each to be noticed. */
  readonly holesPerHundred: number;
  /** How long after the end nothing of ours may be left on the host (ms). */
  readonly leftAfterMs: number;
  /** What the log holds at the start (bytes); nothing by default. */
  readonly oldBytes?: number;
  /** `MaxSessions` of the server; 10 by default. */
  readonly sessions?: number;
  readonly transport?: 'ssh' | 'ssh2';
}

export interface TormentResult {
  readonly faults: number;
  readonly broken: number;
  readonly lines: number;
  readonly bytes: number;
  readonly rotations: number;
  readonly connections: number;
  readonly seconds: number;
  readonly written: string;
  readonly received: string;
  readonly receivedBytes: number;
  /** Gaps that were reported on stderr. */
  readonly gaps: readonly string[];
  /** Command lines of processes of ours that are left on the host. */
  readonly left: readonly string[];
  /** The most such processes at any time: what one connection has, and not a pile. */
  readonly most: number;
}

/**
 * `firedup tail -n +1` over a link that is made bad again and again at random moments, while a log is written and
 * rotated: at most one rotation an outage.
 */
export async function torment(options: Torment): Promise<TormentResult> {
  const random = randomFrom(options.seed);
  const began = performance.now();
  const sshd = await startSshd({
    config: ['MaxStartups 100', 'LoginGraceTime 20', `MaxSessions ${options.sessions ?? 10}`],
  });
  const proxy = await startLinkProxy(sshd.port);
  const folder = mkdtempSync(join(tmpdir(), 'firedup-soak-'));
  const path = join(folder, 'server.log');
  const config = sshd.configBehind(proxy);
  const hash = createHash('sha256');
  const writer = startLogWriter({ ...options, path });
  const tail = startTail(
    ['box', '-F', config, '--transport', options.transport ?? 'ssh2', '--log', path, '-n', '+1'],
    {
      onBytes: (bytes) => hash.update(bytes),
    },
  );
  let faults = 0;
  let broken = 0;
  let most = 0;
  try {
    await tail.waitForBytes(1);
    writer.allowRotation();
    while (faults < options.faults) {
      await pause(50 + random() * 700);
      const fault = pick(random, options.holesPerHundred);
      const connections = proxy.connections;
      const received = tail.length();
      const noticedBefore = notices(tail.stderr());
      inflict(proxy, fault, random);
      faults += 1;
      // Before the first fault of an outage is over, at most one rotation.
      writer.allowRotation();
      await pause(breaks(fault) ? random() * 300 : random() * 1500);
      most = Math.max(most, startedBy(sshd).length);
      if (!breaks(fault)) {
        proxy.restore();
        continue;
      }
      broken += 1;
      if (fault === 'refuse') proxy.refuse(false);
      const noticed = () => notices(tail.stderr()) > noticedBefore;
      if (fault === 'blackhole')
        await until(
          () => proxy.connections > connections || noticed(),
          'the link is given up or opened again',
          40_000,
        );
      proxy.restore();
      await until(() => proxy.connections > connections, 'the link is opened again', 60_000);
      // Sometimes the next fault hits the login, mostly it waits until the log flows again.
      if (random() < 0.8)
        await until(
          () => tail.length() > received || writer.bytes() === tail.length(),
          'the log flows again',
          60_000,
        );
    }
    writer.allowRotation();
    const allowing = setInterval(() => writer.allowRotation(), 200);
    await writer.done;
    clearInterval(allowing);
    await until(() => tail.length() >= writer.bytes(), 'all of the log has come', 120_000);
    tail.signal('SIGINT');
    await tail.ended();
    await until(() => startedBy(sshd).length === 0, 'nothing is left on the host', options.leftAfterMs).catch(
      () => {},
    );
    return {
      faults,
      broken,
      lines: writer.lines(),
      bytes: writer.bytes(),
      rotations: writer.rotations(),
      connections: proxy.connections,
      seconds: (performance.now() - began) / 1000,
      written: writer.digest(),
      received: hash.digest('hex'),
      receivedBytes: tail.length(),
      gaps: tail.stderr().match(/.*gap of.*/g) ?? [],
      left: startedBy(sshd),
      most,
    };
  } catch (error) {
    throw new Error(
      `${String(error)} after ${faults} faults; written ${writer.bytes()}, received ${tail.length()}; ${tail.stderr().slice(-2000)}`,
    );
  } finally {
    writer.stop();
    await tail.stop();
    await proxy.stop();
    await sshd.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function pick(random: () => number, holesPerHundred: number): Fault {
  if (random() * 100 < holesPerHundred) return 'blackhole';
  const kinds = ['cut', 'reset', 'throttle', 'delay', 'refuse', 'cut', 'reset'] as const;
  return kinds[Math.floor(random() * kinds.length)] ?? 'cut';
}

/** How often a silent link was given up. */
const notices = (stderr: string): number => stderr.match(/nothing heard for/g)?.length ?? 0;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
