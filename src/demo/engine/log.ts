import { writeSync } from 'node:fs';

/** Writes what the engine's processes write; `rank` is null for the main process. */
export interface EngineLog {
  /** One line with SGLang's own prefix, `[2026-02-22 23:29:22 TP0] message`, to stderr. */
  say(message: string): void;
  /** Text as it is, to stderr: progress bars, foreign formats, blank lines. */
  raw(text: string): void;
  /** One uvicorn access line; those go to stdout. */
  access(message: string): void;
}

/** A log of one process; `rank` is `TP0` or null. */
export function createLog(rank: string | null): EngineLog {
  const prefix = (): string => `[${timestamp(new Date())}${rank === null ? '' : ` ${rank}`}] `;
  return {
    say: (message) => write(2, `${prefix()}${message}\n`),
    raw: (text) => write(2, text),
    access: (message) => write(1, `${prefix()}INFO:     ${message}\n`),
  };
}

/** `2026-02-22 23:29:22` by the host's local time, as Python's logging has it. */
export function timestamp(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

// One write(2) a piece: lines of eight ranks in one file must not cut each other, and nothing is lost on SIGKILL.
function write(descriptor: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // A full pipe that somebody made non-blocking: wait. A reader that went away: the real engine logs on as well.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
