import ssh2, {
  type IdentityCallback,
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
} from 'ssh2';
import { plainText } from '../plain-text.js';
import type { Identity } from './identity.js';
import { hashOf } from './signature-algorithms.js';

/** Wraps a question to the user, whose thinking no time limit of ours must count. */
export type Asking = <T>(question: Promise<T>) => Promise<T>;

/** A public key in SSH wire form, and the algorithm by which it would sign. */
export interface OfferedKey {
  readonly identity: Identity;
  readonly publicKey: Buffer;
  readonly algorithm: string;
}

/** What became of the one signature. */
export interface KeyOutcome {
  signed(): void;
  failed(error: unknown): void;
}

/**
 * One key as an ssh2 agent: offers its public half, and signs (asking for a passphrase) only when the server
 * wants it. One agent a key, because ssh2 tells the outcome of a whole agent only.
 */
export class OneKeyAgent extends ssh2.BaseAgent<ParsedKey> {
  readonly #identity: Identity;
  readonly #publicKey: ParsedKey;
  readonly #algorithm: string;
  readonly #asking: Asking;
  readonly #outcome: KeyOutcome;

  constructor({ identity, publicKey, algorithm }: OfferedKey, asking: Asking, outcome: KeyOutcome) {
    super();
    const type = publicKey.toString('latin1', 4, 4 + publicKey.readUInt32BE(0));
    const key = ssh2.utils.parseKey(`${type} ${publicKey.toString('base64')}`);
    if (key instanceof Error) throw new Error(`a ${plainText(type, 40)} key, which is not supported`);
    this.#identity = identity;
    // ssh2 takes a type that is not `ssh-rsa` for the algorithm, else it would choose the hash of an RSA key itself.
    this.#publicKey = algorithm === type ? key : Object.create(key, { type: { value: algorithm } });
    this.#algorithm = algorithm;
    this.#asking = asking;
    this.#outcome = outcome;
  }

  override getIdentities(done: IdentityCallback<ParsedKey>): void {
    done(null, [this.#publicKey]);
  }

  override sign(
    _key: ParsedKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    done?: SignCallback,
  ): void {
    const callback = typeof options === 'function' ? options : done;
    const asked = typeof options === 'function' ? undefined : options.hash;
    const hash = asked ?? hashOf(this.#algorithm);
    this.#asking(this.#identity.sign(data, hash)).then(
      (signature) => {
        this.#outcome.signed();
        callback?.(null, signature);
      },
      (error: unknown) => {
        this.#outcome.failed(error);
        callback?.(new Error('the key stays locked'));
      },
    );
  }
}
