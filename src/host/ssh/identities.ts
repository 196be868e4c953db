import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { ParsedKey } from 'ssh2';
import { FiredupError } from '../../errors.js';
import type { Keyring } from '../keyring.js';
import { plainText } from '../plain-text.js';
import type { Prompts } from '../prompts.js';
import { agentIdentities } from './agent-identities.js';
import type { Destination } from './destination.js';
import type { Identity } from './identity.js';
import { isWrongPassphrase, type KeyFile, readKeyFile, readPublicHalf } from './key-file.js';

export interface Identities {
  /** In the order in which they should be offered. */
  readonly keys: readonly Identity[];
  /** Files and agents of no use, and why. */
  readonly notes: readonly string[];
}

export interface IdentityOptions {
  readonly prompts: Prompts;
  readonly keyring: Keyring;
}

/**
 * The keys for one login. First those of the agent that the config names, then open key files, then the agent's
 * other keys (none with IdentitiesOnly), so that a full agent does not use up the server's tries before the right
 * key comes. A locked file goes before foreign keys when the user named it, behind them when it is only a default.
 */
export async function collectIdentities(
  destination: Pick<Destination, 'identityFiles' | 'identitiesOnly' | 'agentSocket' | 'passwordTries'>,
  options: IdentityOptions,
): Promise<Identities> {
  const notes: string[] = [];
  const agent = destination.agentSocket === null ? [] : await agentIdentities(destination.agentSocket, notes);
  const named: Identity[] = [];
  const open: Identity[] = [];
  const locked: Identity[] = [];
  const lockedDefaults: Identity[] = [];
  const opaque: Identity[] = [];
  const taken = new Set<Identity>();

  for (const path of destination.identityFiles) {
    const file = readKeyFile(path);
    if (file instanceof Error) notes.push(file.message);
    // The private half may live in the agent only: the .pub file then says which key is meant.
    const publicKey = file instanceof Error || file === null ? publicOf(path) : file.publicKey;
    const held =
      publicKey === null ? undefined : agent.find((identity) => identity.publicKey?.equals(publicKey));
    if (held !== undefined) {
      if (!taken.has(held)) named.push(held);
      taken.add(held);
    } else if (file !== null && !(file instanceof Error)) {
      const identity = fileIdentity(file, options, destination.passwordTries);
      if (!file.encrypted) open.push(identity);
      else if (file.publicKey === null) opaque.push(identity);
      else (isDefaultKey(path) ? lockedDefaults : locked).push(identity);
    }
  }
  const foreign = destination.identitiesOnly ? [] : agent.filter((identity) => !taken.has(identity));
  return { keys: [...named, ...open, ...locked, ...foreign, ...lockedDefaults, ...opaque], notes };
}

/** A key that is already in memory. */
export function memoryIdentity(label: string, key: ParsedKey): Identity {
  const publicKey = key.getPublicSSH();
  return {
    label,
    publicKey,
    reveal: async () => publicKey,
    sign: async (data, hash) => signed(key, data, hash),
  };
}

const publicOf = (path: string): Buffer | null => readPublicHalf(`${path}.pub`) ?? readPublicHalf(path);

const isDefaultKey = (path: string): boolean =>
  dirname(path) === join(userInfo().homedir, '.ssh') && /\/id_[a-z0-9_]+$/.test(path);

function fileIdentity(file: KeyFile, { prompts, keyring }: IdentityOptions, tries: number): Identity {
  let key: ParsedKey | null = null;
  const unlocked = async () => {
    if (key !== null) return key;
    if (file.open !== null) {
      key = file.open;
    } else {
      key = keyring.unlocked(file.path, file.publicKey) ?? (await askAndUnlock(file, prompts, tries));
      keyring.keep(file.path, key);
    }
    return key;
  };
  return {
    label: file.path,
    publicKey: file.publicKey,
    reveal: async () => file.publicKey ?? (await unlocked()).getPublicSSH(),
    sign: async (data, hash) => signed(await unlocked(), data, hash),
  };
}

async function askAndUnlock(file: KeyFile, prompts: Prompts, tries: number): Promise<ParsedKey> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const passphrase = await prompts.passphrase(file.path, attempt);
    if (passphrase === null) throw new Error(`${file.path} stays locked`);
    const key = await file.unlock(passphrase);
    if (!(key instanceof Error)) return key;
    if (!isWrongPassphrase(key)) throw new Error(`${file.path}: ${plainText(key.message)}`);
  }
  throw new Error(`${file.path}: wrong passphrase`);
}

function signed(key: ParsedKey, data: Buffer, hash: string | undefined): Buffer {
  const signature: Buffer | Error = key.sign(data, hash);
  if (signature instanceof Error) throw signature;
  return signature;
}

/** The sentence in which a locked key or a refused prompt explains itself. */
export const reasonOf = (error: unknown): string =>
  error instanceof FiredupError
    ? error.message
    : plainText(error instanceof Error ? error.message : String(error));
