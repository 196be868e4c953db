import { EventEmitter } from 'node:events';
import xterm from '@xterm/headless';

export interface TestTerminal {
  /** Stands for `process.stdout`. */
  readonly stdout: TestStdout;
  /** Stands for `process.stdin`, a terminal in raw mode. */
  readonly stdin: NodeJS.ReadStream;
  resize(columns: number, rows: number): void;
  /** Keys as a terminal sends them, one chunk each: `q`, `\u001B[A`, `\r`. */
  press(...chunks: readonly string[]): Promise<void>;
  /** The rows as they can be read, without trailing blanks. */
  screen(): Promise<readonly string[]>;
  /** The rows once `condition` is true of them; fails with the screen after `limitMs`. */
  waitFor(condition: (rows: readonly string[]) => boolean, limitMs?: number): Promise<readonly string[]>;
  /** Everything that was written, in order. */
  readonly written: readonly string[];
  readonly title: () => string;
  /** The emulator itself, for pictures and cells. */
  readonly emulator: xterm.Terminal;
  /** Clears `written`. */
  forget(): void;
}

export type TestStdout = EventEmitter & {
  readonly columns: number;
  readonly rows: number;
  write(data: string): boolean;
};

/** A real terminal emulator without a window, behind a stdout and a stdin. */
export function createTerminal(columns = 80, rows = 24): TestTerminal {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
  const written: string[] = [];
  const queue: string[] = [];
  let title = '';
  terminal.onTitleChange((text) => {
    title = text;
  });
  const stdout = Object.defineProperties(new EventEmitter(), {
    columns: { get: () => terminal.cols },
    rows: { get: () => terminal.rows },
    write: {
      value: (data: string) => {
        written.push(data);
        terminal.write(data);
        return true;
      },
    },
  }) as TestStdout;
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    setEncoding() {},
    setRawMode() {},
    ref() {},
    unref() {},
    read: () => queue.shift() ?? null,
  }) as unknown as NodeJS.ReadStream;

  const screen = async (): Promise<readonly string[]> => {
    await new Promise<void>((resolve) => terminal.write('', resolve));
    const buffer = terminal.buffer.active;
    return Array.from(
      { length: terminal.rows },
      (_, y) =>
        buffer
          .getLine(buffer.baseY + y)
          ?.translateToString(true)
          .trimEnd() ?? '',
    );
  };

  return {
    stdout,
    stdin,
    written,
    title: () => title,
    emulator: terminal,
    forget: () => {
      written.length = 0;
    },
    resize(newColumns, newRows) {
      terminal.resize(newColumns, newRows);
      stdout.emit('resize');
    },
    async press(...chunks) {
      for (const chunk of chunks) {
        queue.push(chunk);
        stdin.emit('readable');
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    screen,
    async waitFor(condition, limitMs = 60_000) {
      const until = Date.now() + limitMs;
      for (;;) {
        const shown = await screen();
        if (condition(shown)) return shown;
        if (Date.now() > until) throw new Error(`the screen never came to that:\n${shown.join('\n')}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}
