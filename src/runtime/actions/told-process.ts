import { displayArgv } from '../../core/launch-spec.js';
import { redact } from '../../ingest/redact.js';
import { withoutMarkLine } from '../../remote/mark-line.js';
import { decodeHex } from './remote-text.js';
import type { Answer } from './run-script.js';

/** Turns a uid into a name, and says whether it is another user's. */
export function ownersOf(answers: readonly Answer[]): (uid: string) => { owner: string; foreign: boolean } {
  const me = answers.find(({ key }) => key === 'me')?.words[0];
  const names = new Map(
    answers.filter(({ key }) => key === 'owner').map(({ words: [uid, name] }) => [uid, name]),
  );
  return (uid) => ({ owner: names.get(uid) ?? uid, foreign: uid !== me });
}

/**
 * The hex of `/proc/PID/cmdline` as a line for people, secrets redacted: arguments that end with NUL, or one text
 * with blanks where a process has set its title.
 */
export function commandOf(hex: string): string {
  const words = decodeHex(hex)
    .replace(/[\0\n ]+$/, '')
    .split('\0');
  return words.length === 1 ? redact(words[0] ?? '') : displayArgv(words.map(withoutMarkLine));
}
