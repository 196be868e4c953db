import type { HistoryEntry } from '../../core/history.js';
import { usageError } from '../../errors.js';
import { sanitize } from '../../ingest/sanitize.js';
import { historyHosts, readHistories } from '../../store/history.js';
import { mayColor } from '../finding-text.js';
import { historyTable, serverTable } from '../history-table.js';
import { jsonLine } from '../json-line.js';
import { lastOf } from '../last-of.js';
import { remark } from '../remark.js';
import type { ServerOptions } from '../server-options.js';
import { tableWidth } from '../table.js';

export interface HistoryOptions extends ServerOptions {
  readonly lines: number;
  readonly json?: boolean;
}

type Servers = ReadonlyMap<string, readonly HistoryEntry[]>;

/**
 * `firedup history`: the attempts at a server that are kept on this machine, the newest last; where there are several
 * servers and none is named, a list of them. Nothing is connected. With `--json` one entry a line (schema 2).
 */
export async function history(host: string, options: HistoryOptions): Promise<void> {
  const all = await readHistories(process.env, host);
  const servers = chosen(host, all, options);
  if (servers.size === 0) return remark(await nothing(host));
  const [only] = servers;
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  if (options.json) {
    const entries = [...servers.values()].flatMap((attempts) => lastOf(attempts, options.lines));
    for (const entry of entries) print(jsonLine(entry));
  } else if (only !== undefined && servers.size === 1) {
    print(historyTable(host, only[0], only[1], look(options.lines)));
  } else print(serverTable(host, servers, look(options.lines)));
}

function look(count: number) {
  const { env, stdout } = process;
  return {
    count,
    width: tableWidth(stdout),
    isColoured: mayColor(stdout, env),
    env,
    now: Date.now(),
  };
}

/** Those that are meant: by name, else by log, pid or port; all of them where nothing is said. */
function chosen(host: string, all: Servers, { name, log, pid, port }: ServerOptions): Servers {
  type Meant = (key: string, entries: readonly HistoryEntry[]) => boolean;
  const ways: readonly (Meant | false)[] = [
    name !== undefined && ((key) => key === name),
    log !== undefined &&
      ((key, entries) => [key, ...entries.map((entry) => entry.log)].some((path) => isLog(path, log))),
    pid !== undefined && ((_, entries) => entries.some(({ id }) => id.split(' ')[1] === String(pid))),
    port !== undefined &&
      ((key, entries) => key === `port ${port}` || entries.some((entry) => entry.serverArgs?.port === port)),
  ];
  const given = ways.filter((way) => way !== false);
  if (given.length === 0 || all.size === 0) return all;
  for (const isMeant of given) {
    const found = new Map([...all].filter(([key, entries]) => isMeant(key, entries)));
    if (found.size > 0) return found;
  }
  throw usageError(
    `Nothing is kept of that server on ${sanitize(host)}.`,
    `There are: ${[...all.keys()].map(sanitize).join(', ')}.`,
  );
}

/** The host is not asked what `~` is. */
const isLog = (path: string | null, wanted: string): boolean =>
  path === wanted || (wanted.startsWith('~/') && path?.endsWith(wanted.slice(1)) === true);

async function nothing(host: string): Promise<string> {
  const hosts = await historyHosts(process.env);
  const others = hosts.length === 0 ? '' : ` There are attempts at: ${hosts.join(', ')}.`;
  return `no attempt at a server on ${host} is kept yet: one is, once firedup has watched it.${others}`;
}
