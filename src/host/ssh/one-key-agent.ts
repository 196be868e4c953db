import ssh2, {
  type IdentityCallback,
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
} from 'ssh2';
import { plainText } from '../plain-text.js';
import type { Identity } from './identity.js';

/** Wraps a question to the user, whose thinking no time limit of ours must count. */
export type Asking = <T>(question: Promise<T>) => Promise<T>;

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
  readonly #asking: Asking;
  readonly #outcome: KeyOutcome;

  constructor(identity: Identity, publicKey: Buffer, asking: Asking, outcome: KeyOutcome) {
    super();
    const type = publicKey.toString('latin1', 4, 4 + publicKey.readUInt32BE(0));
    const key = ssh2.utils.parseKey(`${type} ${publicKey.toString('base64')}`);
    if (key instanceof Error) throw new Error(`a ${plainText(type, 40)} key, which is not supported`);
    this.#identity = identity;
    this.#publicKey = key;
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
    const hash = typeof options === 'function' ? undefined : options.hash;
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
