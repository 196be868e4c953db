import type { Host } from '../host/host.js';
import type { ScriptOptions } from '../remote/script.js';
import { cannotWork, lineReader, runScriptToEnd } from './run-script.js';

/** Who holds a listening socket. */
export interface Listener {
  readonly pids: readonly number[];
  /** There is one whose process cannot be read (another user's). */
  readonly hidden: boolean;
  /** Where 127.0.0.1 does not reach it: an address of the host that does. */
  readonly address?: string;
}

/**
 * Looks up who listens on `port` for 127.0.0.1 on the host; where nobody does, on another address of it, on that of a
 * process of `tree` before any other. Rejects as `exec` does.
 */
export async function findListener(
  host: Host,
  port: number,
  signal: AbortSignal,
  script?: ScriptOptions,
  tree: ReadonlySet<number> = new Set(),
): Promise<Listener> {
  const sockets = new Map<string, { readonly pids: number[]; hidden: boolean }>();
  let ended = false;
  await runScriptToEnd(
    host,
    {
      name: 'listener',
      args: [String(port)],
      options: script,
      onOutput: lineReader((line) => {
        const [mark, word = '', ...rest] = line.split(' ');
        if (mark === 'end') ended = true;
        if (mark === 'X') throw cannotWork(word);
        if (mark !== 'L' && mark !== 'U') return;
        const hex = rest.at(-1) ?? '-';
        const socket = sockets.get(hex) ?? { pids: [], hidden: false };
        sockets.set(hex, socket);
        if (mark === 'L') socket.pids.push(Number(word));
        else socket.hidden = true;
      }),
    },
    signal,
  );
  // What broke off has not said that there are no others.
  const found = [...sockets].map(([hex, { pids, hidden }]) => {
    const address = addressOf(hex);
    return { pids, hidden: hidden || !ended, ...(address === null ? {} : { address }) };
  });
  return found.find((each) => isOwned(each, tree) === true) ?? found[0] ?? { pids: [], hidden: !ended };
}

/** From the words of /proc/net/tcp and tcp6: each 32 bits in the byte order of the machine, little-endian. */
function addressOf(hex: string): string | null {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.');
  if (bytes.length !== 16) return null;
  // An IPv4 address in an IPv6 socket (`::ffff:10.0.0.5`) is reached as what it is.
  if (/^0{20}f{4}/i.test(bytes.join(''))) {
    return bytes
      .slice(12)
      .map((byte) => Number.parseInt(byte, 16))
      .join('.');
  }
  const full = (bytes.join('').match(/.{4}/g) ?? []).join(':');
  // As people write it: `::1`.
  return new URL(`http://[${full}]`).hostname.slice(1, -1);
}

/** Whether the listener belongs to the tree; null where its process, or the tree, is not known. */
export function isOwned(listener: Listener, tree: ReadonlySet<number>): boolean | null {
  if (tree.size === 0) return null;
  if (listener.pids.some((pid) => tree.has(pid))) return true;
  return listener.hidden || listener.pids.length === 0 ? null : false;
}
