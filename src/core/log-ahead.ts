import type { LogLine } from '../ingest/line.js';
import type { LogAheadChange } from './events.js';
import type { LogRing } from './log-ring.js';
import type { LogAhead, State } from './state.js';
import { sizeText } from './words.js';

/**
 * Folds the newest lines of a large log, which are shown while what is before them is still being read in order. What
 * is in order is kept apart, and in the end takes their place: no line is there twice.
 */
export function reduceAhead(state: State, change: LogAheadChange, at: number): State {
  switch (change.kind) {
    case 'began':
      return begin(state, change.skippedBytes, change.fromStart);
    case 'lines':
      return state.log.ahead ? takeNewest(state, state.log.ahead, change, at) : state;
    case 'ended':
      return state.log.ahead ? end(state, state.log.ahead) : state;
  }
}

function begin(state: State, skippedBytes: number | null, fromStart: boolean): State {
  const { log, view } = state;
  const {
    ring,
    reading,
    head: earlier,
  } = log.ahead ?? { ring: log.ring, reading: state.reading, head: null };
  const head = earlier ?? (fromStart && log.ahead === null ? linesOfFile(ring) : null);
  const newest = reading.fresh();
  for (const line of head ?? []) newest.read(line, null);
  const shown = ring.fork();
  const size = skippedBytes === null ? 'lines' : sizeText(skippedBytes);
  const text = `── ${size} between here and the newest lines are still being read ──`;
  shown.push({ number: 0, text, level: 'info', rank: null, milestone: true });
  return {
    ...state,
    reading: head === null ? reading : newest,
    log: { ...log, ring: shown, ahead: { ring, reading, newest, head, from: ring.end }, partial: '' },
    view: { ...view, anchor: sameLine(view.anchor, log.ring, shown, log.ahead?.from ?? ring.end) },
  };
}

function takeNewest(
  state: State,
  { newest }: LogAhead,
  { lines, partial, isLive }: Extract<LogAheadChange, { kind: 'lines' }>,
  at: number,
): State {
  const { log } = state;
  let number = newest.findings().lines;
  for (const text of lines) {
    number += 1;
    log.ring.push({ number: null, text, ...newest.read({ number, text }, isLive ? at : null) });
  }
  if (partial !== log.partial) newest.readPartial(partial, at);
  return { ...state, log: { ...log, partial, lastAt: at } };
}

function end(state: State, { ring, reading, from }: LogAhead): State {
  const { log, view } = state;
  return {
    ...state,
    reading,
    log: { ...log, ring, ahead: null, partial: '' },
    view: { ...view, anchor: sameLine(view.anchor, log.ring, ring, from) },
  };
}

/** What the ring holds of the file that is being read. */
function linesOfFile(ring: LogRing): readonly LogLine[] {
  const lines: LogLine[] = [];
  for (let seq = ring.end - 1; seq >= ring.start; seq -= 1) {
    const entry = ring.get(seq);
    if (!entry?.number) break;
    lines.push({ number: entry.number, text: entry.text });
  }
  return lines.reverse().slice(0, headLines);
}

/** Version and arguments are within so many lines. */
const headLines = 1000;

/** How far a line may have moved, against the ends of the two rings. */
const reach = 2000;

/**
 * Where the line at `seq` of `old` is in `next`; null stays null. Up to `from` the two are the same, after that they
 * are so from their ends, or nearly.
 */
export function sameLine(seq: number | null, old: LogRing, next: LogRing, from: number): number | null {
  if (seq === null) return null;
  if (seq < from) return Math.max(seq, next.start);
  const expected = next.end - (old.end - seq);
  const text = old.get(seq)?.text;
  for (let distance = 0; distance <= reach; distance += 1) {
    for (const candidate of [expected - distance, expected + distance]) {
      if (next.get(candidate)?.text === text) return candidate;
    }
  }
  return Math.min(Math.max(expected, next.start), next.end - 1);
}
