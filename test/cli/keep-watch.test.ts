import { afterEach, expect, it, vi } from 'vitest';
import { closeWatch, keepWatch } from '../../src/cli/keep-watch.js';
import type { Watch } from '../../src/runtime/watch.js';

afterEach(() => vi.restoreAllMocks());

/** A watch whose history cannot be written. */
function refused(): Pick<Watch, 'store' | 'keep' | 'close'> {
  const state: { notice: { level: string; text: string } | null } = { notice: null };
  const kept = { level: 'warning', text: 'The history cannot be written.' };
  return {
    store: { state: () => state } as unknown as Watch['store'],
    keep: async () => {
      state.notice = kept;
    },
    close: async () => {},
  };
}

it('tells once, before the last words of a screen, that the history was not kept', async () => {
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const watch = refused();
  await keepWatch(watch);
  expect(told.mock.calls.flat().join('')).toContain('The history cannot be written.');
  await closeWatch(watch);
  expect(
    told.mock.calls
      .flat()
      .join('')
      .match(/cannot be written/g),
  ).toHaveLength(1);
});

it('tells it at the close where there was no screen', async () => {
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await closeWatch(refused());
  expect(told.mock.calls.flat().join('')).toContain('The history cannot be written.');
});
