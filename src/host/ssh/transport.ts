import net from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionError, FiredupError } from '../../errors.js';
import { interrupted } from '../failures.js';
import { onAbort } from '../on-abort.js';
import { errorWords } from './error-words.js';

export interface TcpTarget {
  readonly host: string;
  readonly port: number;
  /** 0: whatever the name resolves to. */
  readonly family: 0 | 4 | 6;
  /** Of one attempt. */
  readonly timeoutMs: number;
  /** How often it is tried where the machine is not there (yet); 1 at the least. */
  readonly attempts: number;
}

/**
 * Opens the one TCP connection. Rejects with `unreachable`, `connect-timeout` or `interrupted`. As ssh does, it waits a
 * second between two attempts, and looks up a name that is not known only once (sshconnect.c).
 */
export async function openTcp(target: TcpTarget, signal: AbortSignal): Promise<net.Socket> {
  for (let left = target.attempts; ; left -= 1) {
    try {
      return await openOnce(target, signal);
    } catch (error) {
      if (left <= 1 || signal.aborted || !mayComeUp(error)) throw error;
      await sleep(1000, undefined, { signal }).catch(() => {});
    }
  }
}

function mayComeUp(error: unknown): boolean {
  if (!(error instanceof FiredupError)) return false;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return reasons[code ?? ''] !== noName;
}

function openOnce(target: TcpTarget, signal: AbortSignal): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({
      host: target.host,
      port: target.port,
      family: target.family,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 15_000,
    });
    let off = () => {};
    const settle = (error: FiredupError | null) => {
      clearTimeout(timer);
      off();
      if (error === null) return resolve(socket);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () =>
        settle(
          connectionError(
            'connect-timeout',
            `${target.host}:${target.port} did not answer in ${target.timeoutMs / 1000} s.`,
            'Is the machine up, and is the network or VPN there?',
          ),
        ),
      target.timeoutMs,
    );
    // Stays for the whole life of the socket: an error without a listener would end the process.
    socket.on('error', (error) => settle(unreachable(target, error)));
    socket.once('connect', () => settle(null));
    off = onAbort(signal, () => settle(interrupted('The connection')));
  });
}

/** Counts what passes through a transport, and keeps the head of what came in for messages. */
export interface TransportMeter {
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** The first bytes received, at most 256. */
  readonly head: Buffer;
}

/** Starts counting on a transport that ssh2 has been given already (listening earlier would start its flow). */
export function meterOf(transport: Duplex): TransportMeter {
  let bytesIn = 0;
  let head = Buffer.alloc(0);
  transport.on('data', (chunk: Buffer) => {
    bytesIn += chunk.length;
    if (head.length < 256) head = Buffer.concat([head, chunk.subarray(0, 256 - head.length)]);
  });
  return {
    get bytesIn() {
      return bytesIn;
    },
    get bytesOut() {
      return 'bytesWritten' in transport && typeof transport.bytesWritten === 'number'
        ? transport.bytesWritten
        : 0;
    },
    get head() {
      return head;
    },
  };
}

function unreachable(target: TcpTarget, error: NodeJS.ErrnoException): FiredupError {
  const place = `${target.host}:${target.port}`;
  const known = reasons[error.code ?? ''];
  return connectionError(
    'unreachable',
    known === undefined ? `${place} cannot be reached: ${errorWords(error)}.` : known.say(target.host, place),
    known?.hint,
    error,
  );
}

const noName = {
  say: (host: string) => `The name ${host} cannot be resolved.`,
  hint: 'Check the spelling, the ssh config, and the VPN.',
};

const reasons: Record<string, { say(host: string, place: string): string; hint: string } | undefined> = {
  ENOTFOUND: noName,
  EAI_AGAIN: noName,
  ECONNREFUSED: {
    say: (_host, place) => `Nothing listens on ${place} (connection refused).`,
    hint: 'Is sshd running there, and is the port right?',
  },
  EHOSTUNREACH: {
    say: (_host, place) => `There is no route to ${place}.`,
    hint: 'Is the machine up, and is the network or VPN there?',
  },
  ENETUNREACH: {
    say: (_host, place) => `There is no route to ${place}.`,
    hint: 'Is the network or VPN there?',
  },
};
