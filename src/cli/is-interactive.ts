/** Whether there is a terminal to ask on and to draw on. */
export const isInteractive = (): boolean =>
  process.stdin.isTTY === true && process.stdout.isTTY === true && !isDumb(process.env);

/** A terminal that acts on no escape sequence, such as a shell in an editor: it would print them. */
export const isDumb = (env: NodeJS.ProcessEnv): boolean => env.TERM === 'dumb';
