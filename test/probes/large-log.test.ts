import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { initialState } from '../../src/core/initial.js';
import type { State } from '../../src/core/state.js';
import { connectHost } from '../../src/host/connect.js';
import type { Host } from '../../src/host/host.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { createLineSplitter } from '../../src/ingest/split-lines.js';
import { createLogProbe } from '../../src/probes/log.js';
import { createStore } from '../../src/runtime/store.js';
import { createReading, readAll } from '../../src/triage/reading.js';
import { readyRun, watchTarget } from '../core/fold.js';
import { available } from '../support/available.js';
import { type LinkProxy, startLinkProxy } from '../support/link-proxy.js';
import { startSshd } from '../support/sshd.js';
import { until } from '../support/until.js';
import { later, running, tempFolder } from './support.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('a large log over a slow link', () => {
  let proxy: LinkProxy;
  afterEach(() => proxy.restore());

  const bytesPerSecond = 1_000_000;

  /** A box behind the proxy, and its log of `megabytes` that grows by 20 lines a second. */
  async function box({ megabytes, sshdConfig = [] }: { megabytes: number; sshdConfig?: readonly string[] }) {
    const sshd = await startSshd({ config: sshdConfig });
    later(() => sshd.stop());
    proxy = await startLinkProxy(sshd.port);
    later(() => proxy.stop());
    const config = sshd.configBehind(proxy);
    const log = join(tempFolder(), 'server.log');
    writeFileSync(log, `${readyRun(0).join('\n')}\n${served(megabytes)}`);
    let written = 0;
    const write = () => appendFileSync(log, `live ${++written} é€😀\n`);
    const writing = setInterval(write, 50);
    later(() => clearInterval(writing));
    return {
      log,
      written: () => written,
      write,
      stopWriting: () => clearInterval(writing),
      async connect(transport: 'ssh' | 'ssh2' = 'ssh2'): Promise<Host> {
        const spec = { label: 'box', configFile: config, transport };
        const host = await connectHost(spec, { prompts: noPrompts });
        later(() => host.close());
        return host;
      },
    };
  }

  /** The state that the log alone makes. */
  function watch(log: string, shell?: string) {
    const target = watchTarget({ host: 'box', log });
    const store = createStore(
      initialState({ target, reading: createReading(), now: Date.now(), ringCapacity: 400_000 }),
      () => {},
    );
    store.dispatch({ type: 'link', at: Date.now(), link: { status: 'up' } });
    let aheads = 0;
    const gaps: string[] = [];
    store.subscribe((_, event) => {
      if (event.type === 'log-ahead' && event.change.kind === 'began') aheads += 1;
      if (event.type === 'log-file' && event.change.kind === 'gap') gaps.push('gap');
    });
    const probe = createLogProbe({
      path: log,
      emit: store.dispatch,
      now: Date.now,
      script: shell === undefined ? undefined : { shell },
    });
    return { state: store.state, probe, aheads: () => aheads, gaps };
  }

  const newest = ({ log }: State): string => log.ring.get(log.ring.end - 1)?.text ?? '';
  const newestNumber = (state: State): number => Number(/^live (\d+) /.exec(newest(state))?.[1] ?? 0);
  const isAhead = (state: State): boolean => state.log.ahead !== null;

  /** The same as a reading in order from the first byte: no line lost, doubled or under another number. */
  function expectWhole(state: State, log: string): void {
    const splitter = createLineSplitter();
    const lines = splitter.push(readFileSync(log));
    const { ring } = state.log;
    const kept = Array.from({ length: ring.end - ring.start }, (_, index) => ring.get(ring.start + index));
    const digest = (all: readonly ({ number: number | null; text: string } | undefined)[]) =>
      createHash('sha256')
        .update(all.map((line) => `${line?.number} ${line?.text}`).join('\n'))
        .digest('hex');
    expect(kept.length).toBe(lines.length);
    expect(digest(kept)).toBe(digest(lines));
    expect(state.reading.report()).toEqual(readAll(lines).report());
  }

  it.each([
    ['ssh2', 'ssh2', 10, 'sh', 30],
    ['the system ssh', 'ssh', 10, 'dash', 10],
    ['ssh2 with one session', 'ssh2', 1, 'bash', 8],
    ['ssh2 and busybox', 'ssh2', 10, 'busybox sh', 10],
  ] as const)(
    'shows its newest lines within 3 s of the link, and new ones at once, by %s',
    async (_, transport, sessions, shell, megabytes) => {
      const { log, written, connect, stopWriting } = await box({
        megabytes,
        sshdConfig: [`MaxSessions ${sessions}`],
      });
      const host = await connect(transport);
      const { state, probe } = watch(log, shell);
      // What has crossed the link tells the time on it, however busy this machine is.
      proxy.throttle(bytesPerSecond);
      const seconds = () => proxy.bytesDown / bytesPerSecond;
      const began = seconds();
      const { stop } = running((signal) => probe.run(host, signal));
      await until(() => newestNumber(state()) > 0, 'the newest line is there');
      expect(seconds() - began).toBeLessThan(3);
      expect(state().verdict.provisional).toBe(true);
      // New lines, and the answers of others, are not behind the backfill.
      for (let round = 0; round < 4; round += 1) {
        const wanted = written();
        const asked = seconds();
        const [{ stdout }] = await Promise.all([
          run(host, 'echo answered'),
          until(() => newestNumber(state()) >= wanted, 'a new line is there'),
        ]);
        expect(stdout).toBe('answered\n');
        expect(seconds() - asked).toBeLessThan(1.5);
      }
      expect(isAhead(state())).toBe(true);
      expect(state().log.offset).toBeLessThan(12e6);
      expect(state().log.ring.end).toBeLessThan(20_000);
      proxy.restore();
      await until(() => !isAhead(state()), 'the order has come as far');
      stopWriting();
      await until(() => newestNumber(state()) === written(), 'it has all of it');
      expectWhole(state(), log);
      await stop();
    },
  );

  it('goes on with end and middle after each of several cuts', async () => {
    const { log, written, connect, stopWriting } = await box({ megabytes: 12 });
    const { state, probe, aheads, gaps } = watch(log);
    for (const fault of ['cut', 'reset', 'cut'] as const) {
      const host = await connect();
      proxy.throttle(1_500_000);
      const { done } = running((signal) => probe.run(host, signal));
      const { offset } = state().log;
      const wanted = written();
      await until(
        () => newestNumber(state()) > wanted && state().log.offset > offset + 500_000,
        'end and middle go on',
      );
      expect(isAhead(state())).toBe(true);
      proxy[fault]();
      await expect(done).rejects.toThrow();
      await host.close();
      proxy.restore();
    }
    expect(aheads()).toBe(3);
    const host = await connect();
    const { stop } = running((signal) => probe.run(host, signal));
    await until(() => !isAhead(state()), 'the order has come as far');
    stopWriting();
    await until(() => newestNumber(state()) === written(), 'it has all of it');
    expectWhole(state(), log);
    expect(gaps).toEqual([]);
    await stop();
  });

  it('reads both files in order when it is rotated meanwhile', async () => {
    const { log, written, connect, stopWriting } = await box({ megabytes: 8 });
    const { state, probe } = watch(log);
    const host = await connect();
    proxy.throttle(1_500_000);
    const { stop } = running((signal) => probe.run(host, signal));
    await until(() => newestNumber(state()) > 0, 'the newest line is there');
    renameSync(log, `${log}.1`);
    const wanted = written() + 20;
    await until(() => newestNumber(state()) > wanted, 'lines of the next file are there');
    expect(isAhead(state())).toBe(true);
    proxy.restore();
    await until(() => !isAhead(state()), 'the order has come as far');
    stopWriting();
    await until(() => newestNumber(state()) === written(), 'it has all of it');
    const { ring } = state().log;
    const texts = Array.from({ length: ring.end }, (_, seq) => ring.get(seq)?.text ?? '');
    const whole = `${readFileSync(`${log}.1`, 'utf8')}── ${log} ──\n${readFileSync(log, 'utf8')}`;
    expect(texts.join('\n')).toBe(whole.trimEnd());
    await stop();
  });

  it('reads every file in order when it is rotated twice while the link is away, in the middle of it all', async () => {
    const { log, written, connect, stopWriting, write } = await box({ megabytes: 8 });
    const { state, probe, gaps } = watch(log);
    const first = await connect();
    proxy.throttle(1_500_000);
    const { done } = running((signal) => probe.run(first, signal));
    await until(() => newestNumber(state()) > 0 && state().log.offset > 500_000, 'end and middle are read');
    expect(isAhead(state())).toBe(true);
    proxy.cut();
    await expect(done).rejects.toThrow();
    await first.close();
    proxy.restore();
    renameSync(log, `${log}.2`);
    for (let n = 0; n < 50; n += 1) write();
    renameSync(log, `${log}.1`);
    write();
    const host = await connect();
    const { stop } = running((signal) => probe.run(host, signal));
    await until(() => !isAhead(state()), 'the order has come as far');
    stopWriting();
    await until(() => newestNumber(state()) === written(), 'it has all of it');
    const { ring } = state().log;
    const texts = Array.from({ length: ring.end }, (_, seq) => ring.get(seq)?.text ?? '');
    const between = `── ${log} ──\n`;
    const files = [`${log}.2`, `${log}.1`, log].map((path) => readFileSync(path, 'utf8'));
    expect(texts.join('\n')).toBe(files.join(between).trimEnd());
    expect(gaps).toEqual([]);
    await stop();
  });

  it('reads the new content from its first byte when it is truncated meanwhile', async () => {
    const { log, written, connect, stopWriting, write } = await box({ megabytes: 8 });
    const { state, probe } = watch(log);
    const host = await connect();
    proxy.throttle(1_500_000);
    const { stop } = running((signal) => probe.run(host, signal));
    await until(() => newestNumber(state()) > 0, 'the newest line is there');
    truncateSync(log);
    write();
    const wanted = written();
    await until(() => !isAhead(state()), 'there is nothing before the newest lines any more');
    stopWriting();
    await until(() => newestNumber(state()) === written(), 'it has all of it');
    expect(state().log.gaps).toBe(1);
    expect(newestNumber(state())).toBeGreaterThanOrEqual(wanted);
    const { ring } = state().log;
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    const last = Array.from({ length: lines.length }, (_, n) => ring.get(ring.end - lines.length + n)?.text);
    expect(last).toEqual(lines);
    await stop();
  });
});

/** What a server that is ready goes on to say, with a number of its own in every line. */
function served(megabytes: number): string {
  const lines: string[] = [];
  for (let bytes = 0, n = 0; bytes < megabytes * 1e6; n += 1) {
    const line = `[2026-03-01 13:00:00 TP0] Decode batch. #running-req: ${n}, #token: ${n * 7}, token usage: 0.${n % 100}, gen throughput (token/s): 410.22, #queue-req: 0 é€\n`;
    bytes += line.length;
    lines.push(line);
  }
  return lines.join('');
}
