import { expect, it } from 'vitest';
import { cutPrograms } from './cut-programs.js';
import { type Fault, randomFrom } from './faults.js';

const seed = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 1e9));
const rounds = 25;

it(`nothing of whole programs is left after 100 cut connections, 30 s later (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const some = ['cut', 'reset', 'refuse', 'blackhole'] as const satisfies readonly Fault[];
  const result = await cutPrograms({
    seed,
    kinds: [
      { sessions: 10, transport: 'ssh2' },
      { sessions: 1, transport: 'ssh2' },
      { sessions: 10, transport: 'ssh' },
      { sessions: 2, transport: 'ssh' },
    ],
    faults: Array.from({ length: rounds }, () => some[Math.floor(random() * some.length)] ?? 'cut'),
    end: 'kill in a black hole',
    leftAfterMs: 30_000,
  });
  console.log(result);
  expect(result).toMatchObject({ cut: 100, left: [] });
  expect(result.most).toBeLessThan(160);
});
