import { describe, expect, it } from 'vitest';
import { createTelemetryProbe } from '../../src/probes/telemetry.js';
import { shells } from '../remote/shells.js';
import { until, wellBeforeDeadManMs } from '../support/until.js';
import { cuttableHost, onPath, recorder, running, start, statOf } from './support.js';

describe.each(shells)('telemetry with $name', ({ command }) => {
  const shell = command.join(' ');

  function sample(nvidiaSmi: string | null, pids: readonly number[] = [], now = Date.now) {
    if (nvidiaSmi !== null) onPath('nvidia-smi', nvidiaSmi);
    const seen = recorder();
    const probe = createTelemetryProbe({ emit: seen.emit, now, gpuSeconds: 1, script: { shell } });
    probe.watch(pids);
    const { host, sessions } = cuttableHost();
    return { ...seen, probe, sessions, ...running((signal) => probe.run(host, signal)) };
  }

  it('samples the processes that it is given, their descendants, and the memory', async () => {
    const tree = start('sleep 60 & yes >/dev/null & wait');
    const root = tree.pid ?? 0;
    const telemetry = sample(null, [root]);
    await until(() => telemetry.of('host-sample').length >= 2, 'two samples are there');
    const { sample: last } = telemetry.of('host-sample').at(-1) ?? expect.fail();
    expect(last.memTotalMiB).toBeGreaterThan(100);
    expect(last.memAvailableMiB).toBeLessThan(last.memTotalMiB ?? 0);
    expect(last.cpus).toBeGreaterThan(0);
    expect(last.processes.map(({ name }) => name).sort()).toEqual(['bash', 'sleep', 'yes']);
    const bash = last.processes.find(({ name }) => name === 'bash');
    expect(bash).toMatchObject({ pid: root, parent: process.pid, startTicks: statOf(root)?.start });
    expect(bash?.readChars).toBeGreaterThan(0);
    expect(last.processes.find(({ name }) => name === 'yes')?.cpuMs).toBeGreaterThan(0);
    expect(telemetry.of('gpus').map(({ reading }) => reading.status)).toEqual(['absent']);
  });

  it('turns to other processes when it is told to', async () => {
    const telemetry = sample(null);
    await until(() => telemetry.of('host-sample').length >= 1, 'a sample is there');
    const other = start('exec sleep 60');
    telemetry.probe.watch([other.pid ?? 0]);
    await until(
      () => telemetry.of('host-sample').at(-1)?.sample.processes[0]?.pid === other.pid,
      'it is sampled',
    );
  });

  it('reads the GPU tool, without the fields that its driver does not know', async () => {
    const telemetry = sample(`case "$1" in
      *power.draw*) echo 'Field "power.draw" is not a valid field to query.'; exit 2 ;;
      --query-gpu=*) echo '0, GPU-a, NVIDIA H200, 00000000:1B:00.0, 143771, 1024, 7'; echo '1, GPU-b, NVIDIA H200, 00000000:2B:00.0, 143771, 2048, [N/A]' ;;
      *) echo 'GPU-a, 77, 1000' ;;
    esac`);
    await until(() => telemetry.of('gpus').length >= 1, 'a reading is there');
    expect(telemetry.of('gpus')[0]?.reading).toMatchObject({
      status: 'ok',
      gpus: [
        { index: 0, memUsedMiB: 1024, utilPercent: 7, powerW: null },
        { index: 1, memUsedMiB: 2048, utilPercent: null, powerW: null },
      ],
      apps: [{ uuid: 'GPU-a', pid: 77, memUsedMiB: 1000 }],
    });
  });

  it('gives the words of a tool that fails', async () => {
    const telemetry = sample('echo "Failed to initialize NVML: Driver/library version mismatch"; exit 12');
    await until(() => telemetry.of('gpus').length >= 1, 'a reading is there');
    expect(telemetry.of('gpus')[0]?.reading).toEqual({
      status: 'failed',
      reason: 'Failed to initialize NVML: Driver/library version mismatch',
      code: 12,
    });
  });

  it('says that the tool hangs when it cannot be ended', async () => {
    let aheadMs = 0;
    const telemetry = sample('sleep 600', [], () => Date.now() + aheadMs);
    await until(() => telemetry.of('host-sample').length >= 2, 'samples come');
    aheadMs = 21_000;
    await until(() => telemetry.of('gpus').length >= 1, 'it is told');
    expect(telemetry.of('gpus')[0]?.reading.status).toBe('stuck');
  });

  it('goes on with everything else while the tool hangs, and leaves no process behind', async () => {
    const telemetry = sample('sleep 600');
    await until(() => telemetry.of('host-sample').length >= 3, 'samples come');
    expect(telemetry.of('gpus')).toEqual([]);
    expect(telemetry.sessions().length).toBeGreaterThan(2);
    await telemetry.stop();
    await until(() => telemetry.sessions().length === 0, 'nothing is left', wellBeforeDeadManMs);
  });
});
