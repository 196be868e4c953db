import { expect, it } from 'vitest';
import { run } from './run-program.js';

it('loads no SSH for a look at this machine: it costs the first frame a sixth of its time', async () => {
  // Node tells of each CommonJS module that it loads, as ssh2's are.
  const { code, err } = await run(['wait', 'local', '--log', '/nonexistent.log', '--timeout', '1s'], {
    env: { NODE_DEBUG: 'module' },
  });
  expect([2, 4]).toContain(code);
  expect(err).not.toContain('node_modules/ssh2/');

  const far = await run(['wait', 'nobody@127.0.0.1', '-p', '1', '--log', '/x'], {
    env: { NODE_DEBUG: 'module' },
  });
  expect(far.code).toBe(5);
  expect(far.err).toContain('node_modules/ssh2/');
});
