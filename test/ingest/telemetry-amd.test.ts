import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { amdReading } from '../../src/ingest/telemetry-amd.js';
import { gpuFrameReader } from '../../src/ingest/telemetry-gpu.js';

/** Made by the shapes that AMD's documentation and bug reports show; no output of real hardware is among them. */
const sample = (name: string): string =>
  readFileSync(new URL(`../fixtures/gpu-tools/${name}.json`, import.meta.url), 'utf8');

describe('the AMD tools', () => {
  it('amd-smi: figures, names and limits, and who is on a GPU', () => {
    const texts = {
      metric: sample('amd-smi-metric'),
      static: sample('amd-smi-static'),
      process: sample('amd-smi-process'),
    };
    expect(amdReading(texts, 700)).toEqual({
      status: 'ok',
      tookMs: 700,
      gpus: [
        {
          index: 0,
          uuid: 'AMD-0',
          name: 'AMD Instinct MI300X',
          memTotalMiB: 196_592,
          memUsedMiB: 150_283,
          utilPercent: 97,
          temperatureC: 61,
          powerW: 412,
          powerLimitW: 750,
          busId: '0000:0C:00.0',
          fault: null,
        },
        {
          index: 1,
          uuid: 'AMD-1',
          name: 'AMD Instinct MI300X',
          memTotalMiB: 196_592,
          memUsedMiB: 283,
          utilPercent: null,
          temperatureC: 35,
          powerW: null,
          powerLimitW: 700,
          busId: '0000:22:00.0',
          fault: null,
        },
      ],
      apps: [{ uuid: 'AMD-0', pid: 4711, memUsedMiB: 150_000 }],
    });
  });

  it('amd-smi since ROCm 7: the list is in an object', () => {
    const metric = `{"gpu_data": ${sample('amd-smi-metric')}}`;
    expect(amdReading({ metric }, 0)).toMatchObject({
      gpus: [{ name: 'AMD GPU', memUsedMiB: 150_283, powerLimitW: null, busId: null }, { index: 1 }],
      apps: [],
    });
  });

  it('rocm-smi: keys that differ by version', () => {
    expect(amdReading({ rocm: sample('rocm-smi') }, 0)).toMatchObject({
      gpus: [
        {
          name: 'AMD INSTINCT MI200 (MCM) OAM',
          memTotalMiB: 65_520,
          memUsedMiB: 32_760,
          utilPercent: 100,
          temperatureC: 55,
          powerW: 128,
          powerLimitW: 560,
          busId: '0000:C9:00.0',
        },
        { index: 1, utilPercent: null, temperatureC: null, powerW: 90.5, memUsedMiB: 10 },
      ],
      apps: [],
    });
  });

  it.each([
    [{}],
    [{ metric: 'no json' }],
    [{ metric: '[]' }],
    [{ rocm: '{"system": {}}' }],
    [{ rocm: '[1]' }],
  ])('no GPU in %j', (texts) => expect(amdReading(texts, 0)).toBeNull());

  it('give their own words where they fail', () => {
    const take = gpuFrameReader();
    const lines = ['g 1 begin amd-smi 8', 'x', 'G AMDSMI_STATUS_NO_DRV: no amdgpu driver', 'g 1 end 255 40'];
    expect(lines.map(take).at(-1)).toEqual({
      kind: 'reading',
      reading: { status: 'failed', reason: 'AMDSMI_STATUS_NO_DRV: no amdgpu driver', code: 255 },
    });
    const silent = ['g 2 begin amd-smi 8', 'g 2 end 137 1500'].map(take).at(-1);
    expect(silent).toMatchObject({
      reading: { status: 'failed', reason: expect.stringContaining('amd-smi') },
    });
  });
});
