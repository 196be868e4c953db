import { expect, it } from 'vitest';
import { cutActions } from './action-cuts.js';

it('50 launches and kills with the link cut at random start nothing twice and leave nothing behind', async () => {
  const result = await cutActions(50, Math.random);
  console.log(result);
  expect(result.faults).toEqual([]);
  expect(result.cuts).toBeGreaterThan(25);
});
