import type { Host } from '../host/host.js';
import type { ScriptOptions } from '../remote/script.js';
import { cannotWork, lineReader, runScriptToEnd } from './run-script.js';

/** Who holds a listening socket. */
export interface Listener {
  readonly pids: readonly number[];
  /** There is one whose process cannot be read (another user's). */
  readonly hidden: boolean;
}

/** Looks up who listens on `port` for 127.0.0.1 on the host. Rejects as `exec` does. */
export async function findListener(
  host: Host,
  port: number,
  signal: AbortSignal,
  script?: ScriptOptions,
): Promise<Listener> {
  const pids: number[] = [];
  let hidden = false;
  let ended = false;
  await runScriptToEnd(
    host,
    {
      name: 'listener',
      args: [String(port)],
      options: script,
      onOutput: lineReader((line) => {
        const [mark, word = ''] = line.split(' ');
        if (mark === 'L') pids.push(Number(word));
        if (mark === 'U') hidden = true;
        if (mark === 'end') ended = true;
        if (mark === 'X') throw cannotWork(word);
      }),
    },
    signal,
  );
  // What broke off has not said that there are no others.
  return { pids, hidden: hidden || !ended };
}

/** Whether the listener belongs to the tree; null where its process, or the tree, is not known. */
export function isOwned(listener: Listener, tree: ReadonlySet<number>): boolean | null {
  if (tree.size === 0) return null;
  if (listener.pids.some((pid) => tree.has(pid))) return true;
  return listener.hidden || listener.pids.length === 0 ? null : false;
}
