import { expect, it } from 'vitest';
import { available } from '../support/available.js';
import { cutPrograms } from './cut-programs.js';
import { rekeyed } from './rekeyed.js';
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
);

it.skipIf(!available('sshd', 'ssh', 'procfs'))(
  'nothing of whole programs is left on the host after 10 cut connections',
  async () => {
    const result = await cutPrograms({
      seed: 1,
      kinds: [
        { sessions: 10, transport: 'ssh2' },
        { sessions: 1, transport: 'ssh2' },
      ],
      faults: ['cut', 'reset', 'blackhole', 'refuse', 'cut'],
      end: 'interrupt',
      leftAfterMs: 30_000,
    });
    expect(result).toMatchObject({ cut: 10, left: [] });
    // Those of two connections: three long scripts over one session take some sixty.
    expect(result.most).toBeLessThan(160);
  },
);

it.skipIf(!available('sshd', 'ssh', 'ssh-keygen')).each(['ssh2', 'ssh'] as const)(
  '12 MB go both ways by %s under RekeyLimit 2M 10s',
  async (transport) => {
    const result = await rekeyed(transport, 12);
    expect(result).toMatchObject({ tailed: result.log, tailExit: 0, arrived: result.sent, connections: 2 });
    expect(result.rekeys).toBeGreaterThanOrEqual(6);
  },
);
