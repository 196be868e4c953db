import type { Event } from '../core/events.js';
import type { HistoryEntry } from '../core/history.js';
import { Flow } from './flow.js';
import type { Trace } from './trace.js';
import type { Entry } from './trace-entry.js';

/** Where the clocks of all traces begin: 2026-03-01 12:00:00 UTC (ms since the epoch). */
export const traceBeganAt = Date.UTC(2026, 2, 1, 12);

/** After the last entry a trace goes on for this long, so that its last state can be judged (seconds). */
const tailSeconds = 180;

/** When a trace ends (seconds). */
export function traceEndsAt({ header, entries }: Trace): number {
  if (header.endsAt != null) return header.endsAt;
  return Math.max(entries.at(-1)?.t ?? 0, header.truth.at(-1)?.from ?? 0) + tailSeconds;
}

/**
 * The events of a trace in the order of time, as the probes would have sent them: with ticks, with the samples of its
 * flows, and with the lines that were written while the link was down coming when it is up again.
 */
export function* playTrace(trace: Trace): Iterable<Event> {
  const { header, entries } = trace;
  const endsAt = traceEndsAt(trace);
  const tickSeconds = header.tickSeconds ?? (entries.some(({ type }) => type === 'tick') ? 0 : 1);
  const flow = new Flow();
  const log = new LogWriter();
  let linkIsUp = true;
  let pausedUntil = 0;
  /** The last word on process and port; whether it has been heard over this connection, and since we last slept. */
  let latest: { readonly process: Event | null; readonly health: Event | null } = {
    process: null,
    health: null,
  };
  let isTold = true;
  let tickAt = tickSeconds > 0 ? tickSeconds : Number.POSITIVE_INFINITY;
  let next = 0;

  if (!entries.some((each) => each.type === 'link' && each.t === 0))
    yield { type: 'link', at: traceBeganAt, link: { status: 'up' } };
  const opens = entries.some((each) => each.type === 'log-file' && each.t === 0);
  if (!opens) yield* log.open(0);
  const tells = entries.some((each) => each.type === 'process' || (each.type === 'flow' && each.processes));
  if (!tells) {
    const reason = 'the trace tells of no process';
    yield { type: 'process', at: traceBeganAt, process: { status: 'unknown', reason } };
  }
  if (header.past) yield { type: 'history', at: traceBeganAt, entries: pastEntries(header) };
  if (header.modelBytes != null) yield { type: 'model-size', at: traceBeganAt, bytes: header.modelBytes };
  for (;;) {
    const entry = entries[next];
    const t = Math.min(entry?.t ?? Number.POSITIVE_INFINITY, tickAt, flow.nextAt);
    if (t > endsAt) return;
    const at = traceBeganAt + t * 1000;
    const isAwake = t >= pausedUntil;
    if (entry !== undefined && entry.t <= t) {
      next += 1;
      yield* tell(entry, at, isAwake);
    } else if (flow.nextAt <= t) {
      const events = flow.sample(t, at);
      if (linkIsUp && isAwake) yield* events;
    } else {
      tickAt = t + tickSeconds;
      if (!isAwake) continue;
      // What was written while we slept.
      if (linkIsUp) {
        yield* log.read(at);
        yield* tellLatest(at);
      }
      yield { type: 'tick', at };
    }
  }

  /** Probes look anew on a new connection, and after we slept. */
  function* tellLatest(at: number): Iterable<Event> {
    if (isTold) return;
    isTold = true;
    if (latest.process) yield { ...latest.process, at };
    if (latest.health) yield { ...latest.health, at };
  }

  function* hearOf(event: Extract<Event, { type: 'process' | 'health' }>, isHeard: boolean): Iterable<Event> {
    latest = { ...latest, [event.type]: event };
    if (isHeard) yield event;
    else isTold = false;
  }

  function* tell(entry: Entry, at: number, isAwake: boolean): Iterable<Event> {
    const isHeard = linkIsUp && isAwake;
    switch (entry.type) {
      case 'log':
      case 'log-lines':
        log.write(entry.lines);
        if (isHeard) yield* log.read(at);
        return;
      case 'partial':
      case 'log-partial':
        if (isHeard) yield { type: 'log-partial', at, text: entry.text };
        return;
      case 'log-file':
        if (entry.change.kind === 'opened') yield* log.open(entry.t);
        else yield { type: 'log-file', at, change: entry.change };
        return;
      case 'flow': {
        const process = flow.change(entry);
        if (process) yield* hearOf({ type: 'process', at, process }, isHeard);
        return;
      }
      case 'pause':
        pausedUntil = entry.until;
        return;
      case 'tick':
        yield { type: 'tick', at };
        return;
      case 'link': {
        const { link } = entry;
        linkIsUp = link.status === 'up';
        const retryAt = at + 5000;
        yield { type: 'link', at, link: link.status === 'down' ? { ...link, retryAt } : link };
        isTold = false;
        if (linkIsUp && isAwake) {
          yield* log.open(entry.t);
          yield* tellLatest(at);
        }
        return;
      }
      case 'gpus':
        if (isHeard) yield { type: 'gpus', at, reading: entry.reading };
        return;
      case 'host-sample':
        if (isHeard) {
          const uptimeMs = entry.sample.uptimeMs ?? entry.t * 1000;
          yield { type: 'host-sample', at, sample: { ...entry.sample, uptimeMs } };
        }
        return;
      case 'process':
        yield* hearOf({ type: 'process', at, process: entry.process }, isHeard);
        return;
      case 'health':
        yield* hearOf({ type: 'health', at, answer: entry.answer }, isHeard);
        return;
    }
  }
}

/** The launches before, as the history of this host would have kept them. */
function pastEntries({ past, engine }: Trace['header']): readonly HistoryEntry[] {
  return (past ?? []).map(({ cache, phases }, index) => ({
    schema: 2,
    id: `past ${index}`,
    host: 'trace',
    name: '/logs/server.log',
    attempt: null,
    outcome: 'stopped',
    cause: null,
    reached: { id: 'ready', model: null },
    startedAt: null,
    readyAt: traceBeganAt - 1,
    endedAt: null,
    engine: engine ?? 'unknown',
    engineVersion: null,
    model: null,
    tensorParallel: null,
    command: '',
    env: null,
    cwd: null,
    before: null,
    log: null,
    change: null,
    remedy: null,
    helped: null,
    remedies: [],
    phases: phases.map(({ id, model, seconds }) => ({ id, model: model ?? null, seconds, isDone: true })),
    serverArgs: null,
    packages: {},
    cache: cache ?? null,
    lastLines: [],
  }));
}

/** The log as it is written, and as far as it has been read. */
class LogWriter {
  #lines = 0;
  #size = 0;
  #offset = 0;
  #unread: { readonly number: number; readonly text: string }[] = [];
  #isNew = true;

  write(lines: readonly string[]): void {
    for (const text of lines) {
      this.#lines += 1;
      this.#size += Buffer.byteLength(text) + 1;
      this.#unread.push({ number: this.#lines, text });
    }
  }

  *read(at: number): Iterable<Event> {
    if (this.#unread.length === 0) return;
    const lines = this.#unread;
    this.#unread = [];
    this.#offset = this.#size;
    yield { type: 'log-lines', at, lines, offset: this.#offset, size: this.#size };
  }

  *open(t: number): Iterable<Event> {
    const at = traceBeganAt + t * 1000;
    const isNew = this.#isNew;
    this.#isNew = false;
    yield {
      type: 'log-file',
      at,
      change: {
        kind: 'opened',
        path: '/logs/server.log',
        offset: this.#offset,
        size: this.#size,
        modifiedAt: null,
        resumed: !isNew,
      },
    };
    yield* this.read(at);
    yield { type: 'log-file', at, change: { kind: 'caught-up' } };
  }
}
