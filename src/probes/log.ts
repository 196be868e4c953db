import type { LogEvent, LogFileChange } from '../core/events.js';
import type { ContainerPlace } from '../core/process-fact.js';
import type { Host } from '../host/host.js';
import type { LogLine } from '../ingest/line.js';
import { createLineSplitter } from '../ingest/split-lines.js';
import type { ScriptOptions } from '../remote/script.js';
import { createContainerFollower } from './container-follow.js';
import { createFollower, type FollowChange, type FollowerOptions } from './follow.js';
import { createLogAhead } from './log-ahead.js';
import { createTurns } from './turns.js';

export interface LogProbeOptions {
  /** The log's path on the host; of a container the words that name its log. */
  readonly path: string;
  /** The log is that of a container. */
  readonly container?: ContainerPlace | null | undefined;
  /** See `LogAheadOptions`. */
  readonly containerAfterMs?: number | undefined;
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

/**
 * Follows one log on the host and emits its lines, its unfinished last line, and what happens to the file. Of a large
 * log the newest lines come at once, besides (`log-ahead`).
 */
export function createLogProbe(options: LogProbeOptions): LogProbe {
  const { path, now } = options;
  const splitter = createLineSplitter();
  let partial = '';
  let caughtUp = false;
  let missing = false;
  let writesTo: string | null = null;
  let end = { offset: 0, size: 0 };
  const turns = createTurns();
  const ahead = createLogAhead({
    path,
    container: options.container,
    containerAfterMs: options.containerAfterMs,
    now,
    script: options.script,
    emit(change) {
      options.emit({ type: 'log-ahead', at: now(), change });
      if (change.kind === 'began') partial = '';
      if (change.kind === 'ended') showPartial(splitter.partial());
    },
  });

  const change = (change: LogFileChange) => options.emit({ type: 'log-file', at: now(), change });
  const showPartial = (text: string) => {
    if (text === partial || ahead.isShown()) return;
    partial = text;
    options.emit({ type: 'log-partial', at: now(), text });
  };
  /** The rest of a file that has no more to come is its last line, newline or not. */
  const finishFile = () => {
    const lines = splitter.end();
    if (lines.length > 0) options.emit({ type: 'log-lines', at: now(), lines, ...end });
    showPartial('');
  };
  const takeOpened = ({ kind, id, ...opened }: Extract<FollowChange, { kind: 'opened' }>) => {
    change({ kind, path, ...opened });
    ahead.opened({ id, offset: opened.offset }, opened.size, opened.resumed);
  };
  const takeChange = (happened: FollowChange) => {
    missing = happened.kind === 'missing';
    switch (happened.kind) {
      case 'missing':
        ahead.caughtUp();
        return change({ kind: 'missing', writesTo });
      case 'opened':
        caughtUp = false;
        end = { offset: happened.offset, size: happened.size };
        return takeOpened(happened);
      case 'caught-up':
        caughtUp = true;
        change(happened);
        ahead.caughtUp();
        return showPartial(splitter.partial());
      case 'truncated':
      case 'rotated':
      case 'gap':
        finishFile();
        if (happened.kind === 'truncated') ahead.moved(0, 0);
        return change(happened);
      case 'unreadable':
        ahead.caughtUp();
        return change(happened);
    }
  };

  const following: Omit<FollowerOptions, 'path'> = {
    script: options.script,
    drained: () => ahead.starting() ?? turns.drained(),
    onBytes(bytes, offset, size, times) {
      turns.worked(bytes.length);
      end = { offset, size };
      const split = splitter.push(bytes);
      const lines = times === undefined ? split : split.map((line, index) => written(line, times[index]));
      if (lines.length > 0) options.emit({ type: 'log-lines', at: now(), lines, offset, size });
      ahead.moved(offset, size);
      // While old bytes are read, an unfinished line is only where a piece ends.
      if (caughtUp) showPartial(splitter.partial());
    },
    onChange: takeChange,
  };
  const { container } = options;
  const follower = container
    ? createContainerFollower({ ...following, container })
    : createFollower({ ...following, path });

  return {
    async run(host, signal) {
      const detach = ahead.attach(host, signal);
      try {
        await follower.run(host, signal);
      } finally {
        detach();
      }
    },
    setWritesTo(other) {
      if (other === writesTo) return;
      writesTo = other;
      if (missing) change({ kind: 'missing', writesTo });
    },
  };
}

const written = (line: LogLine, at: number | undefined): LogLine =>
  at === undefined ? line : { ...line, writtenAt: at };
