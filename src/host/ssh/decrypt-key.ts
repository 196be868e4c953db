import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/**
 * A locked private key (OpenSSH, PEM or PKCS#8) as an open PEM text, or the `Error` that says why not. Runs in a thread of
 * its own: OpenSSH's bcrypt takes seconds with many rounds (`ssh-keygen -a`), and the screen must not stand still.
 */
export function decryptKey(text: string, passphrase: string): Promise<string | Error> {
  return new Promise((resolve) => {
    const worker = new Worker(program, {
      eval: true,
      workerData: { text, passphrase, ssh2: createRequire(import.meta.url).resolve('ssh2') },
    });
    worker.once('message', (answer: { readonly pem?: string; readonly error?: string }) =>
      resolve(answer.pem ?? new Error(answer.error ?? 'the key cannot be read')),
    );
    worker.once('error', resolve);
    worker.once('exit', () => resolve(new Error('the key cannot be read')));
  });
}

// As text, so that it runs the same from source and from the built package.
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const { text, passphrase } = workerData;
function open() {
  if (text.includes('-----BEGIN ENCRYPTED PRIVATE KEY-----')) {
    try {
      const key = require('node:crypto').createPrivateKey({ key: text, passphrase });
      return { pem: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
    } catch (error) {
      // OpenSSL's own words for a wrong passphrase.
      if (/bad decrypt|DECODER|unsupported/i.test(error.message)) return { error: 'wrong passphrase' };
      throw error;
    }
  }
  const parsed = require(workerData.ssh2).utils.parseKey(text, passphrase);
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key instanceof Error) return { error: key.message };
  return { pem: key.getPrivatePEM() };
}
try {
  parentPort.postMessage(open());
} catch (error) {
  parentPort.postMessage({ error: error.message });
}
`;
