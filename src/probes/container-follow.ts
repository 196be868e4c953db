import type { ContainerPlace } from '../core/process-fact.js';
import type { Host } from '../host/host.js';
import type { Follower, FollowerOptions } from './follow.js';
import { fromHex, protocolError, runScriptToEnd } from './run-script.js';
import { createTimedLines, type LogPiece, microseconds, type TimedLine } from './timed-lines.js';
import { createTimedPosition, type TimedPosition } from './timed-position.js';

export interface ContainerFollowerOptions extends Omit<FollowerOptions, 'path' | 'lastBytes'> {
  readonly container: ContainerPlace;
  /** Of the `lastLines` only those of the run that is there. */
  readonly ofRun?: boolean;
}

/** One run of a container: a restart is another. */
interface Run {
  readonly id: string;
  /** As the engine writes it; with the id it names the run. */
  readonly started: string;
  readonly running: boolean;
  /** Lines from before are of an earlier run (µs). */
  readonly fromUs: number;
}

/** How long to wait before an engine that gives no log is asked again (ms). */
const againMs = 3000;

/**
 * Follows the log of a container as `createFollower` does a file's: every run of it is a file of its own, which begins
 * where the run before ended. There are no offsets: what was read is known by the lines' times, so that a reading that
 * was cut goes on with the next line, or tells a gap where no line of before comes again (rotated away meanwhile).
 */
export function createContainerFollower(options: ContainerFollowerOptions): Follower {
  const { container, onChange } = options;
  let run: Run | null = null;
  let position: TimedPosition = createTimedPosition();
  let offset = 0;
  let begun = false;

  const playOn = async (host: Host, signal: AbortSignal, untilEnd: boolean): Promise<void> => {
    /** What is there has been opened, and read to its end, on this connection. */
    let isOpen = false;
    let isCaughtUp = false;
    let told: string | null = null;
    /** Another run has begun; what comes may still be the last words of the one before. */
    let next: Run | null = null;

    const tellProblem = (why: string, words: string): void => {
      if (told === why) return;
      told = why;
      onChange(why === 'missing' ? { kind: 'missing' } : { kind: 'unreadable', reason: words });
    };
    /** What the engine says of the run; a new one is opened with its first line, or at the end of what is there. */
    const see = (words: readonly string[]): void => {
      const [id = '', started = '', finished = '', state = ''] = words;
      told = null;
      const running = state === 'true';
      if (run?.id === id && run.started === started) {
        next = null;
        run = { ...run, running };
        if (!isOpen) open(run);
        return;
      }
      const fromUs =
        begun || options.lastLines === undefined || options.ofRun
          ? beginningOf(started, finished, running)
          : 0;
      begun = true;
      next = { id, started, running, fromUs };
      if (run === null) open(next);
    };
    const open = (opened: Run): void => {
      const { id, started } = opened;
      const isSame = run?.id === id && run.started === started;
      const isFirst = run === null;
      run = opened;
      next = null;
      if (!isSame) {
        // It has run for a while when we hear of it.
        if (!isFirst) onChange({ kind: 'rotated', late: true });
        position = createTimedPosition();
        offset = 0;
      }
      isOpen = true;
      isCaughtUp = false;
      // There is no size to tell: one byte more than is known, so that it counts as not read yet.
      onChange({
        kind: 'opened',
        id: `${id}@${started}`,
        offset,
        size: offset + 1,
        modifiedAt: Date.parse(started),
        resumed: isSame,
        run: started,
      });
    };
    const takeLines = (lines: readonly TimedLine[]): void => {
      const parts: Buffer[] = [];
      const times: number[] = [];
      const flush = (): void => {
        if (parts.length === 0) return;
        const bytes = Buffer.concat(parts.splice(0));
        offset += bytes.length;
        options.onBytes(bytes, offset, isCaughtUp ? offset : offset + 1, times.splice(0));
      };
      for (const line of lines) {
        if (next !== null && line.us >= next.fromUs) {
          flush();
          open(next);
        }
        if (run !== null && line.us < run.fromUs) continue;
        const what = position.take(line);
        if (what === 'known') continue;
        if (what === 'gap') {
          flush();
          onChange({ kind: 'gap', bytes: null });
        }
        parts.push(line.bytes);
        times.push(line.us / 1000);
      }
      flush();
    };

    /** One reading; resolves with the engine's status, null where it could not be asked. */
    const read = async (mode: 'read' | 'follow' | 'wait'): Promise<number | null> => {
      let reader: ReturnType<typeof createTimedLines> | null = null;
      let status: number | null = null;
      let isTold = false;
      let remark = '';
      const since = position.since();
      position.resume();
      const isStart = !begun && options.lastLines !== undefined;
      const takeMark = (words: readonly string[]): void => {
        const [word, first = '', ...rest] = words;
        if (word === 'run') see([first, ...rest]);
        if (word === 'end' || word === 'again') {
          if (next !== null) open(next);
          status = Number(first || 0);
          isTold = true;
        }
        if (word === 'failed') {
          isTold = true;
          tellProblem(first, fromHex(rest[0] ?? ''));
        }
      };
      const takePieces = (pieces: readonly LogPiece[]): void => {
        let lines: TimedLine[] = [];
        for (const piece of pieces) {
          if (piece.kind === 'line') lines.push(piece.line);
          else if (piece.kind === 'remark') remark = piece.text;
          else {
            takeLines(lines);
            lines = [];
            takeMark(piece.words);
          }
        }
        takeLines(lines);
      };
      await runScriptToEnd(
        host,
        {
          name: 'container-log',
          args: [
            container.engine,
            container.name,
            mode,
            since ?? (isStart ? '0' : '-'),
            isStart ? String(options.lastLines) : '-',
            run?.id ?? '-',
            run?.started ?? '-',
          ],
          options: options.script,
          drained: options.drained,
          onHello(words) {
            reader = createTimedLines(words.get('mark') ?? '');
          },
          onOutput(bytes) {
            takePieces(reader?.push(bytes) ?? []);
          },
        },
        signal,
      );
      if (signal.aborted) return null;
      if (!isTold) throw protocolError('half a log of the container');
      // Of a run that is over nothing more can come, so the last line is what it left without its end.
      const rest = mode === 'read' && run?.running === false ? held(reader) : null;
      if (rest !== null) takeLines([rest]);
      if (status !== null && status !== 0) tellProblem(`status ${status}`, remark || `status ${status}`);
      return status;
    };

    while (!signal.aborted) {
      const status = await read('read');
      if (signal.aborted) return;
      if (status === 0 && !isCaughtUp) {
        isCaughtUp = true;
        onChange({ kind: 'caught-up' });
      }
      if (untilEnd) return;
      if (status !== 0) await pause(againMs, signal);
      else if (isRunning()) {
        if ((await read('follow')) !== 0) await pause(againMs, signal);
      } else await read('wait');
    }
  };
  /** Through a call: the compiler takes `run` for what it was before the reading. */
  const isRunning = (): boolean => run?.running === true;

  return {
    run: (host, signal) => playOn(host, signal, false),
    runToEnd: (host, signal) => playOn(host, signal, true),
  };
}

const held = (reader: ReturnType<typeof createTimedLines> | null): TimedLine | null => reader?.end() ?? null;

/**
 * From when on (µs) lines are of this run. Docker notes the start a moment after the process has begun to write, and
 * while a container runs its last end is that of the run before. Of one that has ended only its start is known.
 */
function beginningOf(started: string, finished: string, running: boolean): number {
  const startUs = microseconds(started);
  const endUs = microseconds(finished);
  if (!running) return startUs - 1_000_000;
  return endUs > 0 && endUs < startUs ? (endUs + startUs) / 2 : 0;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
