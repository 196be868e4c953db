import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { type Prompts, promptsBy } from '../host/prompts.js';

/**
 * Asks the login's questions on the terminal, while no screen is drawn. What is secret is not echoed and kept
 * nowhere. `beforeAsking` clears what stands in the way.
 */
export const terminalPrompts = (beforeAsking: () => void): Prompts =>
  promptsBy(({ heading, text, echo }) => {
    beforeAsking();
    return ask(`${[...heading, text].join('\n')} `, echo);
  });

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
