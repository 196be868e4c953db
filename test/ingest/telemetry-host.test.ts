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
      'M 1048576 524288 262144',
      'N 5000',
      'O 2',
      'P 7 1 998877 python3 (x) y',
      'p 7 R 250 256 1000 2000 300 12 -',
      'P 8 7 998878 sh',
      'p 8 D 0 0 - - - 0 folio_wait_bit',
      'E',
    ];
    expect(lines.map(take).at(-1)).toEqual({
      uptimeMs: 1_234_560,
      cpus: 64,
      memTotalMiB: 1024,
      memAvailableMiB: 512,
      cachedMiB: 256,
      rxBytes: 5000,
      oomKills: 2,
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
          writtenBytes: 300,
          majorFaults: 12,
          wchan: null,
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
          writtenBytes: null,
          majorFaults: 0,
          wchan: 'folio_wait_bit',
        },
      ],
    });
  });

  it('lets stand what a block leaves out', () => {
    const take = hostSampleReader(units);
    const block = (...lines: readonly string[]) => ['T 100', ...lines, 'E'].map(take).at(-1);
    block(
      'M 1024 512 256',
      'N 5',
      'O -',
      'P 7 1 1 python',
      'p 7 S 1 2 3 4 5 6 -',
      'P 8 7 1 cicc',
      'p 8 R 1 2 3 4 5 6 -',
    );
    const next = block('p 7 = 101 = = 44 = = -', '- 8');
    expect(next).toMatchObject({ memTotalMiB: 1, rxBytes: 5, oomKills: null });
    expect(next?.processes).toMatchObject([
      { pid: 7, name: 'python', state: 'S', cpuMs: 1010, readChars: 3, readBytes: 44, majorFaults: 6 },
    ]);
    // The same pid again is another process: nothing of the old one stands.
    expect(block('P 7 1 2 ninja', 'p 7 S 0 1 - - - 0 -')?.processes).toMatchObject([
      { pid: 7, startTicks: '2', name: 'ninja', cpuMs: 0, readChars: null },
    ]);
    // Another title of the same one.
    expect(block('P 7 1 2 nvcc')?.processes).toMatchObject([{ name: 'nvcc', state: 'S' }]);
  });

  it('gives nothing for a block whose beginning was lost', () => {
    const take = hostSampleReader(units);
    expect(['P 7 1 1 x', 'p 9 R', 'E', 'noise', 'T x', 'E'].map(take)).toEqual([
      null,
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
