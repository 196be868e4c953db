import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import { isFinal } from '../../src/host/failures.js';
import type { Host, LinkLoss } from '../../src/host/host.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { available } from '../support/available.js';
import { type LinkProxy, startLinkProxy } from '../support/link-proxy.js';
import { type Sshd, startSshd } from '../support/sshd.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('a link that goes', () => {
  let sshd: Sshd;
  let proxy: LinkProxy;
  let host: Host;
  let lost: Promise<{ readonly loss: LinkLoss; readonly afterMs: number }>;
  let since: number;

  beforeEach(async () => {
    sshd = await startSshd();
    proxy = await startLinkProxy(sshd.port);
    const config = sshd.configBehind(proxy);
    host = await connectHost({ label: 'box', configFile: config }, { prompts: noPrompts });
    since = performance.now();
    lost = new Promise((resolve) => {
      host.onDown((loss) => resolve({ loss, afterMs: performance.now() - since }));
    });
  });
  afterEach(async () => {
    await host.close();
    await proxy.stop();
    await sshd.stop();
  });

  async function expectAllOver(running: Awaited<ReturnType<Host['exec']>>) {
    running.stdout.resume();
    running.stderr.resume();
    expect(await running.exited).toEqual({ code: null, signal: null, lost: true });
    const refused = await host.exec('true').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'link-lost', exitCode: 5 });
    expect(isFinal(refused)).toBe(false);
    await expect(host.forward(sshd.port)).rejects.toMatchObject({ code: 'link-lost' });
    // Writing into what is gone neither throws nor waits for ever.
    await new Promise((resolve) => running.stdin.write('x', resolve));
  }

  it('is reported when the other side closes it', async () => {
    const running = await host.exec('cat');
    proxy.cut();
    expect((await lost).loss.reason).toBe('the host closed it');
    await expectAllOver(running);
  });

  it('is reported when it is reset', async () => {
    const running = await host.exec('cat');
    proxy.reset();
    expect((await lost).loss.reason).toBe('connection reset');
    await expectAllOver(running);
  });

  it('is found dead by its silence when nothing comes any more, with calls under way', async () => {
    const running = await host.exec('cat');
    since = performance.now();
    proxy.blackhole();
    const asked = run(host, 'echo never').catch((error: unknown) => error);
    const { loss, afterMs } = await lost;
    expect(loss.reason).toMatch(/^nothing heard for \d+ s$/);
    // After 8 s, and the time that a busy machine takes to look.
    expect(afterMs).toBeLessThan(20_000);
    expect(await asked).toMatchObject({ code: 'link-lost' });
    await expectAllOver(running);
  });

  it('is found dead sooner where ServerAliveInterval and CountMax say so', async () => {
    const config = sshd.sshConfig(
      'Host quick',
      '  HostName 127.0.0.1',
      `  Port ${proxy.port}`,
      `  HostKeyAlias [127.0.0.1]:${sshd.port}`,
      '  ServerAliveInterval 1',
      '  ServerAliveCountMax 3',
    );
    const quick = await connectHost({ label: 'quick', configFile: config }, { prompts: noPrompts });
    const gone = new Promise<LinkLoss>((resolve) => quick.onDown(resolve));
    proxy.blackhole();
    // The other connection of this test, without the options, takes eight seconds.
    const first = await Promise.race([gone.then(() => 'quick'), lost.then(() => 'other')]);
    expect(first).toBe('quick');
    await quick.close();
  });

  it('is not called dead while it is slow and busy', async () => {
    proxy.throttle(60_000);
    // 12 s of output at this rate: longer than the silence that the watchdog allows.
    const done = await run(host, 'head -c 720000 /dev/zero | tr "\\0" z', { timeoutMs: 60_000 });
    expect(done.stdout).toHaveLength(720_000);
  });

  it('is not called dead at 2 KiB/s, with a session beside the one that fills it', async () => {
    const beside = await host.exec('cat');
    beside.stdout.resume();
    beside.stderr.resume();
    proxy.throttle(2048);
    // 12 s at this rate; hex digits of noise, so that no layer below packs them.
    const done = await run(host, 'head -c 12288 /dev/urandom | od -An -v -tx1 | tr -d " \\n"', {
      timeoutMs: 60_000,
    });
    expect(done.stdout).toHaveLength(24_576);
    proxy.throttle(null);
    beside.stdin.end();
    expect((await beside.exited).code).toBe(0);
  });

  it('works over a long way', async () => {
    proxy.delay(100);
    const done = await Promise.all(Array.from({ length: 4 }, (_, i) => run(host, `echo ${i}`)));
    expect(done.map(({ stdout }) => stdout.trim())).toEqual(['0', '1', '2', '3']);
  });

  it('is not called dead because this process was stopped for a while', async () => {
    // What is on its way arrives first, and with the delay no answer is here before the watchdog looks again:
    // it sees nine silent seconds.
    proxy.delay(300);
    await run(host, 'true');
    await pause(1000);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 9000);
    expect((await run(host, 'echo alive')).stdout).toBe('alive\n');
  });

  it('says nothing on a close of our own', async () => {
    let told = false;
    host.onDown(() => {
      told = true;
    });
    await host.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toBe(false);
  });

  it('tells nobody who has unsubscribed', async () => {
    let told = false;
    const off = host.onDown(() => {
      told = true;
    });
    off();
    proxy.cut();
    await lost;
    expect(told).toBe(false);
  });
});
