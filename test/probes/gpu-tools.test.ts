import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createTelemetryProbe } from '../../src/probes/telemetry.js';
import { shells } from '../remote/shells.js';
import { until } from '../support/until.js';
import { cuttableHost, onPath, recorder, running } from './support.js';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/gpu-tools/${name}.json`, import.meta.url));

describe.each(shells)('GPU tools with $name', ({ command }) => {
  function sample() {
    const seen = recorder();
    const shell = command.join(' ');
    const probe = createTelemetryProbe({ emit: seen.emit, now: Date.now, gpuSeconds: 1, script: { shell } });
    const { host } = cuttableHost();
    running((signal) => probe.run(host, signal));
    return { ...seen, readings: () => seen.of('gpus').map(({ reading }) => reading) };
  }

  it('says every row of nvidia-smi, whole or by what has changed', async () => {
    onPath(
      'nvidia-smi',
      `case "$1" in
      --query-gpu=*) read -r up _ </proc/uptime; i=0
        while [ $i -lt 16 ]; do
          echo "$i, GPU-$i, NVIDIA H200, 00000000:$((10 + i)):00.0, 143771, 700.00, Disabled, \${up%.*}, $i, 40, 99.$i"
          i=$((i + 1))
        done ;;
      *) echo 'GPU-3, 77, 1000'; echo 'GPU-4, 78, [N/A]' ;;
      esac`,
    );
    const { readings } = sample();
    await until(() => readings().length >= 3, 'three readings are there');
    const used: number[] = [];
    for (const reading of readings()) {
      if (reading.status !== 'ok') throw new Error(reading.status);
      expect(reading.gpus.map(({ index }) => index)).toEqual([...Array.from({ length: 16 }).keys()]);
      expect(reading.gpus[7]).toMatchObject({
        uuid: 'GPU-7',
        busId: '00000000:17:00.0',
        utilPercent: 7,
        powerW: 99.7,
      });
      expect(reading.apps).toEqual([
        { uuid: 'GPU-3', pid: 77, memUsedMiB: 1000 },
        { uuid: 'GPU-4', pid: 78, memUsedMiB: null },
      ]);
      used.push(reading.gpus[15]?.memUsedMiB ?? 0);
    }
    expect(new Set(used).size).toBeGreaterThan(1);
  });

  it('names the devices of a GPU in MIG mode', async () => {
    onPath(
      'nvidia-smi',
      `case "$1" in
      --query-gpu=*) echo '0, GPU-0, NVIDIA H200, 00000000:1B:00.0, 143771, 700.00, Enabled, 1024, [N/A], 40, 99.5' ;;
      -L) echo 'GPU 0: NVIDIA H200 (UUID: GPU-0)'; echo '  MIG 3g.71gb     Device  0: (UUID: MIG-1)' ;;
      *) echo 'MIG-1, 77, 1000' ;;
      esac`,
    );
    const { readings } = sample();
    await until(() => readings().length >= 2, 'readings are there');
    expect(readings().at(-1)).toMatchObject({
      gpus: [{ utilPercent: null, migInstances: ['3g.71gb'] }],
      apps: [{ uuid: 'GPU-0', pid: 77 }],
    });
  });

  it('goes on with the rest when one GPU is lost between two calls', async () => {
    onPath(
      'nvidia-smi',
      `case "$1" in
      --query-gpu=*) echo '0, GPU-0, NVIDIA H200, 00000000:1B:00.0, 143771, 700.00, Disabled, 1024, 5, 40, 99.5'
        read -r up _ </proc/uptime
        if [ -e "$0.seen" ]; then
          echo 'Unable to determine the device handle for GPU 0000:2B:00.0: GPU is lost.  Reboot the system to recover this GPU'
          exit 15
        fi
        : >"$0.seen"
        echo '1, GPU-1, NVIDIA H200, 00000000:2B:00.0, 143771, 700.00, Disabled, 1024, 5, 40, 99.5' ;;
      esac`,
    );
    const { readings } = sample();
    await until(() => readings().length >= 2, 'both readings are there');
    expect(readings()[0]).toMatchObject({ gpus: [{ index: 0 }, { index: 1 }] });
    expect(readings()[1]).toMatchObject({
      status: 'ok',
      gpus: [{ index: 0, memUsedMiB: 1024 }],
      warnings: [expect.stringContaining('0000:2B:00.0: GPU is lost')],
    });
  });

  it('reads amd-smi, after the warnings that it begins with', async () => {
    onPath(
      'amd-smi',
      `echo 'WARNING: User is missing the following required groups: render, video'
      case "$1" in metric) cat '${fixture('amd-smi-metric')}' ;; static) cat '${fixture('amd-smi-static')}' ;;
      process) cat '${fixture('amd-smi-process')}' ;; esac`,
    );
    const { readings } = sample();
    await until(() => readings().length >= 2, 'readings are there');
    for (const reading of readings()) {
      expect(reading).toMatchObject({
        status: 'ok',
        gpus: [
          {
            name: 'AMD Instinct MI300X',
            memUsedMiB: 150_283,
            utilPercent: 97,
            powerW: 412,
            powerLimitW: 750,
          },
          { utilPercent: null, powerW: null, temperatureC: 35 },
        ],
        apps: [{ uuid: 'AMD-0', pid: 4711, memUsedMiB: 150_000 }],
      });
    }
  });

  it('reads rocm-smi', async () => {
    onPath('rocm-smi', `cat '${fixture('rocm-smi')}'`);
    const { readings } = sample();
    await until(() => readings().length >= 1, 'a reading is there');
    expect(readings()[0]).toMatchObject({
      status: 'ok',
      gpus: [{ name: 'AMD INSTINCT MI200 (MCM) OAM', utilPercent: 100 }, { powerW: 90.5 }],
    });
  });
});
