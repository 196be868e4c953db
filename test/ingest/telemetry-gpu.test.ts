import { describe, expect, it } from 'vitest';
import type { GpuReading } from '../../src/ingest/telemetry.js';
import { gpuFrameReader } from '../../src/ingest/telemetry-gpu.js';

const row = (index: number, cells = '143771, 98123, 100, 45, 351.22, 700.00') =>
  `${index}, GPU-0000000${index}, NVIDIA H200, ${cells}`;

describe('the GPU loop of the sampler', () => {
  it('reads eight GPUs and the processes on them', () => {
    const rows = Array.from({ length: 8 }, (_, index) => row(index));
    const reading = call(rows, { apps: ['GPU-00000000, 4242, 98000', 'GPU-00000001, 4243, [N/A]'] });
    expect(reading).toMatchObject({
      status: 'ok',
      tookMs: 210,
      apps: [
        { uuid: 'GPU-00000000', pid: 4242, memUsedMiB: 98_000 },
        { uuid: 'GPU-00000001', pid: 4243, memUsedMiB: null },
      ],
    });
    const gpus = reading?.status === 'ok' ? reading.gpus : [];
    expect(gpus).toHaveLength(8);
    expect(gpus[3]).toEqual({
      index: 3,
      uuid: 'GPU-00000003',
      name: 'NVIDIA H200',
      memTotalMiB: 143_771,
      memUsedMiB: 98_123,
      utilPercent: 100,
      temperatureC: 45,
      powerW: 351.22,
      powerLimitW: 700,
      fault: null,
    });
  });

  it.each(['[N/A]', 'N/A', '[Not Supported]', '[Insufficient Permissions]', '-'])(
    'takes %s as not said, never as zero',
    (cell) => {
      const reading = call([row(0, Array.from({ length: 6 }, () => cell).join(', '))]);
      expect(gpu(reading)).toMatchObject({
        memTotalMiB: null,
        memUsedMiB: null,
        utilPercent: null,
        powerW: null,
        fault: null,
      });
    },
  );

  it.each(['[Unknown Error]', '[GPU is lost]', '[GPU requires reset]'])(
    'shows %s as a fault of that GPU',
    (cell) => {
      const reading = call([row(0), row(1, `143771, ${cell}, ${cell}, 45, [N/A], 700.00`)]);
      expect(gpu(reading, 0)?.fault).toBeNull();
      expect(gpu(reading, 1)).toMatchObject({ memUsedMiB: null, fault: cell.slice(1, -1) });
    },
  );

  it('reads the short list of a driver that does not know temperature and power', () => {
    const reading = call(['0, GPU-1, Old, odd card, 8192, 12, 3'], { cells: 3 });
    expect(gpu(reading)).toMatchObject({
      name: 'Old, odd card',
      memUsedMiB: 12,
      utilPercent: 3,
      temperatureC: null,
      powerW: null,
    });
  });

  it.each([
    [
      9,
      "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.",
    ],
    [12, 'Failed to initialize NVML: Driver/library version mismatch'],
    [
      15,
      'Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.  Reboot the system to recover this GPU',
    ],
    [6, 'No devices were found'],
  ])('status %d: gives the words of the tool', (code, words) => {
    expect(call(['', words, 'NVML library version: 535.1'], { code })).toEqual({
      status: 'failed',
      reason: words,
      code,
    });
  });

  it('says when a call was ended for taking too long', () => {
    expect(call(['Killed'], { code: 137 })).toEqual({
      status: 'failed',
      reason: 'nvidia-smi gave no answer in 15 s',
      code: 137,
    });
  });

  it('says that there is no tool, or that it hangs', () => {
    const take = gpuFrameReader();
    expect(take('g absent')).toEqual({ kind: 'reading', reading: { status: 'absent' } });
    expect(take('g 7 stuck 4242')).toMatchObject({
      reading: { status: 'stuck', reason: expect.stringContaining('4242') },
    });
    expect(take('Killed')).toBeNull();
    expect(take('g 8 end 0 3')).toBeNull();
  });

  it('keeps the processes of the last answer until the next', () => {
    const take = gpuFrameReader();
    const round = (n: number, apps: readonly string[] | null) => {
      const lines = [
        `g ${n} begin 6`,
        `G ${n} ${row(0)}`,
        ...(apps ?? []).map((app) => `A ${n} ${app}`),
        `g ${n} end 0 5`,
      ];
      const frame = lines.map(take).at(-1);
      return frame?.kind === 'reading' && frame.reading.status === 'ok' ? frame.reading.apps : null;
    };
    expect(round(1, ['GPU-00000000, 7, 1'])).toHaveLength(1);
    expect(round(2, null)).toHaveLength(1);
    expect(round(6, [''])).toHaveLength(0);
  });
});

function call(
  rows: readonly string[],
  options: { code?: number; cells?: number; apps?: readonly string[] } = {},
): GpuReading | null {
  const { code = 0, cells = 6, apps = [] } = options;
  const take = gpuFrameReader();
  const lines = [
    `g 1 begin ${cells}`,
    ...rows.map((text) => `G 1 ${text}`),
    ...apps.map((text) => `A 1 ${text}`),
    `g 1 end ${code} 21`,
  ];
  const frame = lines.map(take).at(-1);
  return frame?.kind === 'reading' ? frame.reading : null;
}

const gpu = (reading: GpuReading | null, index = 0) =>
  reading?.status === 'ok' ? reading.gpus[index] : undefined;
