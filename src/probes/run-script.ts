import { randomBytes } from 'node:crypto';
import { connectionError, exitCodes, FiredupError } from '../errors.js';
import type { Channel, Host } from '../host/host.js';
import { type ScriptOptions, scriptCommand } from '../remote/script.js';
import { noteRunning } from './leftovers.js';

export interface RemoteScript {
  /** A script beside `remote/script.ts`; it gets a nonce before `args`. */
  readonly name: string;
  readonly args: readonly string[];
  readonly options?: ScriptOptions | undefined;
  /** The words of the script's hello line: `pid`, `boot`, … */
  readonly onHello?: (words: ReadonlyMap<string, string>) => void;
  /** Gets what sends a line to the script besides the heartbeats. */
  readonly onOpen?: (say: (line: string) => void) => void;
  /** Everything after the hello line, as it comes. */
  readonly onOutput: (bytes: Buffer) => void;
  readonly onError?: (bytes: Buffer) => void;
  /** Asked after each piece of output: a promise holds the reading, and with it the remote side, until it settles. */
  readonly drained?: (() => Promise<void> | null) | undefined;
}

/**
 * Runs a script that talks for as long as we listen. Sends it the heartbeats without which it ends itself.
 * Resolves when `signal` aborts; rejects with `FiredupError` when the script or the link ends by itself
 * (`probe-ended`, and what `exec` rejects with), and with whatever a handler throws.
 */
export async function runScript(host: Host, script: RemoteScript, signal: AbortSignal): Promise<void> {
  const end = await play(host, script, signal);
  if (end.kind === 'aborted') return;
  throw connectionError(
    'probe-ended',
    end.lost ? 'The connection was lost.' : `The remote part "${script.name}" ended by itself${end.words}.`,
  );
}

/** The same for a script that ends by itself: resolves at its end, too. */
export async function runScriptToEnd(host: Host, script: RemoteScript, signal: AbortSignal): Promise<void> {
  const end = await play(host, script, signal);
  if (end.kind === 'ended' && end.lost) throw connectionError('probe-ended', 'The connection was lost.');
}

type End =
  | { readonly kind: 'aborted' }
  | { readonly kind: 'ended'; readonly lost: boolean; readonly words: string };

async function play(host: Host, script: RemoteScript, signal: AbortSignal): Promise<End> {
  if (signal.aborted) return { kind: 'aborted' };
  const nonce = randomBytes(8).toString('hex');
  const command = scriptCommand(script.name, [nonce, ...script.args], script.options);
  const channel = await open(host, command, signal);
  if (channel === null) return { kind: 'aborted' };
  return new Promise<End>((resolve, reject) => {
    const stderr: string[] = [];
    let settled = false;
    const settle = (how: () => void) => {
      settled = true;
      clearInterval(beats);
      signal.removeEventListener('abort', abort);
      channel.close();
      how();
    };
    const guard = (handle: () => void) => {
      // What is still on its way then is nobody's business any more.
      if (settled) return;
      try {
        handle();
      } catch (error) {
        settle(() => reject(error));
      }
    };
    const beats = startHeartbeat(channel);
    const abort = () => settle(() => resolve({ kind: 'aborted' }));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort);
    script.onOpen?.((line) => !settled && channel.stdin.writable && channel.stdin.write(`${line}\n`));

    let strikeOut: () => void = () => {};
    const take = helloFilter(nonce, {
      onOutput: script.onOutput,
      onHello(words) {
        const [pid = '', startTicks = '', boot = ''] = ['pid', 'ticks', 'boot'].map((key) => words.get(key));
        // The encoded script opens with the nonce; a piece of 40 characters from its start is its alone.
        const mark = command.slice(command.lastIndexOf(' ') + 1).slice(0, 40);
        strikeOut = noteRunning(host, { pid, startTicks, boot, mark });
        script.onHello?.(words);
      },
    });
    channel.stdout.on('data', (bytes: Buffer) => {
      guard(() => take(bytes));
      const wait = settled ? null : (script.drained?.() ?? null);
      if (wait === null) return;
      channel.stdout.pause();
      void wait.then(() => channel.stdout.resume());
    });
    channel.stderr.on('data', (bytes: Buffer) =>
      guard(() => {
        if (script.onError) script.onError(bytes);
        else if (stderr.length < 20) stderr.push(bytes.toString('utf8'));
      }),
    );
    void channel.exited.then((exit) => {
      if (!exit.lost) strikeOut();
      const last = stderr.join('').trim().split('\n').at(-1) ?? '';
      const words = `${exit.code === null ? '' : ` with status ${exit.code}`}${last === '' ? '' : `: ${last.slice(0, 200)}`}`;
      settle(() => resolve({ kind: 'ended', lost: exit.lost, words }));
    });
  });
}

async function open(host: Host, command: string, signal: AbortSignal): Promise<Channel | null> {
  try {
    return await host.exec(command, { signal });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** Well under the 25 s after which the scripts end themselves. */
const heartbeatMs = 8000;

function startHeartbeat(channel: Channel): NodeJS.Timeout {
  channel.stdin.on('error', () => {});
  const beat = () => channel.stdin.writable && channel.stdin.write('.\n');
  beat();
  const timer = setInterval(beat, heartbeatMs);
  timer.unref();
  return timer;
}

/** Hands on what comes after the hello line; an rc file of the login shell may have printed before it. */
function helloFilter(
  nonce: string,
  script: Pick<RemoteScript, 'onHello' | 'onOutput'>,
): (bytes: Buffer) => void {
  const mark = Buffer.from(`\n#${nonce} `);
  // The script opens with a newline of its own, but some shells let an rc file end without one: search from 0.
  let head: Buffer | null = Buffer.alloc(0);
  return (bytes) => {
    if (head === null) return script.onOutput(bytes);
    head = Buffer.concat([head, bytes]);
    const start = head.indexOf(mark);
    if (start < 0) {
      // An rc file may print without end: keep only what the mark may have begun in.
      head = Buffer.from(head.subarray(Math.max(0, head.length - mark.length)));
      return;
    }
    const end = head.indexOf(0x0a, start + 1);
    if (end < 0) return;
    const rest = head.subarray(end + 1);
    script.onHello?.(wordsOf(head.toString('utf8', start + mark.length, end)));
    head = null;
    if (rest.length > 0) script.onOutput(rest);
  };
}

function wordsOf(line: string): ReadonlyMap<string, string> {
  return new Map(
    line
      .trim()
      .split(' ')
      .map((word) => {
        const at = word.indexOf('=');
        return [word.slice(0, at), word.slice(at + 1)] as const;
      }),
  );
}

/** Cuts a stream of bytes into lines for `take`; for the scripts' own words, which are short. */
export function lineReader(take: (line: string) => void): (bytes: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  return (bytes) => {
    const all = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
    let from = 0;
    for (let end = all.indexOf(0x0a); end >= 0; end = all.indexOf(0x0a, from)) {
      take(all.toString('utf8', from, end));
      from = end + 1;
    }
    pending = Buffer.from(all.subarray(from));
    if (pending.length > longestLine) throw protocolError('a line without end');
  };
}

const longestLine = 1 << 20;

/** The remote side said something that our scripts never say. */
export const protocolError = (what: string): FiredupError =>
  new FiredupError('probe-protocol', `The remote part answered with ${what}.`, {
    exitCode: exitCodes.connection,
  });

/** `X REASON`: why a script cannot work on this host. */
export const cannotWork = (reason: string): FiredupError =>
  connectionError(
    'host-unsupported',
    reason === 'no-proc' ? 'This host has no Linux /proc.' : `This host cannot be watched: ${reason}.`,
    'firedup watches Linux hosts.',
  );

export const fromHex = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8');
