/** One public key that may be offered for a login. */
export interface Identity {
  /** For messages: a path or the agent's comment. */
  readonly label: string;
  /** SSH wire form. Null when only its passphrase will tell; then `reveal` asks for it. */
  readonly publicKey: Buffer | null;
  /** Asks whatever must be asked to know the public key. */
  reveal(): Promise<Buffer>;
  /** Signs for the login; `hash` is set for RSA. Asks for a passphrase where the key is locked. */
  sign(data: Buffer, hash: string | undefined): Promise<Buffer>;
}
