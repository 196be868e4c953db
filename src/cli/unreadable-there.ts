import { exitCodes, FiredupError, fileReason } from '../errors.js';

/** The failure for a file `path` of `host` that cannot be read, by the last words on stderr of the script that tried. */
export function unreadableThere(host: string, path: string, stderr: string): FiredupError {
  const reason = fileReason(stderr.trim().split('\n').at(-1) || 'its host does not say why');
  const [message, hint] = worded[reason]?.(path, host) ?? [
    `${path} on ${host} cannot be read: ${plain(reason)}.`,
    null,
  ];
  return new FiredupError('no-file', message, { exitCode: exitCodes.usage, hint });
}

type Worded = (path: string, host: string) => readonly [message: string, hint: string];

const worded: Readonly<Record<string, Worded>> = {
  'there is no such file': (path, host) => [
    `There is no file ${path} on ${host}.`,
    'A path without / at its beginning counts from the home folder there.',
  ],
  'it is a folder': (path, host) => [
    `${path} on ${host} is a folder, not a log.`,
    'Name the log file in it.',
  ],
  'no permission': (path, host) => [
    `${path} on ${host} cannot be read: no permission.`,
    'Log in as the user who owns it: USER@HOST.',
  ],
};

/** `It is a named pipe` in the middle of a sentence. */
const plain = (reason: string): string => reason.replace(/^It is/, 'it is');
