/** A frame of a Python traceback: file below site-packages, line, function, its source line. */
export type Frame = readonly [file: string, line: number, name: string, code: string];

/** An exception of the simulated Python code: how it would be printed, and how SGLang got there. */
export class PythonError extends Error {
  readonly type: string;
  readonly frames: readonly Frame[];
  /** The exception in whose handling this one was raised. */
  readonly context: PythonError | null;

  constructor(type: string, message: string, frames: readonly Frame[], context: PythonError | null = null) {
    super(message);
    this.type = type;
    this.frames = frames;
    this.context = context;
  }
}

/** The traceback as Python prints it, without a final line feed; `root` is where site-packages lies. */
export function traceback(error: PythonError, root: string): string {
  const frames = error.frames.map(
    ([file, line, name, code]) => `  File "${root}/${file}", line ${line}, in ${name}\n    ${code}\n`,
  );
  const own = `Traceback (most recent call last):\n${frames.join('')}${error.type}: ${error.message}`;
  if (error.context === null) return own;
  const join = '\n\nDuring handling of the above exception, another exception occurred:\n\n';
  return `${traceback(error.context, root)}${join}${own}`;
}
