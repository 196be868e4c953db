import net from 'node:net';
import { wireField } from './wire-field.js';

/** A key as an agent lists it. */
export interface AgentKey {
  /** SSH wire form, of any type. */
  readonly publicKey: Buffer;
  readonly comment: string;
}

/**
 * Asks the agent for its keys (draft-miller-ssh-agent: request 11, answer 12). ssh2's own listing leaves out what
 * it does not support, so that nobody could be told why a key is not tried. Rejects when it does not answer in time.
 */
export function listAgentKeys(socketPath: string, limitMs: number): Promise<readonly AgentKey[]> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(socketPath);
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => socket.destroy(new Error(`no answer in ${limitMs / 1000} s`)), limitMs);
    socket.once('connect', () => socket.write(Buffer.from([0, 0, 0, 1, requestIdentities])));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 4 || received.length < 4 + received.readUInt32BE(0)) return;
      try {
        resolve(parseAnswer(received.subarray(4, 4 + received.readUInt32BE(0))));
      } catch {
        reject(new Error('its answer cannot be read'));
      }
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new Error('it closed the connection'));
    });
  });
}

const requestIdentities = 11;
const identitiesAnswer = 12;

function parseAnswer(answer: Buffer): readonly AgentKey[] {
  if (answer[0] !== identitiesAnswer) throw new Error('another answer');
  const keys: AgentKey[] = [];
  let at = 5;
  const next = (): Buffer => {
    const [field, end] = wireField(answer, at);
    at = end;
    return Buffer.from(field);
  };
  for (let left = answer.readUInt32BE(1); left > 0; left--) {
    const publicKey = next();
    keys.push({ publicKey, comment: next().toString('utf8') });
  }
  return keys;
}
