import type { LogAheadChange } from '../core/events.js';
import type { ContainerPlace } from '../core/process-fact.js';
import type { Host } from '../host/host.js';
import { createLineSplitter } from '../ingest/split-lines.js';
import type { ScriptOptions } from '../remote/script.js';
import { createContainerFollower } from './container-follow.js';
import { createFollower, type FollowChange, type FollowerOptions } from './follow.js';

/** How much of the end is read first (bytes). */
const aheadBytes = 128 * 1024;

/** The same of a container (lines). */
const aheadLines = 500;

export interface ReadAheadOptions {
  /** The log's path on the host. */
  readonly path: string;
  /** It is that of a container. */
  readonly container?: ContainerPlace | null | undefined;
  readonly emit: (change: Extract<LogAheadChange, { readonly kind: 'lines' }>) => void;
  /** It is open, and its first line begins near byte `offset` of it. */
  readonly onBegin: (offset: number) => void;
  /** What was there is shown; what comes now is new. */
  readonly onLive: () => void;
  /** After each step: how far it has come. */
  readonly onMove: () => void;
  /** See `RemoteScript.drained`. */
  readonly drained: () => Promise<void> | null;
  readonly script?: ScriptOptions | undefined;
}

/** Where a reader of a log stands: in which file (device and inode), before which byte. */
export interface LogPosition {
  readonly id: string;
  readonly offset: number;
}

export interface ReadAhead {
  /** As `Follower.run`. */
  run(host: Host, signal: AbortSignal): Promise<void>;
  /** Null until it has begun. */
  position(): LogPosition | null;
}

/**
 * Follows the end of a log while another follower reads all of it in order: the newest lines, without their numbers.
 * For one run; what it gives is shown for the time being and proves nothing.
 */
export function createReadAhead(options: ReadAheadOptions): ReadAhead {
  const splitter = createLineSplitter();
  let position: LogPosition | null = null;
  let isLive = false;
  /** Before the first newline lies the rest of a line whose beginning was left out. */
  let isCut = false;

  const emit = (lines: readonly string[]): void =>
    options.emit({ kind: 'lines', lines, partial: isCut ? '' : splitter.partial(), isLive });
  const take = (bytes: Buffer): void => {
    const first = isCut ? bytes.indexOf(0x0a) + 1 : 0;
    if (isCut && first === 0) return;
    isCut = false;
    emit(splitter.push(bytes.subarray(first)).map(({ text }) => text));
  };
  const takeChange = (change: FollowChange): void => {
    switch (change.kind) {
      case 'opened':
        if (position === null) {
          isCut = change.offset > 0;
          options.onBegin(change.offset);
        }
        position = { id: change.id, offset: change.offset };
        options.onMove();
        return;
      case 'caught-up':
        isLive = true;
        options.onLive();
        return;
      case 'truncated':
      case 'rotated':
      case 'gap':
        isCut = false;
        if (position !== null) emit(splitter.end().map(({ text }) => text));
        if (change.kind === 'truncated' && position !== null) position = { id: position.id, offset: 0 };
        options.onMove();
        return;
      case 'missing':
      case 'unreadable':
        return;
    }
  };

  const following: Omit<FollowerOptions, 'path'> = {
    script: options.script,
    drained: options.drained,
    onBytes(bytes, offset) {
      if (position !== null) position = { id: position.id, offset };
      take(bytes);
      options.onMove();
    },
    onChange: takeChange,
  };
  const { path, container } = options;
  const follower = container
    ? createContainerFollower({ ...following, container, lastLines: aheadLines, ofRun: true })
    : createFollower({ ...following, path, lastBytes: aheadBytes });
  return { run: (host, signal) => follower.run(host, signal), position: () => position };
}
