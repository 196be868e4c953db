import type { Duplex } from 'node:stream';
import ssh2, { type Algorithms as Ssh2Algorithms } from 'ssh2';
import { connectionError, describeError, type FiredupError } from '../../errors.js';
import { interrupted } from '../failures.js';
import { onAbort } from '../on-abort.js';
import type { Algorithms } from './algorithms.js';
import type { LoginAuth } from './auth.js';
import { linkReason, loginFailure } from './link-failures.js';
import { type Link, liveLink } from './live-link.js';
import type { Asking } from './one-key-agent.js';
import { announcedAlgorithms } from './signature-algorithms.js';
import { meterOf, type TransportMeter } from './transport.js';
import type { Verifier } from './verify.js';
import { type AliveLimits, aliveLimits } from './watchdog.js';

export interface LinkOptions {
  /** For messages. */
  readonly label: string;
  /** An open byte stream to the SSH server: the TCP socket, or a channel through a jump host. */
  readonly transport: Duplex;
  readonly user: string;
  readonly algorithms: Pick<Algorithms, 'kex' | 'ciphers' | 'macs' | 'hostKeys'>;
  readonly verifier: Verifier;
  /** Made with `asking`, which wraps each question to the user, and what the server announces (`announcedAlgorithms`). */
  readonly auth: (asking: Asking, announced: () => readonly string[] | null) => LoginAuth;
  readonly limits?: Partial<LinkLimits>;
  readonly alive?: AliveLimits;
}

/** ms; each phase has its own, and none runs while the user is being asked. */
export interface LinkLimits {
  readonly handshakeMs: number;
  readonly loginMs: number;
  /** sshd's LoginGraceTime is 120 s. */
  readonly promptMs: number;
}

const defaultLimits: LinkLimits = { handshakeMs: 15_000, loginMs: 30_000, promptMs: 115_000 };

/**
 * Handshake, host key, login over an open transport; on failure the transport is destroyed. Rejects with
 * `FiredupError`: host-key-…, login-failed, no-answer, handshake-timeout, login-timeout, closed-by-host, not-ssh, interrupted.
 */
export function openLink(options: LinkOptions, signal: AbortSignal): Promise<Link> {
  const { label, transport, verifier } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const alive = options.alive ?? aliveLimits(0, 3);
  const client = new ssh2.Client();

  return new Promise((resolve, reject) => {
    let phase: 'handshake' | 'login' = 'handshake';
    let settled = false;
    let lastError: Error | null = null;
    let timer: NodeJS.Timeout | undefined;
    let meter: TransportMeter | null = null;
    let off = () => {};

    const arm = (ms: number, code: string, message: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => fail(connectionError(code, message)), ms);
    };
    const armPhase = () =>
      phase === 'handshake'
        ? arm(
            limits.handshakeMs,
            'handshake-timeout',
            `${label} accepted the connection but does not speak SSH in time.`,
          )
        : arm(limits.loginMs, 'login-timeout', `${label} does not answer the login.`);
    const asking = async <T>(question: Promise<T>): Promise<T> => {
      arm(limits.promptMs, 'no-answer', `The login to ${label} waited too long for an answer.`);
      try {
        return await question;
      } finally {
        // An answer that comes too late goes nowhere: ssh2 would send it over what has ended.
        if (settled) await new Promise(() => {});
        armPhase();
      }
    };
    const settle = () => {
      settled = true;
      clearTimeout(timer);
      off();
    };
    const fail = (error: FiredupError) => {
      if (settled) return;
      settle();
      transport.destroy();
      reject(error);
    };
    const explain = (): FiredupError =>
      verifier.refusal() ??
      loginFailure({
        label,
        phase,
        error: lastError,
        head: meter?.head ?? Buffer.alloc(0),
        authFailure: (words) => auth.failure(words),
      });

    let announced = (): readonly string[] | null => null;
    const auth = options.auth(asking, () => announced());

    client.on('error', (error: Error & { level?: string }) => {
      // An agent that fails is no end: ssh2 goes on with the next key by itself.
      if (error.level === 'agent') return;
      lastError = error;
      if (!settled) fail(explain());
    });
    client.on('close', () => fail(explain()));
    client.once('handshake', () => {
      phase = 'login';
      try {
        verifier.commit();
      } catch (error) {
        lastError = error instanceof Error ? error : new Error(describeError(error));
      }
      armPhase();
    });
    client.once('ready', () => {
      if (settled || meter === null) return;
      settle();
      resolve(
        liveLink(client, transport, meter, () => verifier.refusal()?.message ?? linkReason(lastError), alive),
      );
    });

    armPhase();
    client.connect({
      sock: transport,
      username: options.user,
      readyTimeout: 0,
      // Only to make the server say something: the watchdog decides.
      keepaliveInterval: alive.intervalSeconds * 1000,
      keepaliveCountMax: 1e9,
      algorithms: algorithmsFor(options.algorithms),
      hostVerifier: (key: Buffer, answer: (accepted: boolean) => void) => {
        const verdict = verifier.verify(key, (accepted) => {
          if (settled) return;
          armPhase();
          answer(accepted);
        });
        if (verdict === undefined)
          arm(limits.promptMs, 'no-answer', `Nobody answered whether the host key of ${label} is right.`);
        return verdict as boolean;
      },
      authHandler: auth.handler,
    });
    announced = announcedAlgorithms(client);
    meter = meterOf(transport);
    off = onAbort(signal, () => fail(interrupted(`The login to ${label}`)));
  });
}

/** Its types name fewer than it has. */
const algorithmsFor = ({ kex, ciphers, macs, hostKeys }: LinkOptions['algorithms']): Ssh2Algorithms =>
  ({ kex, cipher: ciphers, hmac: macs, serverHostKey: hostKeys }) as unknown as Ssh2Algorithms;
