import { expect, it } from 'vitest';
import { rekeyed } from './rekeyed.js';

it.each(['ssh2', 'ssh'] as const)('200 MB go both ways by %s under RekeyLimit 2M 10s', async (transport) => {
  const result = await rekeyed(transport, 200);
  console.log(transport, result);
  expect(result).toMatchObject({ tailed: result.log, tailExit: 0, arrived: result.sent, connections: 2 });
  expect(result.rekeys).toBeGreaterThan(100);
});
