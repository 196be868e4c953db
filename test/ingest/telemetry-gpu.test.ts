import { describe, expect, it } from 'vitest';
import type { GpuReading } from '../../src/ingest/telemetry.js';
import { gpuFrameReader } from '../../src/ingest/telemetry-gpu.js';

const busId = (index: number) => `00000000:${(27 + index).toString(16).toUpperCase()}:00.0`;
const row = (index: number, figures = '98123, 100, 45, 351.22', about = '143771, 700.00, Disabled') =>
  `${index}, GPU-0000000${index}, NVIDIA H200, ${busId(index)}, ${about}, ${figures}`;

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
      busId: '00000000:1E:00.0',
      fault: null,
    });
  });

  it('reads sixteen', () => {
    const reading = call(Array.from({ length: 16 }, (_, index) => row(index)));
    expect(reading?.status === 'ok' && reading.gpus.map(({ index }) => index)).toEqual([
      ...Array.from({ length: 16 }).keys(),
    ]);
  });

  it.each(['[N/A]', 'N/A', '[Not Supported]', '[Insufficient Permissions]', '-'])(
    'takes %s as not said, never as zero',
    (cell) => {
      const four = Array.from({ length: 4 }, () => cell).join(', ');
      const reading = call([row(0, four, `${cell}, ${cell}, ${cell}`)]);
      expect(gpu(reading)).toMatchObject({
        memTotalMiB: null,
        memUsedMiB: null,
        utilPercent: null,
        powerW: null,
        powerLimitW: null,
        fault: null,
      });
      expect(gpu(reading)).not.toHaveProperty('migInstances');
    },
  );

  it.each([
    ['[Unknown Error]', 'Unknown Error'],
    ['[GPU is lost]', 'GPU is lost'],
    ['[GPU requires reset]', 'GPU requires reset'],
    ['ERR!', 'ERR! (the driver cannot read it)'],
    ['[ERR!]', 'ERR! (the driver cannot read it)'],
  ])('shows %s as a fault of that GPU', (cell, fault) => {
    const reading = call([row(0), row(1, `${cell}, ${cell}, 45, [N/A]`)]);
    expect(gpu(reading, 0)?.fault).toBeNull();
    expect(gpu(reading, 1)).toMatchObject({ memUsedMiB: null, fault });
  });

  it('keeps the GPUs that are there when the tool has lost another, and passes its words on', () => {
    const words =
      'Unable to determine the device handle for GPU 0000:1C:00.0: GPU is lost.  Reboot the system to recover this GPU';
    const reading = call([row(0), words, row(2)], { code: 15 });
    expect(reading).toMatchObject({ status: 'ok', gpus: [{ index: 0 }, { index: 2 }], warnings: [words] });
    const named = call([row(0), row(1, '[N/A], [N/A], [N/A], [N/A]'), words], { code: 15 });
    expect(gpu(named, 0)?.fault).toBeNull();
    expect(gpu(named, 1)).toMatchObject({ memUsedMiB: null, fault: 'GPU is lost' });
  });

  it('names the instances of a GPU in MIG mode, and counts its processes as those of the whole', () => {
    const reading = call([row(0, '1024, [N/A], 40, 120.00', '143771, 700.00, Enabled'), row(1)], {
      apps: ['MIG-aa, 77, 512'],
      list: [
        'GPU 0: NVIDIA H200 (UUID: GPU-00000000)',
        '  MIG 3g.71gb     Device  0: (UUID: MIG-aa)',
        '  MIG 3g.71gb     Device  1: (UUID: MIG-bb)',
        'GPU 1: NVIDIA H200 (UUID: GPU-00000001)',
      ],
    });
    expect(gpu(reading)).toMatchObject({ utilPercent: null, migInstances: ['3g.71gb', '3g.71gb'] });
    expect(gpu(reading, 1)).not.toHaveProperty('migInstances');
    expect(reading).toMatchObject({ apps: [{ uuid: 'GPU-00000000', pid: 77 }] });
  });

  it('puts rows together of what has changed', () => {
    const take = gpuFrameReader();
    const first = ['g 1 begin nvidia-smi 8', `G ${row(0)}`, `G ${row(1)}`, 'g 1 end 0 5'].map(take).at(-1);
    const second = [
      'g 2 begin nvidia-smi 8',
      'd 0 99000, 7, 46, 400.00',
      'd 1 [N/A], [N/A], 30, 80.5',
      'g 2 end 0 5',
    ];
    expect(first?.kind).toBe('reading');
    const frame = second.map(take).at(-1);
    const reading = frame?.kind === 'reading' ? frame.reading : null;
    expect(gpu(reading, 0)).toMatchObject({
      memTotalMiB: 143_771,
      memUsedMiB: 99_000,
      utilPercent: 7,
      powerW: 400,
    });
    expect(gpu(reading, 1)).toMatchObject({ name: 'NVIDIA H200', memUsedMiB: null, temperatureC: 30 });
    // An error between two answers leaves the rows as they were.
    ['g 3 begin nvidia-smi 8', 'G No devices were found', 'g 3 end 6 5'].map(take);
    const later = ['g 4 begin nvidia-smi 8', `G ${row(0)}`, 'd 1 5, 6, 7, 8', 'g 4 end 0 5'].map(take).at(-1);
    expect(later?.kind === 'reading' && gpu(later.reading, 1)).toMatchObject({
      uuid: 'GPU-00000001',
      memUsedMiB: 5,
    });
  });

  it('reads the short list of a driver that does not know temperature and power', () => {
    const reading = call(['0, GPU-1, Old, odd card, 00000000:3B:00.0, 8192, 12, 3'], { cells: 4 });
    expect(gpu(reading)).toMatchObject({
      name: 'Old, odd card',
      busId: '00000000:3B:00.0',
      memTotalMiB: 8192,
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
        `g ${n} begin nvidia-smi 8`,
        `G ${row(0)}`,
        ...(apps === null ? [] : ['a', ...apps.map((app) => `A ${app}`)]),
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
  options: { code?: number; cells?: number; apps?: readonly string[]; list?: readonly string[] } = {},
): GpuReading | null {
  const { code = 0, cells = 8, apps = [], list = [] } = options;
  const take = gpuFrameReader();
  const lines = [
    `g 1 begin nvidia-smi ${cells}`,
    ...rows.map((text) => `G ${text}`),
    'a',
    ...apps.map((text) => `A ${text}`),
    'l',
    ...list.map((text) => `L ${text}`),
    `g 1 end ${code} 21`,
  ];
  const frame = lines.map(take).at(-1);
  return frame?.kind === 'reading' ? frame.reading : null;
}

const gpu = (reading: GpuReading | null, index = 0) =>
  reading?.status === 'ok' ? reading.gpus[index] : undefined;
