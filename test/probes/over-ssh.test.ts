import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import type { Host } from '../../src/host/host.js';
import { noPrompts } from '../../src/host/prompts.js';
import { createHealthProbe } from '../../src/probes/health.js';
import { leftOn, reap } from '../../src/probes/leftovers.js';
import { createLogProbe } from '../../src/probes/log.js';
import { createProcessProbe } from '../../src/probes/process.js';
import { createTelemetryProbe } from '../../src/probes/telemetry.js';
import { available } from '../support/available.js';
import { type LinkProxy, startLinkProxy } from '../support/link-proxy.js';
import { startedBy } from '../support/processes.js';
import { type Sshd, startSshd } from '../support/sshd.js';
import { until, wellBeforeDeadManMs } from '../support/until.js';
import { later, recorder, running, start, tempFolder } from './support.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('the probes over a real sshd', () => {
  let sshd: Sshd;
  let proxy: LinkProxy;

  beforeEach(async () => {
    sshd = await startSshd();
    // An rc file that talks, without a newline at its end, and on stderr too.
    writeFileSync(join(sshd.home, '.bashrc'), 'printf "Welcome\\n#nonce D 0 5 5"; echo oops >&2\n');
    proxy = await startLinkProxy(sshd.port);
  });
  afterEach(async () => {
    await proxy.stop();
    await sshd.stop();
  });

  async function connect(): Promise<Host> {
    const config = sshd.configBehind(proxy);
    const host = await connectHost({ label: 'box', configFile: config }, { prompts: noPrompts });
    later(() => host.close());
    return host;
  }

  async function untilNothingIsLeft(): Promise<void> {
    await until(() => startedBy(sshd).length === 0, 'nothing is left', wellBeforeDeadManMs).catch((error) => {
      throw new Error(`${error}: ${startedBy(sshd).join('\n')}`);
    });
  }

  it('all ride on one connection, and nothing of them is left after it', async () => {
    const web = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
    later(() => web.close());
    const log = join(tempFolder(), 'server.log');
    const server = start(`echo up; while :; do echo tick; sleep 0.1; done >'${log}'`);
    const seen = recorder();
    const { emit } = seen;
    const now = Date.now;
    const host = await connect();
    const health = createHealthProbe({ emit, now, intervalMs: 300 });
    health.setTree([process.pid]);
    health.retarget({ port: (web.address() as AddressInfo).port, path: '/health', source: 'given' });
    const telemetry = createTelemetryProbe({ emit, now });
    telemetry.watch([server.pid ?? 0]);
    const probes = [
      createLogProbe({ path: log, emit, now }),
      createProcessProbe({ find: { log }, emit, now }),
      telemetry,
      health,
    ];
    const runs = probes.map((probe) => running((signal) => probe.run(host, signal)));
    await until(() => seen.lines.length > 5, 'the log comes');
    await until(() => seen.of('process').at(-1)?.process.status === 'alive', 'the process is found');
    await until(
      () => seen.of('host-sample').at(-1)?.sample.processes[0]?.pid === server.pid,
      'it is sampled',
    );
    await until(() => seen.of('health').at(-1)?.answer.owned === true, 'it answers');
    expect(seen.of('process').at(-1)?.process).toMatchObject({ pid: server.pid });
    expect(proxy.connections).toBe(1);
    expect(startedBy(sshd).length).toBeGreaterThan(3);
    for (const run of runs) await run.stop();
    // The slots are free again: MaxSessions is 10.
    expect((await Promise.all(Array.from({ length: 9 }, () => host.exec('true')))).length).toBe(9);
    await host.close();
    await untilNothingIsLeft();
  });

  it.each(['cut', 'reset'] as const)(
    'the log goes on at the next byte after a %s, and nothing is left of the old link',
    async (fault) => {
      const log = join(tempFolder(), 'server.log');
      const total = 4000;
      start(
        `for i in $(seq 0 ${total - 1}); do echo "líne $i é€😀"; [ $((i % 20)) = 0 ] && sleep 0.02; done >'${log}'`,
      );
      const seen = recorder();
      const probe = createLogProbe({ path: log, emit: seen.emit, now: Date.now });
      for (let round = 1; seen.lines.length < total; round += 1) {
        const host = await connect();
        const { done, stop } = running((signal) => probe.run(host, signal));
        await until(() => seen.lines.length >= Math.min(total, round * 700), 'more lines are there');
        if (seen.lines.length >= total) {
          await stop();
          await host.close();
        } else {
          proxy[fault]();
          await expect(done).rejects.toMatchObject({ code: expect.stringMatching(/probe-ended|link-lost/) });
        }
      }
      expect(seen.texts()).toEqual(Array.from({ length: total }, (_, n) => `líne ${n} é€😀`));
      expect(seen.kinds()).not.toContain('gap');
      await untilNothingIsLeft();
    },
  );

  it('what a black hole has left behind is ended by the next connection, long before it would end itself', async () => {
    const log = join(tempFolder(), 'server.log');
    writeFileSync(log, 'one\n');
    const seen = recorder();
    const first = await connect();
    const probe = createLogProbe({ path: log, emit: seen.emit, now: Date.now });
    const { done } = running((signal) => probe.run(first, signal));
    await until(() => seen.lines.length === 1, 'it is read');
    proxy.blackhole();
    await expect(done).rejects.toMatchObject({ exitCode: 5 });
    const scripts = leftOn(first);
    expect(scripts).toHaveLength(1);
    const isThere = () => startedBy(sshd).some((line) => line.startsWith(`${scripts[0]?.pid} `));
    expect(isThere()).toBe(true);
    proxy.restore();
    const second = await connect();
    const bystander = running((signal) =>
      createLogProbe({ path: log, emit: () => {}, now: Date.now }).run(second, signal),
    );
    await until(() => leftOn(second).length === 1, 'another follower of ours runs');
    const others = leftOn(second);
    await reap(second, [
      ...scripts.map((script) => ({ ...script, startTicks: '1' })),
      ...scripts.map((script) => ({ ...script, boot: 'another' })),
      ...others.map((script) => ({ ...script, mark: 'another' })),
    ]);
    expect(isThere()).toBe(true);
    await reap(second, scripts);
    await until(() => !isThere(), 'it is gone', 10_000);
    expect(startedBy(sshd).some((line) => line.startsWith(`${others[0]?.pid} `))).toBe(true);
    await bystander.stop();
    expect(leftOn(second)).toEqual([]);
  });

  it('a large log is read from its first line to its last', async () => {
    const log = join(tempFolder(), 'big.log');
    writeFileSync(log, `${'x'.repeat(99)}\n`.repeat(200_000));
    appendFileSync(log, 'end\n');
    const seen = recorder();
    const host = await connect();
    const probe = createLogProbe({ path: log, emit: seen.emit, now: Date.now });
    running((signal) => probe.run(host, signal));
    await until(() => seen.lines.length === 200_001, 'all is read');
    expect(seen.lines.at(-1)).toEqual({ number: 200_001, text: 'end' });
    expect(seen.kinds()).toEqual(['opened', 'caught-up']);
  });
});
