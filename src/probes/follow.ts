import type { Host } from '../host/host.js';
import type { ScriptOptions } from '../remote/script.js';
import { type FollowFrame, frameReader } from './follow-frames.js';
import { createPull } from './pull.js';
import { runScript } from './run-script.js';

export interface FollowerOptions {
  /** On the host; any bytes but NUL. */
  readonly path: string;
  /**
   * New bytes of the file; `offset` is where they end, `size` that of the file when last looked at. `times`: when each
   * line of them was written (ms since the epoch by the host's clock), where that is known.
   */
  readonly onBytes: (bytes: Buffer, offset: number, size: number, times?: readonly number[]) => void;
  readonly onChange: (change: FollowChange) => void;
  /** How many last lines of a file that is there already; all of it by default. */
  readonly lastLines?: number | undefined;
  /** The same in bytes; the first line is then cut. */
  readonly lastBytes?: number | undefined;
  /** See `RemoteScript.drained`. */
  readonly drained?: (() => Promise<void> | null) | undefined;
  readonly script?: ScriptOptions | undefined;
}

/** `LogFileChange` of the core's events, without the path. */
export type FollowChange =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | {
      readonly kind: 'opened';
      /** Device and inode. */
      readonly id: string;
      readonly offset: number;
      readonly size: number;
      readonly modifiedAt: number;
      readonly resumed: boolean;
      /** See `LogFileChange`. */
      readonly run?: string;
    }
  | { readonly kind: 'caught-up' }
  | { readonly kind: 'truncated'; readonly lostBytes: number | null }
  | { readonly kind: 'rotated'; readonly late: boolean }
  | { readonly kind: 'gap'; readonly bytes: number | null };

export interface Follower {
  /**
   * Follows the file on `host` until `signal` aborts; rejects with `FiredupError` when the link or the remote
   * part ends. The next run goes on at the next byte, or reports a gap where that cannot be proved.
   */
  run(host: Host, signal: AbortSignal): Promise<void>;
  /** Goes on where `run` stopped, and resolves at the end of what is in the log by now (or when `signal` aborts). */
  runToEnd(host: Host, signal: AbortSignal): Promise<void>;
}

/** Where we stand in which file. */
interface Cursor {
  readonly id: string;
  readonly offset: number;
  /** The last bytes before `offset`, as they were when read; null where none were read. */
  readonly anchor: Buffer | null;
  /** Read to its end after it had lost its path; kept, so that what came after it is found on another link, too. */
  readonly finished: boolean;
}

const anchorBytes = 32;

/** Follows the bytes of one log through growth, truncation, rotation and lost links. */
export function createFollower(options: FollowerOptions): Follower {
  let cursor: Cursor | null = null;
  /** Whether the place to begin at has been found. */
  let begun = false;

  const play = async (host: Host, signal: AbortSignal, until: 'end' | '-'): Promise<void> => {
    for (let again = true; again && !signal.aborted; ) {
      const ended = new AbortController();
      const pull = createPull();
      let say: (line: string) => void = () => {};
      const reading = readFrames(cursor, {
        ...options,
        onBytes(bytes, offset, size) {
          options.onBytes(bytes, offset, size);
          const units = pull.took(bytes.length, offset < size, performance.now());
          if (units > 0) say('+'.repeat(units));
        },
      });
      const takeFrame = (frame: FollowFrame): void => {
        if (frame.kind === 'opened' || frame.kind === 'missing') begun = true;
        cursor = reading(frame);
        if (frame.kind === 'end') ended.abort();
      };
      const lines = begun ? '-' : whereToBegin(options);
      const { id = '-', offset = 0 } = cursor ?? {};
      try {
        again = false;
        await runScript(
          host,
          {
            name: 'follow',
            args: [
              options.path,
              id,
              String(offset),
              String(anchorBytes),
              lines,
              until,
              String(pull.firstBytes),
            ],
            options: options.script,
            onOpen(speak) {
              say = speak;
            },
            onOutput: frameReader(takeFrame),
            drained: options.drained,
          },
          AbortSignal.any([signal, ended.signal]),
        );
      } catch (error) {
        if (!(error instanceof OtherContent)) throw error;
        // The same file with other bytes before our offset: read it from its beginning.
        cursor = null;
        options.onChange(error.live ? { kind: 'truncated', lostBytes: null } : { kind: 'gap', bytes: null });
        again = true;
      }
    }
  };
  return {
    run: (host, signal) => play(host, signal, '-'),
    runToEnd: (host, signal) => play(host, signal, 'end'),
  };
}

/** `LINES` of `follow.sh`. */
function whereToBegin({ lastLines, lastBytes }: FollowerOptions): string {
  if (lastBytes !== undefined) return `c${lastBytes}`;
  return lastLines === undefined ? '-' : String(lastLines);
}

/** Truncated and grown again, or another file that got the same inode. `live`: while we watched. */
class OtherContent extends Error {
  readonly live: boolean;
  constructor(live: boolean) {
    super('The bytes before the offset have changed.');
    this.live = live;
  }
}

/** Folds the frames of one run; each call returns where we stand after it. */
function readFrames(before: Cursor | null, options: FollowerOptions): (frame: FollowFrame) => Cursor | null {
  let cursor = before;
  /** Set while the anchor of an earlier run is not yet confirmed. */
  let resuming: Extract<FollowFrame, { kind: 'opened' }> | null = null;
  /** Until the end of what is there has been reached for the first time: where that is, as last heard. */
  let target: number | null = null;

  const opened = (frame: Extract<FollowFrame, { kind: 'opened' }>, resumed: boolean) => {
    const { id, offset, size, modifiedAt } = frame;
    options.onChange({ kind: 'opened', id, offset, size, modifiedAt, resumed });
    target = size;
    reached(offset);
  };
  const reached = (offset: number) => {
    if (target === null || offset < target) return;
    target = null;
    options.onChange({ kind: 'caught-up' });
  };
  const takeData = (frame: Extract<FollowFrame, { kind: 'data' }>, at: Cursor): Cursor => {
    const known = at.offset - frame.start;
    // It has shrunk since: `truncated` comes next.
    if (frame.bytes.length < known) return at;
    const { anchor } = at;
    if (anchor && !frame.bytes.subarray(0, known).equals(anchor.subarray(anchor.length - known))) {
      throw new OtherContent(resuming === null);
    }
    if (resuming !== null) opened(resuming, true);
    resuming = null;
    const bytes = frame.bytes.subarray(known);
    const last = Buffer.from(frame.bytes.subarray(-anchorBytes));
    if (bytes.length === 0) return anchor === null ? { ...at, anchor: last } : at;
    const offset = at.offset + bytes.length;
    options.onBytes(bytes, offset, Math.max(frame.size, offset));
    // A log that grows while it is read for minutes: what came last is not yet what comes now.
    if (target !== null) target = Math.max(target, frame.size);
    reached(offset);
    return { id: at.id, offset, anchor: last, finished: false };
  };

  return (frame) => {
    switch (frame.kind) {
      case 'opened':
        if (cursor !== null && frame.offset > 0) {
          resuming = frame;
          return cursor;
        }
        // What an earlier run had not read of the former file cannot be found any more.
        if (cursor !== null && !cursor.finished && (cursor.offset > 0 || cursor.id !== frame.id)) {
          options.onChange({ kind: 'gap', bytes: null });
        }
        cursor = { id: frame.id, offset: frame.offset, anchor: null, finished: false };
        opened(frame, false);
        return cursor;
      case 'data':
        if (cursor !== null) cursor = takeData(frame, cursor);
        return cursor;
      case 'truncated':
        options.onChange({ kind: 'truncated', lostBytes: resuming === null ? frame.lostBytes : null });
        resuming = null;
        if (cursor !== null) cursor = { id: cursor.id, offset: 0, anchor: null, finished: false };
        if (target !== null) target = 0;
        reached(0);
        return cursor;
      case 'rotated':
        options.onChange({ kind: 'rotated', late: frame.late });
        if (cursor !== null) cursor = { ...cursor, finished: true };
        return cursor;
      case 'packed':
        options.onChange({ kind: 'gap', bytes: frame.bytes });
        return cursor;
      case 'missing':
        options.onChange({ kind: 'missing' });
        return cursor;
      case 'unreadable':
        options.onChange({ kind: 'unreadable', reason: frame.reason });
        return cursor;
      case 'beat':
      case 'end':
        return cursor;
    }
  };
}
