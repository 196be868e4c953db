import { expect, it } from 'vitest';
import { cutActions } from '../../soak/action-cuts.js';
import { available } from '../../support/available.js';

it.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'procfs'))(
  '4 launches and 4 kills with the link cut meanwhile start nothing twice and leave nothing behind',
  async () => {
    // Fixed moments, spread over both.
    let round = 0;
    const { faults, cuts } = await cutActions(4, () => ((round++ * 3) % 8) / 8);
    expect(faults).toEqual([]);
    expect(cuts).toBeGreaterThan(0);
  },
);
