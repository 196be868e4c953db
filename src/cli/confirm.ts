import { createInterface } from 'node:readline/promises';
import { usageError } from '../errors.js';

/** Asks on the terminal; anything but `y` or `yes` is no, Ctrl-C and Ctrl-D as well. A usage error where there is no terminal to ask on. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw usageError('There is no terminal to ask on.', 'Give --yes to act without a question.');
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // On Ctrl-C it rejects, on Ctrl-D it never settles: the end of the input answers for it.
    const answer = await Promise.race([
      lines.question(`${question} [y/N] `).catch(() => ''),
      new Promise<string>((resolve) => lines.once('close', () => resolve(''))),
    ]);
    const isYes = /^y(?:es)?$/i.test(answer.trim());
    if (!isYes) process.stderr.write('\nNothing was done.\n');
    return isYes;
  } finally {
    lines.close();
  }
}
