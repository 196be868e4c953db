import type { AnyAuthMethod } from 'ssh2';
import type { Identity } from './identity.js';
import { keyType } from './known-hosts.js';
import { type Asking, OneKeyAgent } from './one-key-agent.js';
import { rsaBits } from './rsa-size.js';
import { signatureAlgorithms } from './signature-algorithms.js';

export interface KeyOffersOptions {
  readonly user: string;
  readonly keys: readonly Identity[];
  readonly asking: Asking;
  /** PubkeyAcceptedAlgorithms, and what the server says that it takes (null: it did not say). */
  readonly accepted: readonly string[];
  readonly announced: () => readonly string[] | null;
  readonly requiredRsaBits: number;
  /** A signature went out. */
  readonly signed: () => void;
  readonly tried: (label: string) => void;
  readonly missed: (label: string, error: unknown) => void;
}

/** The keys of one login, offered one by one; `most` bounds all offers together. */
export interface KeyOffers {
  next(most: number): Promise<AnyAuthMethod | null>;
  /**
   * The next RSA key that was refused, with its other hash: sshd (until 9.5) announces both also where it takes one. For the very
   * end, since each offer is one of the server's MaxAuthTries.
   */
  nextHash(most: number): AnyAuthMethod | null;
  /** How many keys were not offered. */
  left(): number;
}

interface Offer {
  readonly identity: Identity;
  readonly publicKey: Buffer;
  readonly algorithms: readonly string[];
}

export function keyOffers(options: KeyOffersOptions): KeyOffers {
  const keys = [...options.keys];
  const refused: Offer[] = [];
  let count = 0;
  let usedUp = 0;

  const usable = (identity: Identity, publicKey: Buffer): Offer => {
    const bits = rsaBits(publicKey);
    const { requiredRsaBits } = options;
    if (bits !== null && bits < requiredRsaBits)
      throw new Error(`it has ${bits} bits, and RequiredRSASize asks for ${requiredRsaBits}`);
    const { accepted, announced } = options;
    const type = keyType(publicKey) ?? '';
    const algorithms = signatureAlgorithms(type, accepted, announced());
    if (algorithms.length === 0) {
      const byConfig = signatureAlgorithms(type, accepted, null).length === 0;
      throw new Error(
        byConfig ? 'PubkeyAcceptedAlgorithms leaves its kind out' : 'the server takes no key of its kind',
      );
    }
    return { identity, publicKey, algorithms };
  };

  const method = ({ identity, publicKey, algorithms }: Offer): AnyAuthMethod => {
    const [algorithm = '', ...others] = algorithms;
    const again = { identity, publicKey, algorithms: others };
    // Taken out once the server wants the key: then its hash was not the reason.
    const wanted = () => {
      const at = refused.indexOf(again);
      if (at >= 0) refused.splice(at, 1);
    };
    const agent = new OneKeyAgent({ identity, publicKey, algorithm }, options.asking, {
      signed() {
        wanted();
        options.signed();
      },
      failed(error) {
        wanted();
        options.missed(identity.label, error);
      },
    });
    count++;
    if (others.length > 0) refused.push(again);
    return { type: 'agent', username: options.user, agent };
  };

  return {
    async next(most) {
      for (let identity = keys.shift(); identity !== undefined; identity = keys.shift()) {
        if (count >= most) {
          usedUp++;
          continue;
        }
        try {
          const offer = usable(identity, await options.asking(identity.reveal()));
          const found = method(offer);
          options.tried(identity.label);
          return found;
        } catch (error) {
          options.missed(identity.label, error);
        }
      }
      return null;
    },
    nextHash(most) {
      const offer = count < most ? refused.shift() : undefined;
      return offer === undefined ? null : method(offer);
    },
    left: () => keys.length + usedUp,
  };
}
