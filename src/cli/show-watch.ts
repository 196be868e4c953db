import { startWatch, type WatchOptions } from '../runtime/watch.js';
import { askingOnTerminal } from './connection.js';
import { lendNothing } from './lending.js';
import { type Presentation, present } from './present.js';

/** `env`: that of this process, where none is given. */
type Options = Omit<WatchOptions, 'asking' | 'outside' | 'env' | 'now' | 'random'> &
  Partial<Pick<WatchOptions, 'env'>>;

/**
 * Watches a server as the options say and shows it until it ends or the user leaves; returns the exit code, and
 * whether he went back to where he came from rather than leave. `onBegun` runs once the watch stands.
 */
export async function showWatch(
  options: Options,
  how: Presentation,
  onBegun?: (watch: ReturnType<typeof startWatch>) => Promise<void>,
): Promise<{ readonly exitCode: number; readonly wentBack: boolean }> {
  const lending = lendNothing();
  const watch = startWatch({
    env: process.env,
    ...options,
    asking: how.screen ? 'screen' : askingOnTerminal(),
    outside: lending,
    now: Date.now,
    random: Math.random,
  });
  // At once: whoever tells it in lines has missed nothing then.
  const [exitCode] = await Promise.all([present(watch, how, lending), onBegun?.(watch)]);
  return { exitCode, wentBack: lending.wentBack };
}
