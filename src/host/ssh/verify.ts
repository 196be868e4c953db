import { connectionError, describeError, type FiredupError } from '../../errors.js';
import type { HostKeyQuestion } from '../prompts.js';
import { fingerprint, type KeyVerdict, type KnownHost, keyType } from './known-hosts.js';
import { rsaBits } from './rsa-size.js';

/** How one hop's host key is judged. */
export interface HostKeyRule {
  /** As known_hosts names the host, for messages. */
  readonly name: string;
  readonly algorithms: readonly string[];
  /** `RequiredRSASize`. */
  readonly requiredRsaBits: number;
  judge(key: Buffer): KeyVerdict;
  /** Unknown keys: `StrictHostKeyChecking` yes · ask · accept-new. */
  readonly unknown: 'refuse' | 'ask' | 'accept';
  confirm(question: HostKeyQuestion): Promise<boolean>;
  /** Keeps a key that was new and has been accepted. */
  remember(key: Buffer): void;
}

export interface Verifier {
  /** For ssh2's `hostVerifier`. */
  readonly verify: (key: Buffer, answer: (accepted: boolean) => void) => boolean | undefined;
  /** Why the key was refused; null while it was not. */
  refusal(): FiredupError | null;
  /** To be called after the first handshake: only then has the server proven that it holds the key. */
  commit(): void;
}

/**
 * Judges a server's key and fails closed: whatever goes wrong inside means refused. ssh2 takes everything but
 * exactly `false` for a yes, and an answer that comes late during a rekey kills the link; so after the first
 * handshake the answer is immediate: the same key as before, or no.
 */
export function hostKeyVerifier(rule: HostKeyRule): Verifier {
  let accepted: Buffer | null = null;
  let asked = false;
  let fresh = false;
  let refusal: FiredupError | null = null;

  const refuse = (error: FiredupError): false => {
    refusal ??= error;
    return false;
  };

  const first = (key: Buffer, answer: (accepted: boolean) => void): boolean | undefined => {
    const bits = rsaBits(key);
    if (bits !== null && bits < rule.requiredRsaBits) return refuse(shortKey(rule, bits));
    const verdict = rule.judge(key);
    if (verdict.kind === 'known') {
      accepted = Buffer.from(key);
      return true;
    }
    if (verdict.kind === 'changed' || verdict.kind === 'revoked')
      return refuse(refusedKey(rule, verdict, key));
    fresh = true;
    if (rule.unknown === 'accept') {
      accepted = Buffer.from(key);
      return true;
    }
    if (rule.unknown === 'refuse') return refuse(unknownKey(rule, verdict, key));
    asked = true;
    const copy = Buffer.from(key);
    const question = { host: rule.name, type: keyType(copy) ?? 'unknown', fingerprint: fingerprint(copy) };
    rule.confirm(question).then(
      (yes) => {
        if (yes === true) accepted = copy;
        else refuse(connectionError('host-key-refused', `The host key of ${rule.name} was not accepted.`));
        answer(yes === true);
      },
      (error: unknown) => {
        refuse(unknownKey(rule, verdict, copy, error));
        answer(false);
      },
    );
    return undefined;
  };

  return {
    verify(key, answer) {
      try {
        if (accepted !== null) return accepted.equals(key) ? true : refuse(swappedKey(rule, key));
        if (asked || refusal !== null) return false;
        return first(key, answer);
      } catch (error) {
        return refuse(
          connectionError(
            'host-key-unchecked',
            `The host key of ${rule.name} could not be checked: ${describeError(error)}`,
          ),
        );
      }
    },
    refusal: () => refusal,
    commit() {
      if (!fresh || accepted === null) return;
      fresh = false;
      rule.remember(accepted);
    },
  };
}

function unknownKey(rule: HostKeyRule, verdict: KeyVerdict, key: Buffer, cause?: unknown): FiredupError {
  const authority =
    verdict.kind === 'ca-only'
      ? ` Only a certificate authority is known for it (${place(verdict.entry)}), and ssh2 knows no host certificates: --transport ssh does.`
      : '';
  return connectionError(
    'host-key-unknown',
    `The host key of ${rule.name} is not known: ${shown(key)}.${authority}`,
    'Compare the fingerprint, then log in once by hand with ssh, or pass --accept-new.',
    cause,
  );
}

function refusedKey(
  rule: HostKeyRule,
  verdict: Extract<KeyVerdict, { kind: 'changed' | 'revoked' }>,
  key: Buffer,
): FiredupError {
  if (verdict.kind === 'revoked') {
    return connectionError(
      'host-key-revoked',
      `The host key of ${rule.name} is revoked (${place(verdict.entry)}): ${shown(key)}.`,
      'Do not log in there; ask whoever runs the host.',
    );
  }
  return connectionError(
    'host-key-changed',
    `The host key of ${rule.name} has changed: it shows ${shown(key)}, known is ${shown(verdict.entry.key)} (${place(verdict.entry)}).`,
    `Somebody may be listening. If the host was really set up anew: ssh-keygen -f '${verdict.entry.file}' -R '${rule.name}'`,
  );
}

const swappedKey = (rule: HostKeyRule, key: Buffer): FiredupError =>
  connectionError(
    'host-key-changed',
    `${rule.name} showed another host key in the middle of the connection: ${shown(key)}.`,
  );

const shortKey = (rule: HostKeyRule, bits: number): FiredupError =>
  connectionError(
    'host-key-refused',
    `The RSA host key of ${rule.name} has ${bits} bits, and RequiredRSASize asks for ${rule.requiredRsaBits}.`,
  );

const shown = (key: Buffer): string => `${keyType(key) ?? 'unknown type'} ${fingerprint(key)}`;

const place = (entry: KnownHost): string => `${entry.file}:${entry.line}`;
