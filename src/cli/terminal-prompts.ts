import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Prompts } from '../host/prompts.js';

/**
 * Asks the login's questions on the terminal, before any screen is drawn. What is secret is not echoed and kept
 * nowhere. `beforeAsking` clears what stands in the way.
 */
export function terminalPrompts(beforeAsking: () => void): Prompts {
  const question = (text: string, echo: boolean): Promise<string | null> => {
    beforeAsking();
    return ask(text, echo);
  };
  return {
    canAsk: true,
    async confirmHostKey({ host, type, fingerprint }) {
      const text =
        `The host key of ${host} is not known yet.\n  ${type} ${fingerprint}\n` +
        'Is that its key? Type yes, or paste the fingerprint: ';
      const answer = (await question(text, true))?.trim();
      return answer === 'yes' || answer === fingerprint;
    },
    passphrase: (file, attempt) => question(`${again(attempt)}Passphrase for ${file}: `, false),
    password: (user, host, attempt) => question(`${again(attempt)}Password of ${user} on ${host}: `, false),
    async interactive({ name, instructions, prompts }) {
      const heading = [name, instructions].filter((text) => text !== '').join('\n');
      const answers: string[] = [];
      for (const [index, { text, echo }] of prompts.entries()) {
        const answer = await question(index === 0 && heading !== '' ? `${heading}\n${text}` : text, echo);
        if (answer === null) return null;
        answers.push(answer);
      }
      return answers;
    },
  };
}

const again = (attempt: number): string => (attempt > 1 ? 'That was wrong. ' : '');

/** One line from the terminal; null on Ctrl-C, Ctrl-D or when the terminal goes. */
async function ask(text: string, echo: boolean): Promise<string | null> {
  process.stderr.write(text);
  const output = echo ? process.stderr : new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await new Promise<string | null>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(null));
      lines.once('SIGINT', () => resolve(null));
    });
  } finally {
    lines.close();
    if (!echo) process.stderr.write('\n');
  }
}
