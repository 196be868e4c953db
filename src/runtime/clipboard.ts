import { spawnSync } from 'node:child_process';

/** Where a text went that was to be copied. */
export type Copied =
  /** Into tmux's buffer. */
  | { readonly to: 'tmux' }
  /** To the terminal, by OSC 52. No terminal answers it: whether it took the text is not known. */
  | { readonly to: 'terminal' }
  | { readonly to: 'nowhere'; readonly why: 'too-long' | 'no-clipboard' };

/**
 * Puts `text` on the user's clipboard: inside tmux into its buffer (`-w`, tmux 3.2, hands it on to the outer terminal),
 * else by OSC 52 through `write`, which tells whether the terminal is ours to write to.
 */
export function copyToClipboard(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  write: (sequence: string) => boolean,
): Copied {
  if (env.TMUX && (loadBuffer(text, env, ['-w']) || loadBuffer(text, env, []))) return { to: 'tmux' };
  if (withoutClipboard.test(env.TERM ?? '')) return { to: 'nowhere', why: 'no-clipboard' };
  const sequence = osc52(text);
  if (sequence.length > osc52Limit) return { to: 'nowhere', why: 'too-long' };
  return write(sequenceFor(sequence, env)) ? { to: 'terminal' } : { to: 'nowhere', why: 'no-clipboard' };
}

/** Terminals of these kinds have no clipboard, and may print the request. */
const withoutClipboard = /^(?:linux|dumb|vt\d.*|ansi|cons25|eterm.*)?$/;

/** The longest request in bytes: hterm takes no more (100,000), and others none that is longer. */
const osc52Limit = 100_000;

const osc52 = (text: string): string => `\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`;

/**
 * GNU screen knows no OSC 52, and prints what of a string is longer than its buffer. A DCS it hands to the terminal as
 * it is: in pieces, each within that buffer, the request comes out whole. Of a TERM that came by ssh nobody knows whether
 * it is screen's or an old tmux's, which ignores such a DCS: a short request is sent both ways.
 */
function sequenceFor(sequence: string, env: Readonly<Record<string, string | undefined>>): string {
  if (env.TMUX || !(env.STY || /^screen/.test(env.TERM ?? ''))) return sequence;
  const pieces = sequence.match(new RegExp(`.{1,${screenPiece}}`, 'gs')) ?? [];
  const wrapped = pieces.map((piece) => `\u001BP${piece}\u001B\\`).join('');
  return env.STY || sequence.length > screenPiece ? wrapped : wrapped + sequence;
}

/** 768 since screen 4.2.1 (2014), 256 in 4.0. */
const screenPiece = 250;

function loadBuffer(text: string, env: NodeJS.ProcessEnv, options: readonly string[]): boolean {
  const args = ['load-buffer', ...options, '-'];
  return spawnSync('tmux', args, { input: text, env, timeout: 2000 }).status === 0;
}
