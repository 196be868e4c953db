import { once } from 'node:events';
import type { WriteStream } from 'node:tty';
import { lastFrame } from '../ingest/frames.js';
import { sanitize } from '../ingest/sanitize.js';
import { createLineSplitter } from '../ingest/split-lines.js';
import { cut, expandTabs } from '../tui/text.js';

/** Where `firedup tail` puts the log. */
export interface TailOutput {
  readonly write: (bytes: Buffer) => void;
  /** The file ends here, or its bytes do not go on: what follows is another line. */
  readonly breakLine: () => void;
  /** Settles when the reader has caught up; null when it has. */
  readonly drained: () => Promise<void> | null;
}

/** The bytes of the log as they are, for a pipe or a file. */
export function rawOutput(
  stream: NodeJS.WritableStream & { readonly writableNeedDrain: boolean },
): TailOutput {
  return {
    write: (bytes) => {
      stream.write(bytes);
    },
    breakLine: () => {},
    drained: () => (stream.writableNeedDrain ? once(stream, 'drain').then(() => {}) : null),
  };
}

/**
 * Its lines made harmless, for a terminal: no escape sequence, no control character. The unfinished last line is drawn
 * in place, at most as wide as the terminal; not at all on one where it could not be erased (`canErase`).
 */
export function terminalOutput(
  terminal: Pick<WriteStream, 'columns' | 'write' | 'writableNeedDrain' | 'once'>,
  canErase: boolean,
): TailOutput {
  const splitter = createLineSplitter();
  let open = false;
  const plain = (text: string): string => sanitize(lastFrame(text));
  const redraw = (): string => (open ? '\r\x1b[K' : '');
  const show = (lines: readonly { readonly text: string }[], partial: string): void => {
    const whole = lines.map(({ text }) => `${plain(text)}\n`).join('');
    const begun = !canErase ? '' : cut(expandTabs(plain(partial)), Math.max(1, (terminal.columns || 80) - 1));
    terminal.write(redraw() + whole + begun);
    open = begun !== '';
  };
  return {
    write: (bytes) => show(splitter.push(bytes), splitter.partial()),
    breakLine: () => show(splitter.end(), ''),
    drained: () =>
      terminal.writableNeedDrain ? new Promise((resolve) => terminal.once('drain', resolve)) : null,
  };
}
