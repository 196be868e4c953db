import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageFile } from '../../src/package-file.js';
import { type LinkProxy, startLinkProxy } from '../support/link-proxy.js';
import { type Sshd, startSshd } from '../support/sshd.js';
import { startTail } from '../support/tail.js';
import { writeBigLog } from './big-log.js';
import { median, quantile, report } from './figures.js';

const lines = 1_300_000;
const newest = 'the newest line of all';

describe('a log of 200 MB, over SSH on loopback', () => {
  let sshd: Sshd;
  let proxy: LinkProxy;
  let folder: string;
  let log: string;
  let config: string;
  let bytes = 0;

  beforeAll(async () => {
    sshd = await startSshd();
    proxy = await startLinkProxy(sshd.port);
    folder = mkdtempSync(join(tmpdir(), 'firedup-bench-'));
    log = join(folder, 'server.log');
    bytes = writeBigLog(log, lines) + newest.length + 1;
    appendFileSync(log, `${newest}\n`);
    config = sshd.sshConfig(
      'Host box',
      '  HostName 127.0.0.1',
      `  Port ${sshd.port}`,
      'Host slow',
      '  HostName 127.0.0.1',
      `  Port ${proxy.port}`,
      `  HostKeyAlias [127.0.0.1]:${sshd.port}`,
    );
  });

  afterAll(async () => {
    await proxy.stop();
    await sshd.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('comes whole by tail', async () => {
    const began = performance.now();
    let last = began;
    let length = 0;
    const tail = startTail(['box', '-F', config, '--log', log, '-n', '+1', '--until-exit'], {
      onBytes(part) {
        length += part.length;
        last = performance.now();
      },
    });
    await tail.ended(300_000);
    report('firedup tail, the whole log', { MB: length / 1e6, 'MB/s': length / 1e3 / (last - began) });
    expect(length).toBe(bytes);
  });

  it('is on screen at once, and keys are answered while it is read', async () => {
    const seen = await watchIt('box', 400);
    report('firedup watch, newest line on screen (ms)', { 'from the start': seen.newestMs });
    report('firedup watch, the whole log read', { 'MB/s': seen.bytesPerSecond / 1e6 });
    report('key → answer meanwhile (ms)', {
      median: median(seen.answersMs),
      p99: quantile(seen.answersMs, 0.99),
      max: Math.max(...seen.answersMs),
      n: seen.answersMs.length,
    });
    expect(seen.answersMs.length).toBeGreaterThan(0);
  });

  it('is on screen at once over a link of 1 MB/s', async () => {
    proxy.throttle(1_000_000);
    const seen = await watchIt('slow', 20);
    report('the same at 1 MB/s, newest line (ms)', { 'from the start': seen.newestMs });
    expect(seen.newestMs).toBeGreaterThan(0);
  });

  /** Watches the log on a terminal that util-linux's `script` makes, and presses keys until it is read. */
  async function watchIt(host: string, presses: number) {
    const command = `stty cols 120 rows 40; exec '${process.execPath}' '${packageFile('bin/firedup.js')}' watch ${host} -F '${config}' --log '${log}'`;
    const began = performance.now();
    const child = spawn('script', ['-qfec', command, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm-256color', HOME: folder, XDG_CONFIG_HOME: folder },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let output = '';
    /** The share of the log that was read, as the title said it first and last, and when. */
    const shares: { readonly percent: number; readonly at: number }[] = [];
    child.stdout.on('data', (part: Buffer) => {
      output = (output + part.toString('utf8')).slice(-200_000);
      const said = [...part.toString('utf8').matchAll(/(\d+) % of the log read/g)].at(-1)?.[1];
      if (said !== undefined) shares.push({ percent: Number(said), at: performance.now() });
    });
    const shown = async (text: string, limitMs = 60_000): Promise<number> => {
      const end = performance.now() + limitMs;
      while (!output.includes(text)) {
        if (performance.now() > end) throw new Error(`"${text}" never came:\n${output.slice(-3000)}`);
        await pause(1);
      }
      return performance.now();
    };
    try {
      const newestMs = (await shown(newest)) - began;
      const answersMs: number[] = [];
      while (answersMs.length < presses && performance.now() - (shares.at(-1)?.at ?? 0) < 1500) {
        for (const [key, answer] of [
          ['?', 'a page down'],
          ['q', newest],
        ] as const) {
          await pause(20 + 60 * Math.random());
          output = '';
          const pressed = performance.now();
          child.stdin.write(key);
          answersMs.push((await shown(answer)) - pressed);
        }
      }
      const [first, last] = [shares[0], shares.at(-1)];
      const bytesPerSecond =
        first && last ? (1e3 * bytes * (last.percent - first.percent)) / 100 / (last.at - first.at) : 0;
      return { newestMs, answersMs, bytesPerSecond };
    } finally {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      // It gives the terminal back on a signal as well, whatever is open.
      child.kill('SIGTERM');
      await ended;
    }
  }
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
