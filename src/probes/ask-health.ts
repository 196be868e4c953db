import type { Duplex } from 'node:stream';
import type { HealthAnswer } from '../core/events.js';
import { FiredupError } from '../errors.js';
import type { Host } from '../host/host.js';
import type { ScriptOptions } from '../remote/script.js';
import { httpStatus } from './http-status.js';
import { lineReader, runScriptToEnd } from './run-script.js';

/** What came of one question, and whether it was answered by TLS. */
export interface Asked {
  readonly result: HealthAnswer['result'];
  readonly isSecure: boolean;
}

/**
 * Returns what asks a port of the host for the status of a path, within 2 s: by a forwarded stream, and once that is
 * forbidden by a command on the host; by TLS where that is spoken there. Rejects only when the link is gone.
 */
export function createAsker(host: Host, script: ScriptOptions | undefined) {
  let forbidden = false;
  let securePort: number | null = null;
  const askBoth = async (target: Place, signal: AbortSignal): Promise<Asked | 'forbidden'> => {
    const plain = securePort === target.port ? null : await askForwarded(host, target, signal);
    if (plain === 'forbidden') return plain;
    if (plain !== null && plain.kind !== 'failed') return { result: plain, isSecure: false };
    const secure = await askForwarded(host, target, signal, withTls);
    const isSecure = secure !== 'forbidden' && secure.kind === 'status';
    securePort = isSecure ? target.port : null;
    if (isSecure) return { result: secure, isSecure };
    if (plain !== null) return { result: plain, isSecure: false };
    return secure === 'forbidden' ? secure : { result: secure, isSecure: false };
  };
  return async (target: Place, signal: AbortSignal): Promise<Asked> => {
    if (!forbidden) {
      const result = await askBoth(target, signal);
      if (result !== 'forbidden') return result;
      forbidden = true;
    }
    return askOnHost(host, target, signal, script);
  };
}

type Result = Asked['result'];

interface Place {
  readonly port: number;
  readonly path: string;
  /** Of the host itself. */
  readonly address: string;
}

/** The certificate may be of any name, or its own: the stream leads to that host, and nothing but the status is believed. */
async function withTls(stream: Duplex): Promise<Duplex> {
  // Loaded only where it is spoken: no first frame waits for it.
  const { connect } = await import('node:tls');
  const secure = connect({ socket: stream, rejectUnauthorized: false });
  secure.once('close', () => stream.destroy());
  return secure;
}

/** For one question, from the first byte to the status line. */
const deadlineMs = 2000;

async function askForwarded(
  host: Host,
  target: Place,
  signal: AbortSignal,
  wrap: (stream: Duplex) => Duplex | Promise<Duplex> = (stream) => stream,
): Promise<Result | 'forbidden'> {
  let stream: Duplex | null = null;
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  let stop: () => void = () => {};
  const ended = new Promise<Result>((resolve) => {
    stop = () => resolve({ kind: 'timeout' });
    timer = setTimeout(stop, deadlineMs);
    signal.addEventListener('abort', stop, { once: true });
  });
  const asked = host.forward(target.port, target.address).then(async (opened) => {
    stream = opened;
    opened.on('error', () => {});
    if (over) {
      opened.destroy();
      return { kind: 'timeout' } as const;
    }
    return httpStatus(await wrap(opened), authorityOf(target), pathOf(target));
  });
  try {
    return await Promise.race([asked, ended]);
  } catch (error) {
    return failureOf(error);
  } finally {
    over = true;
    asked.catch(() => {});
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    closeSoon(stream);
  }
}

/** Lets a short body come to its end first: servers log a connection that breaks off. */
function closeSoon(stream: Duplex | null): void {
  if (stream === null) return;
  const timer = setTimeout(() => stream.destroy(), 200);
  timer.unref();
  stream.once('close', () => clearTimeout(timer));
}

function failureOf(error: unknown): Result | 'forbidden' {
  if (!(error instanceof FiredupError)) throw error;
  switch (error.code) {
    case 'forward-forbidden':
      return 'forbidden';
    case 'forward-refused':
      return { kind: 'refused' };
    case 'forward-timeout':
      return { kind: 'timeout' };
    case 'forward-failed':
      return { kind: 'failed', reason: error.message };
    default:
      throw error;
  }
}

async function askOnHost(
  host: Host,
  target: Place,
  signal: AbortSignal,
  script: ScriptOptions | undefined,
): Promise<Asked> {
  let asked: Asked = { result: { kind: 'failed', reason: 'no answer' }, isSecure: false };
  await runScriptToEnd(
    host,
    {
      name: 'http-get',
      args: [String(target.port), pathOf(target), target.address],
      options: script,
      onOutput: lineReader((line) => {
        if (line.startsWith('H ')) asked = askedOf(line.slice(2));
      }),
    },
    signal,
  );
  return asked;
}

/** `200 https`, `200 http`, or why there was no answer. */
function askedOf(words: string): Asked {
  const [, code, scheme] = /^(\d{3})(?: (https?))?$/.exec(words) ?? [];
  if (code === undefined) return { result: failureIn(words), isSecure: false };
  return { result: { kind: 'status', code: Number(code) }, isSecure: scheme === 'https' };
}

function failureIn(words: string): Result {
  if (words === 'refused') return { kind: 'refused' };
  if (words === 'timeout') return { kind: 'timeout' };
  return { kind: 'failed', reason: words.replace(/^failed /, '') };
}

const authorityOf = ({ address, port }: Place): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

/** The path comes from an engine's profile or the log: nothing of it may end the request line. */
function pathOf({ path }: Place): string {
  const safe = path.replace(/[^\x21-\x7e]/g, encodeURIComponent);
  return safe.startsWith('/') ? safe : `/${safe}`;
}
