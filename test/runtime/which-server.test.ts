import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { localHost } from '../../src/host/local.js';
import { killTarget } from '../../src/runtime/which-server.js';
import { Story } from '../core/fold.js';
import { start, statOf } from '../probes/support.js';
import { until } from '../support/until.js';

/** A server that was found, by a view that knows nothing of its host yet. */
async function found(startTicks?: string) {
  const child = start('exec sleep 600');
  const pid = child.pid ?? 0;
  await until(() => statOf(pid) !== null, 'it runs');
  const ticks = startTicks ?? statOf(pid)?.start ?? '';
  const story = new Story().process({
    status: 'alive',
    pid,
    startTicks: ticks,
    startedAt: null,
    command: 'sleep 600',
    user: null,
    foundBy: 'pid',
    tree: [{ pid, parent: 1, startTicks: ticks, command: 'sleep 600' }],
  });
  // A story begins with the facts of its host.
  return { pid, ticks, state: { ...story.state, host: null } };
}

describe('what a kill is for, before the facts of the host have come', () => {
  it('is the process with its boot, looked up then', async () => {
    const { pid, ticks, state } = await found();
    const target = await killTarget(localHost(), state);
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    expect(target).toMatchObject({ pid, startTicks: ticks, bootId });
  });

  it('is nothing where the pid is another process by now', async () => {
    const { state } = await found('1');
    expect(await killTarget(localHost(), state)).toBeNull();
  });
});
