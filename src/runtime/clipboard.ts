import { spawnSync } from 'node:child_process';

/** What a terminal is asked to keep at most, in base64: more than this many bytes some refuse, some cut. */
const osc52Limit = 74_000;

/** Terminals of these kinds have no clipboard, and may print the request. */
const withoutClipboard = /^(?:linux|dumb)?$/;

/**
 * Puts `text` on the user's clipboard: inside tmux into its buffer (`-w`, tmux 3.2, hands it on to the outer terminal),
 * else by OSC 52 through `write`. Returns where it went, in words; null when it is too long for the one way there is.
 */
export function copyToClipboard(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  write: (sequence: string) => void,
): string | null {
  if (env.TMUX) {
    if (loadBuffer(text, env, ['-w']) || loadBuffer(text, env, [])) return 'tmux';
  }
  if (withoutClipboard.test(env.TERM ?? '')) return null;
  const encoded = Buffer.from(text).toString('base64');
  if (encoded.length > osc52Limit) return null;
  write(`\u001B]52;c;${encoded}\u0007`);
  // Nobody answers whether the terminal took it.
  return 'OSC 52';
}

function loadBuffer(text: string, env: NodeJS.ProcessEnv, options: readonly string[]): boolean {
  const args = ['load-buffer', ...options, '-'];
  return spawnSync('tmux', args, { input: text, env, timeout: 2000 }).status === 0;
}
