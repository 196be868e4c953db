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
