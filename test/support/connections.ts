import { readFileSync } from 'node:fs';

/** Own addresses of this machine's sockets that are connected to a loopback port (/proc/net/tcp: state 01, remote port). */
export function connectionsTo(port: number): ReadonlySet<string> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = readFileSync('/proc/net/tcp', 'utf8');
  // A set: a row may come twice while the table changes.
  return new Set(
    [...rows.matchAll(new RegExp(`^\\s*\\d+: (\\S+) 0100007F:${hex} 01 `, 'gm'))].map(([, own = '']) => own),
  );
}
