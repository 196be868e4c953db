import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBigLog } from './big-log.js';
import { median, report } from './figures.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));
const lines = 1_000_000;
const rounds = 5;

describe('a log of a million lines', () => {
  let folder: string;
  let log: string;
  let bytes = 0;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-bench-'));
    log = join(folder, 'big.log');
    bytes = writeBigLog(log, lines);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is triaged in one pass, beside lnav filtering it', async () => {
    const withLnav = hasLnav();
    const ours: Usage[] = [];
    const theirs: Usage[] = [];
    // By turns, so that a busy machine is as hard on one as on the other.
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await usageOf(process.execPath, [bin, 'triage', log, '--json'], folder));
      if (withLnav) theirs.push(await usageOf('lnav', ['-n', '-c', ':filter-in TP3', log], folder));
    }
    const cpu = median(ours.map(({ cpuSeconds }) => cpuSeconds));
    report('triage of the log', { lines, MB: bytes / 1e6 });
    report('firedup triage', { ...figures(ours), 'million lines/s of CPU': lines / 1e6 / cpu });
    if (withLnav) {
      report('lnav -n, :filter-in', figures(theirs));
      report('ratio of the CPU times', {
        'firedup / lnav': cpu / median(theirs.map(({ cpuSeconds }) => cpuSeconds)),
      });
    } else {
      report('lnav -n, :filter-in', { 'not here': 'apt-get install lnav' });
    }
    expect(ours.map(({ code }) => code)).toEqual(ours.map(() => 1));
  });

  it('is packed with gzip, or checked against the rules', async () => {
    execFileSync('gzip', ['-1', '-k', log]);
    report('firedup triage of the packed log', figures([await triageOf(['triage', `${log}.gz`, '--json'])]));
    report('firedup engines check', figures([await triageOf(['engines', 'check', log, '--json'])]));
  });

  const triageOf = (args: readonly string[]): Promise<Usage> =>
    usageOf(process.execPath, [bin, ...args], folder);
});

interface Usage {
  readonly code: number;
  readonly cpuSeconds: number;
  readonly maxRssMb: number;
}

const figures = (usages: readonly Usage[]) => ({
  'CPU s (median)': median(usages.map(({ cpuSeconds }) => cpuSeconds)),
  'max RSS MB': Math.max(...usages.map(({ maxRssMb }) => maxRssMb)),
  n: usages.length,
});

/** What a command took, by the kernel's account of it (`wait4`, which Python gives us and Node does not). */
function usageOf(command: string, args: readonly string[], home: string): Promise<Usage> {
  const script = [
    'import os, resource, subprocess, sys',
    'code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL).returncode',
    'used = resource.getrusage(resource.RUSAGE_CHILDREN)',
    'print(code, used.ru_utime + used.ru_stime, used.ru_maxrss)',
  ].join('\n');
  const child = spawn('python3', ['-c', script, command, ...args], {
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      const [code = Number.NaN, cpuSeconds = Number.NaN, maxRssKb = Number.NaN] = said.split(' ').map(Number);
      resolve({ code, cpuSeconds, maxRssMb: maxRssKb / 1024 });
    });
  });
}

function hasLnav(): boolean {
  try {
    execFileSync('lnav', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
