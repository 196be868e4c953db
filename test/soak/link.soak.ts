import { expect, it } from 'vitest';
import { torment } from './torment.js';

const seed = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 1e9));

it(`a log comes through 200 faults of the link and 20 rotations byte for byte (seed ${seed})`, async () => {
  const result = await torment({
    seed,
    faults: 200,
    lines: 1_000_000,
    linesPerSecond: 3000,
    rotations: 20,
    holesPerHundred: 5,
    leftAfterMs: 30_000,
  });
  console.log(result);
  expect(result).toMatchObject({ faults: 200, lines: 1_000_000, rotations: 20, gaps: [], left: [] });
  expect(result.receivedBytes).toBe(result.bytes);
  expect(result.received).toBe(result.written);
});

it.each([
  [1, 'ssh2'],
  [2, 'ssh2'],
  [10, 'ssh2'],
  [1, 'ssh'],
  [10, 'ssh'],
] as const)(
  `60 MB that were there before come through 20 faults over %i session(s) by %s (seed ${seed})`,
  async (sessions, transport) => {
    const result = await torment({
      seed,
      faults: 20,
      lines: 60_000,
      linesPerSecond: 2000,
      rotations: 6,
      holesPerHundred: 8,
      leftAfterMs: 30_000,
      oldBytes: 60e6,
      sessions,
      transport,
    });
    console.log(result);
    expect(result).toMatchObject({ faults: 20, lines: 60_000, rotations: 6, gaps: [], left: [] });
    expect(result.received).toBe(result.written);
  },
);
