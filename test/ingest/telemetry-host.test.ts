import { describe, expect, it } from 'vitest';
import { hostSampleReader, hostUnits } from '../../src/ingest/telemetry-host.js';

describe('samples of the host', () => {
  const units = hostUnits(
    new Map([
      ['hz', '100'],
      ['page', '4096'],
      ['cpus', '64'],
    ]),
  );

  it('reads a block', () => {
    const take = hostSampleReader(units);
    const lines = [
      'T 123456',
      'M 1048576 524288',
      'P 7 1 998877 R 250 256 1000 2000 python3 (x) y',
      'P 8 7 998878 D 0 0 - - sh',
      'E',
    ];
    expect(lines.map(take).at(-1)).toEqual({
      uptimeMs: 1_234_560,
      cpus: 64,
      memTotalMiB: 1024,
      memAvailableMiB: 512,
      processes: [
        {
          pid: 7,
          parent: 1,
          startTicks: '998877',
          name: 'python3 (x) y',
          state: 'R',
          cpuMs: 2500,
          rssMiB: 1,
          readBytes: 2000,
          readChars: 1000,
        },
        {
          pid: 8,
          parent: 7,
          startTicks: '998878',
          name: 'sh',
          state: 'D',
          cpuMs: 0,
          rssMiB: 0,
          readBytes: null,
          readChars: null,
        },
      ],
    });
  });

  it('gives nothing for a block whose beginning was lost', () => {
    const take = hostSampleReader(units);
    expect(['P 7 1 1 R 0 0 - - x', 'E', 'noise', 'T x', 'E'].map(take)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('knows the usual units where the host does not tell', () => {
    expect(hostUnits(new Map([['cpus', '-']]))).toEqual({ hz: 100, pageBytes: 4096, cpus: null });
  });
});
