import type { LogLine } from '../ingest/line.js';
import type { LogEvent, LogFileChange } from './events.js';
import { reduceAhead } from './log-ahead.js';
import { broken, hear } from './quiet.js';
import { enrolLines } from './roster.js';
import type { LogState, State } from './state.js';

/** Folds what the follower says of the log: new lines into ring and reading, changes of the file into `log`. */
export function reduceLog(state: State, event: LogEvent): State {
  switch (event.type) {
    case 'log-lines':
      return takeLines(state, event);
    case 'log-ahead':
      return reduceAhead(state, event.change, event.at);
    case 'log-partial':
      if (event.text === state.log.partial) return state;
      state.reading.readPartial(event.text, event.at);
      return {
        ...state,
        quiet: event.text === '' ? state.quiet : hear(state.quiet, [event.text]),
        log: { ...state.log, partial: event.text, lastAt: event.text === '' ? state.log.lastAt : event.at },
      };
    case 'log-file':
      return changeLog(state, event.change, event.at);
  }
}

function changeLog(before: State, change: LogFileChange, at: number): State {
  const isNextRun = isAnotherRun(before, change);
  // The newest lines were those of the run before.
  const state = isNextRun ? reduceAhead(before, { kind: 'ended' }, at) : before;
  const { log } = state;
  const runFrom = isNextRun ? (log.ahead?.ring ?? log.ring).end : log.runFrom;
  markNewFile(state, change, isNextRun);
  return {
    ...state,
    ...(isNextRun ? { reading: state.reading.fresh(), readySince: null } : {}),
    log: { ...changeFile(state, change, at), runFrom, heardAt: at },
  };
}

/**
 * A process that is gone writes no more: after `silenceMs` without a byte, the last line that it left without its
 * `\n` is a line like the others.
 */
export function takeLastWords(state: State, silenceMs: number): State {
  const { log, process } = state;
  if (log.ahead !== null || log.partial === '' || process.fact?.status !== 'gone') return state;
  if (state.now - Math.max(process.changedAt ?? 0, log.lastAt ?? 0) < silenceMs) return state;
  const number = (log.ring.get(log.ring.end - 1)?.number ?? 0) + 1;
  const { offset, size } = log;
  const line = { number, text: log.partial };
  const taken = takeLines(state, {
    type: 'log-lines',
    at: log.lastAt ?? state.now,
    lines: [line],
    offset,
    size,
  });
  return { ...taken, log: { ...taken.log, partial: '' } };
}

function takeLines(state: State, event: Extract<LogEvent, { type: 'log-lines' }>): State {
  const { log } = state;
  const { ring, reading } = log.ahead ?? { ring: log.ring, reading: state.reading };
  // While old bytes are still being read, their arrival says nothing about when they were written.
  const isLive = log.caughtUp && event.size - event.offset < farBytes;
  const arrival = isLive ? event.at : null;
  const lastDated = reading.findings().lastLogMs;
  for (const line of event.lines) {
    const kind = reading.read(line, writtenAt(line, state) ?? arrival);
    ring.push({ number: line.number, text: line.text, ...kind });
  }
  const dated = reading.findings().lastLogMs;
  const isDatedLive = isLive && dated !== null && dated !== lastDated;
  const texts = event.lines.map(({ text }) => text);
  return {
    ...state,
    // Old lines are no sign by themselves, but that they are read is.
    quiet: log.caughtUp ? hear(state.quiet, texts) : broken(state.quiet),
    roster: enrolLines(state.roster, event.lines),
    log: {
      ...log,
      offset: event.offset,
      size: event.size,
      lastAt: event.at,
      heardAt: Math.max(log.heardAt ?? 0, event.at),
      clockOffsetMs: isDatedLive ? event.at + (state.host?.clockSkewMs ?? 0) - dated : log.clockOffsetMs,
    },
  };
}

/** When a line was written, by our clock; null where nobody has noted it, or the clocks are not compared yet. */
const writtenAt = (line: LogLine, { host }: State): number | null =>
  line.writtenAt === undefined || host === null ? null : line.writtenAt - host.clockSkewMs;

/** The log of a container's next run: nothing that the last one said counts for it. */
const isAnotherRun = ({ log }: State, change: LogFileChange): boolean =>
  change.kind === 'opened' && change.run !== undefined && log.run !== null && change.run !== log.run;

/** A log that grows faster than the link is read this far behind what is written, and more (bytes). */
const farBytes = 1024 * 1024;

/**
 * The connection is gone: what will be read next was written after the end that had been read, whenever it comes. What
 * was awaited may be there for long by then.
 */
export function leaveLog({ log }: State): LogState {
  const { heardAt, ring } = log;
  const isAtEnd = log.status === 'open' && log.caughtUp && log.ahead === null && heardAt !== null;
  const line = ring.get(ring.end - 1)?.number ?? 0;
  const before = isAtEnd ? { line, at: heardAt } : log.before;
  return { ...log, awaited: false, before };
}

/** A line of ours where another file begins, so that its lines are not read as the last file's. It has no number. */
function markNewFile({ log, attempt }: State, change: LogFileChange, isNextRun: boolean): void {
  const ring = log.ahead?.ring ?? log.ring;
  if (change.kind !== 'opened' || change.resumed || ring.end === 0) return;
  const whose =
    attempt && [attempt.log, attempt.writesTo].includes(change.path)
      ? `attempt ${attempt.number} · `
      : isNextRun
        ? 'started again · '
        : '';
  const text = `── ${whose}${change.path} ──`;
  ring.push({ number: 0, text, level: 'info', rank: null, milestone: true });
}

function changeFile(state: State, change: LogFileChange, at: number): LogState {
  const { log } = state;
  switch (change.kind) {
    case 'missing':
      return { ...log, status: 'missing', detail: change.writesTo, caughtUp: true, awaited: true };
    case 'unreadable':
      return { ...log, status: 'unreadable', detail: change.reason, caughtUp: true };
    case 'opened':
      return {
        ...log,
        path: change.path,
        run: change.run ?? null,
        status: 'open',
        detail: null,
        offset: change.offset,
        size: change.size,
        modifiedAt: change.modifiedAt,
        // What a file holds that came while we watched its place is new, however much it is.
        caughtUp: change.offset >= change.size || log.awaited,
        awaited: false,
        before: change.resumed || log.before?.line === 0 ? log.before : null,
        partial: change.resumed ? log.partial : '',
      };
    case 'caught-up':
      return { ...log, caughtUp: true, lastAt: log.lastAt ?? at };
    case 'truncated':
      return countGap({ ...log, offset: 0, partial: '', before: fromTheTop(log) }, change.lostBytes);
    case 'rotated':
      return { ...log, partial: '', awaited: !change.late, before: fromTheTop(log) };
    case 'gap':
      return countGap({ ...log, before: null }, change.bytes);
  }
}

/** The lines are counted anew; they are no older. */
const fromTheTop = ({ before }: LogState): LogState['before'] =>
  before === null ? null : { ...before, line: 0 };

function countGap(log: LogState, bytes: number | null): LogState {
  if (bytes === 0) return log;
  return { ...log, gaps: log.gaps + 1, gapBytes: log.gapBytes + (bytes ?? 0) };
}
