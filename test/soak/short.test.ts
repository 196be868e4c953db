import { expect, it } from 'vitest';
import { available } from '../support/available.js';
import { torment } from './torment.js';

it.skipIf(!available('sshd', 'ssh', 'procfs'))(
  'a log comes through 24 faults of the link and 3 rotations byte for byte',
  async () => {
    const result = await torment({
      seed: 1,
      faults: 24,
      lines: 60_000,
      linesPerSecond: 2500,
      rotations: 3,
      holesPerHundred: 0,
      leftAfterMs: 30_000,
    });
    expect(result).toMatchObject({ faults: 24, lines: 60_000, rotations: 3, gaps: [], left: [] });
    expect(result.receivedBytes).toBe(result.bytes);
    expect(result.received).toBe(result.written);
  },
  120_000,
);
