import { spawnSync } from 'node:child_process';

/** What a terminal is asked to keep at most: more than this many bytes some refuse, some cut. */
const osc52Limit = 74_000;

/**
 * Puts `text` on the user's clipboard: inside tmux into its buffer (`-w` hands it on to the outer terminal), else by
 * OSC 52 through `write`. Returns where it went, in words; null when it is too long for the one way there is.
 */
export function copyToClipboard(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  write: (sequence: string) => void,
): string | null {
  if (env.TMUX) {
    const { status } = spawnSync('tmux', ['load-buffer', '-w', '-'], { input: text, timeout: 2000 });
    if (status === 0) return 'copied to the tmux buffer and the clipboard';
  }
  const encoded = Buffer.from(text).toString('base64');
  if (encoded.length > osc52Limit) return null;
  write(`\u001B]52;c;${encoded}\u0007`);
  return 'copied to the clipboard (OSC 52)';
}
