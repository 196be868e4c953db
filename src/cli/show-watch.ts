import { startWatch, type WatchOptions } from '../runtime/watch.js';
import { askingOnTerminal } from './connection.js';
import { lendNothing, type Presentation, present } from './present.js';

type Options = Omit<WatchOptions, 'asking' | 'outside' | 'env' | 'now' | 'random'>;

/**
 * Watches a server as the options say and shows it until it ends or the user leaves; returns the exit code.
 * `onBegun` runs once the watch stands.
 */
export async function showWatch(
  options: Options,
  how: Presentation,
  onBegun?: (watch: ReturnType<typeof startWatch>) => Promise<void>,
): Promise<number> {
  const lending = lendNothing();
  const watch = startWatch({
    ...options,
    asking: how.screen ? 'screen' : askingOnTerminal(),
    outside: lending,
    env: process.env,
    now: Date.now,
    random: Math.random,
  });
  await onBegun?.(watch);
  return present(watch, how, lending);
}
