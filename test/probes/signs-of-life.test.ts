import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reduce } from '../../src/core/reduce.js';
import { selectActivity } from '../../src/core/select/activity.js';
import type { HostSample, ProcessSample } from '../../src/ingest/telemetry.js';
import { createTelemetryProbe } from '../../src/probes/telemetry.js';
import { Story } from '../core/fold.js';
import { shells } from '../remote/shells.js';
import { until } from '../support/until.js';
import { cuttableHost, later, onPath, recorder, running, start, tempFolder } from './support.js';

/** What real processes do, as the sampler shows it in each shell. */
describe.each(shells)('signs of life with $name', ({ command }) => {
  function sample(pids: readonly number[], shell = command.join(' ')) {
    const seen = recorder();
    const probe = createTelemetryProbe({ emit: seen.emit, now: Date.now, gpuSeconds: 1, script: { shell } });
    probe.watch(pids);
    const { host } = cuttableHost();
    const samples = (): readonly HostSample[] => seen.of('host-sample').map((event) => event.sample);
    const named = (name: string): readonly ProcessSample[] =>
      samples().flatMap(({ processes }) => processes.find((each) => each.name === name) ?? []);
    return { ...seen, samples, named, ...running((signal) => probe.run(host, signal)) };
  }

  it('are the bytes of a reader, the time of a busy loop, the state of one that is stopped, and who has gone', async () => {
    const file = join(tempFolder(), 'weights');
    writeFileSync(file, Buffer.alloc(1 << 20));
    const tree = start(`
      (while :; do cat '${file}' >/dev/null; sleep 0.05; done) & sleep 61 & stopped=$!
      sleep 62 & dying=$!
      exec 9<'${file}'; yes >/dev/null &
      until [ "$(cat /proc/$stopped/comm)" = sleep ]; do :; done; kill -STOP $stopped; (sleep 3; kill $dying) &
      dd if=/dev/zero bs=64k status=none 2>/dev/null | dd bs=64k of=/dev/null status=none & wait`);
    const { samples, named } = sample([tree.pid ?? 0]);
    const stopped = () =>
      samples()
        .at(-1)
        ?.processes.filter(({ state }) => state === 'T')
        .map(({ name }) => name);
    await until(() => named('yes').length >= 3 && stopped()?.[0] === 'sleep', 'three samples are there');
    const [first, last] = [named('yes')[0], named('yes').at(-1)];
    expect((last?.cpuMs ?? 0) - (first?.cpuMs ?? 0)).toBeGreaterThan(50);
    const readers = named('dd');
    expect((readers.at(-1)?.readChars ?? 0) - (readers[0]?.readChars ?? 0)).toBeGreaterThan(1e6);
    const all = samples().at(-1);
    expect(stopped()).toEqual(['sleep']);
    expect(all?.rxBytes).toBeGreaterThanOrEqual(0);
    expect(all?.cachedMiB).toBeGreaterThan(0);
    expect(
      all?.processes.every(({ majorFaults, writtenBytes }) => majorFaults != null && writtenBytes != null),
    ).toBe(true);
    // The same through the fold: the line on the screen.
    const story = new Story().alive(60);
    for (const event of samples()) {
      story.now += 1000;
      [story.state] = reduce(story.state, { type: 'host-sample', at: story.now, sample: event });
    }
    expect(selectActivity(story.state)).toMatch(/disk [\d.]+ [MG]B\/s .*CPU \d+\.\d cores .*1 stopped/);
    await until(
      () =>
        samples()
          .at(-1)
          ?.processes.filter(({ name, state }) => name === 'sleep' && state !== 'Z').length === 1,
      'the one that was ended has gone',
    );
  });

  it.skipIf(process.getuid?.() !== 0)(
    "are absent, and never zero, where another user's may not be read",
    async () => {
      const tree = start('exec yes >/dev/null');
      const { named } = sample(
        [tree.pid ?? 0],
        `setpriv --reuid=65534 --regid=65534 --clear-groups ${command.join(' ')}`,
      );
      await until(() => named('yes').length >= 2, 'two samples are there');
      expect(named('yes').at(-1)).toMatchObject({ readBytes: null, readChars: null, writtenBytes: null });
      expect(named('yes').at(-1)?.cpuMs).toBeGreaterThan(0);
    },
  );

  it('have the words of the kernel since the start of the tree, then only new ones', async () => {
    const log = join(tempFolder(), 'kernel log');
    const tree = start('exec sleep 60');
    const uptime = Number(process.hrtime.bigint() / 1_000_000_000n);
    const line = (seconds: number, text: string): string =>
      `[${String(seconds).padStart(5)}.123456] ${text}\n`;
    const xid = 'NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.';
    writeFileSync(
      log,
      line(3, `${xid} long ago`) + line(uptime + 50, 'eth0: link up') + line(uptime + 60, xid),
    );
    onPath('dmesg', `cat '${log}'`);
    const { samples } = sample([tree.pid ?? 0]);
    const told = () => samples().flatMap(({ kernelLines = [] }) => kernelLines);
    await until(() => told().length > 0, 'the first is told');
    writeFileSync(log, line(uptime + 70, 'Out of memory: Killed process 7 (python)'), { flag: 'a' });
    await until(() => told().length > 1, 'the second is told');
    expect(told()).toEqual([
      `[${uptime + 60}.123456] ${xid}`,
      `[${uptime + 70}.123456] Out of memory: Killed process 7 (python)`,
    ]);
  });

  it('go on where neither dmesg nor the journal may be read', async () => {
    onPath('dmesg', 'echo "dmesg: read kernel buffer failed: Operation not permitted" >&2; exit 1');
    onPath('journalctl', 'echo "No journal files were opened due to insufficient permissions." >&2');
    const tree = start('exec sleep 60');
    const { samples } = sample([tree.pid ?? 0]);
    await until(() => samples().length >= 2, 'samples come');
    expect(samples().every(({ kernelLines }) => kernelLines === undefined)).toBe(true);
  });

  it('read the journal where dmesg may not be', async () => {
    onPath('dmesg', 'exit 1');
    const at = `${Number(process.hrtime.bigint() / 1_000_000_000n) + 60}.000001`;
    onPath('journalctl', `echo '[${at}] gpu-17 kernel: NVRM: Xid (PCI:0000:3b:00): 48'`);
    const tree = start('exec sleep 60');
    const { samples } = sample([tree.pid ?? 0]);
    await until(() => samples().some(({ kernelLines }) => kernelLines), 'it is told');
    expect(samples().flatMap(({ kernelLines = [] }) => kernelLines)).toEqual([
      `[${at}] NVRM: Xid (PCI:0000:3b:00): 48`,
    ]);
  });
});

const memory = '/sys/fs/cgroup/memory';
const canLimit = process.getuid?.() === 0 && existsSync(`${memory}/memory.limit_in_bytes`);

describe.skipIf(!canLimit)('a kill for memory, for real', () => {
  it('is counted in the cgroup of the tree and told by the kernel', async () => {
    const group = `${memory}/firedup-test-${process.pid}`;
    mkdirSync(group);
    later(() => until(() => removed(group), 'the cgroup is empty'));
    writeFileSync(`${group}/memory.limit_in_bytes`, '33554432');
    const hog = "process.stdout.write('hog\\\\n');const a=[];for(;;)a.push(Buffer.alloc(1<<20,1))";
    const tree = start(
      `echo $$ >'${group}/cgroup.procs'; sleep 4; '${process.execPath}' -e "${hog}" >/dev/null; sleep 60`,
    );
    const seen = recorder();
    const probe = createTelemetryProbe({ emit: seen.emit, now: Date.now, gpuSeconds: 1 });
    probe.watch([tree.pid ?? 0]);
    const { host } = cuttableHost();
    running((signal) => probe.run(host, signal));
    const samples = () => seen.of('host-sample').map((event) => event.sample);
    await until(() => samples().some(({ oomKills }) => oomKills === 0), 'none is counted at first');
    await until(() => samples().some(({ oomKills }) => oomKills === 1), 'it is counted');
    await until(
      () => samples().some(({ kernelLines }) => kernelLines?.some((line) => line.includes('Killed process'))),
      'the kernel tells it',
    );
  });
});

function removed(group: string): boolean {
  try {
    rmdirSync(group);
    return true;
  } catch {
    return false;
  }
}
