import { createInterface } from 'node:readline/promises';
import { usageError } from '../errors.js';

/** Asks on the terminal; anything but `y` or `yes` is no. A usage error where there is no terminal to ask on. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw usageError('There is no terminal to ask on.', 'Give --yes to act without a question.');
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question} [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
