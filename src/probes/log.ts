import type { LogEvent, LogFileChange } from '../core/events.js';
import type { Host } from '../host/host.js';
import { createLineSplitter } from '../ingest/split-lines.js';
import type { ScriptOptions } from '../remote/script.js';
import { createFollower, type FollowChange } from './follow.js';

export interface LogProbeOptions {
  /** The log's path on the host. */
  readonly path: string;
  readonly emit: (event: LogEvent) => void;
  /** Ms since the epoch. */
  readonly now: () => number;
  readonly script?: ScriptOptions | undefined;
}

export interface LogProbe {
  /** As `Follower.run`; the position in the file is kept between runs. */
  run(host: Host, signal: AbortSignal): Promise<void>;
  /** The file that the server's process writes to instead; shown while the watched one is missing. */
  setWritesTo(path: string | null): void;
}

/** After so many bytes of a large log, keys and timers have their turn: a few ms of work, whatever has come at once. */
const turnBytes = 256 * 1024;

/** Follows one log on the host and emits its lines, its unfinished last line, and what happens to the file. */
export function createLogProbe(options: LogProbeOptions): LogProbe {
  const { path, now } = options;
  const splitter = createLineSplitter();
  let partial = '';
  let caughtUp = false;
  let missing = false;
  let writesTo: string | null = null;
  let end = { offset: 0, size: 0 };
  let readInTurn = 0;

  const change = (change: LogFileChange) => options.emit({ type: 'log-file', at: now(), change });
  const showPartial = (text: string) => {
    if (text === partial) return;
    partial = text;
    options.emit({ type: 'log-partial', at: now(), text });
  };
  /** The rest of a file that has no more to come is its last line, newline or not. */
  const finishFile = () => {
    const lines = splitter.end();
    if (lines.length > 0) options.emit({ type: 'log-lines', at: now(), lines, ...end });
    showPartial('');
  };
  const takeChange = (happened: FollowChange) => {
    missing = happened.kind === 'missing';
    switch (happened.kind) {
      case 'missing':
        return change({ kind: 'missing', writesTo });
      case 'opened':
        caughtUp = false;
        end = { offset: happened.offset, size: happened.size };
        return change({ ...happened, path });
      case 'caught-up':
        caughtUp = true;
        change(happened);
        return showPartial(splitter.partial());
      case 'truncated':
      case 'rotated':
      case 'gap':
        finishFile();
        return change(happened);
      case 'unreadable':
        return change(happened);
    }
  };

  const follower = createFollower({
    path,
    script: options.script,
    drained() {
      if (readInTurn < turnBytes) return null;
      readInTurn = 0;
      return new Promise((resolve) => setImmediate(resolve));
    },
    onBytes(bytes, offset, size) {
      readInTurn += bytes.length;
      end = { offset, size };
      const lines = splitter.push(bytes);
      if (lines.length > 0) options.emit({ type: 'log-lines', at: now(), lines, offset, size });
      // While old bytes are read, an unfinished line is only where a piece ends.
      if (caughtUp) showPartial(splitter.partial());
    },
    onChange: takeChange,
  });

  return {
    run: (host, signal) => follower.run(host, signal),
    setWritesTo(other) {
      if (other === writesTo) return;
      writesTo = other;
      if (missing) change({ kind: 'missing', writesTo });
    },
  };
}
