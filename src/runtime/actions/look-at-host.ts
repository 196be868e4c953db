import { connectionError } from '../../errors.js';
import type { Channel, Host } from '../../host/host.js';
import type { HostReport, ModelRole } from '../../preflight/host-report.js';
import { type ReportLine, readReport } from '../../preflight/read-host-report.js';
import { scriptCommand } from '../../remote/script.js';
import { decodeHex, octalEscapes } from './remote-text.js';
import { opening, scriptFailed } from './run-script.js';

/** How long a host has from its first word to its last (ms); what came by then counts. */
export const lookLimitMs = 2000;

/**
 * How long one may take that is busy and says one thing after the other (ms), with a pause of `pauseMs` at most: a launch
 * must not go on unwarned for that. What hangs says nothing, and costs no more than `lookLimitMs`.
 */
const busyLimitMs = 6000;
const pauseMs = 1500;

/** How long it may take to that first word: a login shell's rc files come before it. */
const openingLimitMs = 15_000;

/** Asks `preflight.sh` for `items` and reads what it says, to its end or to the deadline. */
export async function lookAtHost(
  host: Host,
  items: readonly string[],
  signal?: AbortSignal,
): Promise<HostReport> {
  const args = items.map(octalEscapes);
  const said = await listen(host, scriptCommand('preflight', args), signal);
  if (said.lost) throw connectionError('link-lost', `The connection to ${host.label} broke.`);
  if (said.text === null) throw scriptFailed(host, 'preflight', said.stderr);
  const lines = said.text.split('\n').slice(0, -1).filter(Boolean);
  return readReport(lines.map(decode), configsOf(lines));
}

function decode(line: string): ReportLine {
  const [key = '', ...words] = line.split(' ');
  if (isPiece(key)) return { key, words: [] };
  return { key, words: words.map((word) => (word.startsWith('.') ? word.slice(1) : decodeHex(word))) };
}

const isPiece = (key: string): boolean => key.startsWith('config-');

/** The pieces of each config file, joined before they are decoded: a character may be cut. */
function configsOf(lines: readonly string[]): Partial<Record<ModelRole, string>> {
  const configs: Partial<Record<ModelRole, string>> = {};
  for (const role of ['target', 'draft'] as const) {
    const start = `config-${role} `;
    const hex = lines.flatMap((line) => (line.startsWith(start) ? [line.slice(start.length)] : [])).join('');
    if (hex !== '') configs[role] = Buffer.from(hex, 'hex').toString('utf8');
  }
  return configs;
}

interface Said {
  /** Null: the script has not begun to speak. */
  readonly text: string | null;
  readonly stderr: string;
  readonly lost: boolean;
}

/** All that comes after the opening line, until `end all`, the command's end or the deadline. */
async function listen(host: Host, command: string, signal?: AbortSignal): Promise<Said> {
  const channel = await host.exec(command, signal === undefined ? {} : { signal });
  channel.stdin.on('error', () => {});
  channel.stdin.end();
  return new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    let stderr = '';
    let deadline: NodeJS.Timeout | null = null;
    let beganAt: number | null = null;
    const text = (): string | null => spoken(Buffer.concat(out).toString('latin1'));
    const finish = (lost: boolean): void => {
      stop();
      channel.close();
      resolve({ text: text(), stderr, lost });
    };
    const late = setTimeout(() => {
      stop();
      channel.close();
      reject(
        connectionError(
          'command-timeout',
          `${host.label} did not begin to answer in ${openingLimitMs / 1000} s.`,
        ),
      );
    }, openingLimitMs);
    const abort = (): void => {
      stop();
      channel.close();
      reject(signal?.reason);
    };
    const stop = (): void => {
      clearTimeout(late);
      if (deadline !== null) clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
    };
    signal?.addEventListener('abort', abort, { once: true });
    collect(channel, {
      onOutput(bytes) {
        out.push(bytes);
        const said = text();
        if (said === null) return;
        clearTimeout(late);
        beganAt ??= performance.now();
        if (deadline !== null) clearTimeout(deadline);
        deadline = setTimeout(() => finish(false), leftMs(performance.now() - beganAt));
        if (said.endsWith('\nend .all\n')) finish(false);
      },
      onError(bytes) {
        if (stderr.length < 4000) stderr += bytes.toString('utf8');
      },
    });
    void channel.exited.then(({ lost }) => finish(lost));
  });
}

/** How long a host that has just spoken may be silent, `spentMs` after its first word. */
const leftMs = (spentMs: number): number =>
  Math.max(0, Math.min(Math.max(lookLimitMs, spentMs + pauseMs), busyLimitMs) - spentMs);

function collect(
  { stdout, stderr }: Channel,
  on: { readonly onOutput: (bytes: Buffer) => void; readonly onError: (bytes: Buffer) => void },
): void {
  stdout.on('data', on.onOutput);
  stderr.on('data', on.onError);
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
}

function spoken(stdout: string): string | null {
  const marker = `\n${opening}\n`;
  const at = stdout.indexOf(marker);
  return at === -1 ? null : stdout.slice(at + marker.length - 1);
}
