import ssh2, { type ParsedKey } from 'ssh2';
import { describeError } from '../../errors.js';
import { plainText } from '../plain-text.js';
import { listAgentKeys } from './agent-list.js';
import type { Identity } from './identity.js';
import { keyType } from './known-hosts.js';

/** The keys of the agent at `socketPath`; what cannot be used, or an agent that does not answer, goes into `notes`. */
export async function agentIdentities(socketPath: string, notes: string[]): Promise<readonly Identity[]> {
  const listed = await listAgentKeys(socketPath, listLimitMs).catch((error: unknown) => {
    notes.push(`the agent at ${socketPath} does not answer (${plainText(describeError(error))})`);
    return [];
  });
  const agent = new ssh2.OpenSSHAgent(socketPath);
  return listed.flatMap(({ publicKey, comment }) => {
    const type = keyType(publicKey) ?? '';
    const label = `${plainText(comment || type, 60)} (agent)`;
    const key = supported.has(type)
      ? ssh2.utils.parseKey(`${type} ${publicKey.toString('base64')}`)
      : new Error('not supported');
    if (key instanceof Error) {
      // FIDO keys and certificates: ssh2 drops them without a word, or tries the bare key a second time.
      notes.push(`${label} is of type ${plainText(type, 60)}, which is not supported`);
      return [];
    }
    const sign = (data: Buffer, hash: string | undefined) => signByAgent(agent, key, data, hash);
    return [{ label, publicKey, reveal: async () => publicKey, sign }];
  });
}

function signByAgent(
  agent: InstanceType<typeof ssh2.OpenSSHAgent>,
  key: ParsedKey,
  data: Buffer,
  hash: string | undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the agent does not sign')), signLimitMs);
    const options = hash === undefined ? {} : { hash: hash as 'sha256' | 'sha512' };
    agent.sign(key, data, options, (error, signature) => {
      clearTimeout(timer);
      if (error || signature === undefined) reject(error ?? new Error('the agent does not sign'));
      else resolve(signature);
    });
  });
}

const supported = new Set([
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
]);

const listLimitMs = 5000;
// Long: an agent may ask its user first.
const signLimitMs = 60_000;
