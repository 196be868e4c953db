import { initialState } from '../core/initial.js';
import { reduce } from '../core/reduce.js';
import { selectStatus } from '../core/select/screen.js';
import type { State } from '../core/state.js';
import { createReading } from '../triage/reading.js';
import type { Outcome } from '../triage/report.js';
import { isExcused, type Outage, outagesOf } from './outages.js';
import { playTrace, traceBeganAt, traceEndsAt } from './play.js';
import type { Trace, Truth } from './trace.js';

/** A stretch of time over which the verdict said the same (seconds). */
export interface Said {
  readonly from: number;
  readonly until: number;
  readonly outcome: Outcome;
  /** Loading, but quiet for longer than normal. */
  readonly isSlow: boolean;
  readonly summary: string;
}

export interface Finding {
  /** `false`: a verdict that was not true; `late`: one that did not come in time, or stayed too long. */
  readonly kind: 'false' | 'late';
  readonly t: number;
  readonly text: string;
}

export interface TruthResult {
  readonly truth: Truth;
  readonly until: number;
  /** When the right verdict first stood, and by when it had to (seconds); null where none is asked for. */
  readonly foundAt: number | null;
  readonly deadline: number | null;
}

export interface EtaResult {
  /** Largest and middle error of the launch's end from half-way on, as a share of the whole launch. */
  readonly worst: number;
  readonly median: number;
  /** The same as a share of what was left: nine tenths of the time it was below this. */
  readonly ofWhatIsLeft: number;
  /** Share of the second half for which there was an estimate. */
  readonly covered: number;
}

export interface TraceResult {
  readonly said: readonly Said[];
  readonly truths: readonly TruthResult[];
  readonly findings: readonly Finding[];
  /** Null where the launch never was ready, or no estimate was made. */
  readonly eta: EtaResult | null;
}

/** How long after life has returned a verdict may stay (seconds). */
const withdrawSeconds = 5;
/** After the limit of the phase, and where a rank is dead (seconds). */
const stalledSeconds = 120;
const deadRankSeconds = 30;
/** For a ready or dying line to become a verdict. */
const plainSeconds = 15;

/** Folds a trace as firedup would have seen it and compares what it said with what was true (docs/traces.md). */
export function judgeTrace(trace: Trace): TraceResult {
  const { header } = trace;
  let state = firstState(trace);
  const said: Said[] = [];
  const limits: { t: number; limitSeconds: number }[] = [];
  const estimates: { t: number; leftSeconds: number }[] = [];
  for (const event of playTrace(trace)) {
    [state] = reduce(state, event);
    const t = (state.now - traceBeganAt) / 1000;
    note(said, state, t);
    const limitSeconds = state.reading.findings().quietLimitMs / 1000 / state.target.timeScale;
    if (limits.at(-1)?.limitSeconds !== limitSeconds) limits.push({ t, limitSeconds });
    if (event.type === 'tick' && header.readyAt != null && t > header.readyAt / 2 && t < header.readyAt) {
      const { etaMs } = selectStatus(state);
      if (etaMs?.of === 'launch') estimates.push({ t, leftSeconds: (etaMs.lowMs + etaMs.highMs) / 2000 });
      else estimates.push({ t, leftSeconds: Number.NaN });
    }
  }
  const endsAt = traceEndsAt(trace);
  const spans = said.map((each, index) => ({ ...each, until: said[index + 1]?.from ?? endsAt }));
  const limitAt = (t: number): number => limits.findLast((each) => each.t <= t)?.limitSeconds ?? 300;
  const truths = header.truth.map((truth, index) => {
    const until = header.truth[index + 1]?.from ?? endsAt;
    return checkTruth(truth, until, spans, limitAt(until));
  });
  const outages = outagesOf(trace, endsAt);
  const findings = truths.flatMap((each, index) => [
    ...faults(each, truths[index + 1]?.truth ?? null, spans),
    ...delays(each, spans, outages),
  ]);
  return { said: spans, truths, findings, eta: etaResult(estimates, header.readyAt ?? null) };
}

/** A port of which the trace tells nothing is for the reader: READY would wait for its answer for ever. */
function firstState({ header, entries }: Trace): State {
  const asks = entries.some(({ type }) => type === 'health');
  const engine = header.engine === 'unknown' ? null : (header.engine ?? null);
  return initialState({
    target: {
      host: 'trace',
      name: null,
      log: '/logs/server.log',
      pid: null,
      port: asks ? (header.port ?? null) : null,
      engine,
      readOnly: true,
      timeScale: header.timeScale ?? 1,
      comeBack: '',
    },
    reading: createReading({ engine }),
    now: traceBeganAt,
    ringCapacity: 100,
  });
}

function note(said: Said[], { verdict }: State, t: number): void {
  const isSlow = verdict.outcome === 'loading' && verdict.summary.includes('log quiet for');
  const last = said.at(-1);
  if (last?.outcome === verdict.outcome && last.isSlow === isSlow) return;
  said.push({ from: t, until: t, outcome: verdict.outcome, isSlow, summary: verdict.summary });
}

/** What may be said while something is true. */
function isRight({ state }: Truth, outcome: Outcome): boolean {
  switch (state) {
    case 'stalled':
    case 'dead-rank':
      return outcome === 'stalled';
    case 'ready':
    case 'crashed':
    case 'stopped':
      return outcome === state;
    default:
      return outcome === 'loading' || outcome === 'unknown';
  }
}

function checkTruth(truth: Truth, until: number, said: readonly Said[], limitSeconds: number): TruthResult {
  const deadline = deadlineOf(truth, limitSeconds);
  const found = said.find(
    (each) => each.until > truth.from && each.from < until && isRight(truth, each.outcome),
  );
  return { truth, until, deadline, foundAt: found ? Math.max(found.from, truth.from) : null };
}

function deadlineOf(truth: Truth, limitSeconds: number): number | null {
  if (truth.withinSeconds != null) return truth.from + truth.withinSeconds;
  switch (truth.state) {
    case 'stalled':
      return truth.from + (truth.limitSeconds ?? limitSeconds) + stalledSeconds;
    case 'dead-rank':
      return truth.from + deadRankSeconds;
    case 'ready':
    case 'crashed':
    case 'stopped':
      return truth.from + plainSeconds;
    default:
      return null;
  }
}

/** Who writes a trace rounds: what becomes true a moment later may be said already (seconds). */
const earlySeconds = 1;

/** A verdict that stands while something else is true. What was right before has a moment to be withdrawn. */
function faults(
  { truth, until }: TruthResult,
  next: Truth | null,
  said: readonly Said[],
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const each of said) {
    const from = Math.max(each.from, truth.from);
    if (from >= Math.min(each.until, until) || !isVerdict(each.outcome) || isRight(truth, each.outcome))
      continue;
    const text = `${each.outcome} (${each.summary}) while it is ${truth.state}`;
    const isEarly = each.from >= until - earlySeconds && next !== null && isRight(next, each.outcome);
    if (isEarly) continue;
    if (each.from >= truth.from) findings.push({ kind: 'false', t: each.from, text });
    else if (Math.min(each.until, until) - truth.from > withdrawSeconds)
      findings.push({ kind: 'late', t: truth.from + withdrawSeconds, text: `still ${text}` });
  }
  return findings;
}

const isVerdict = (outcome: Outcome): boolean => outcome !== 'loading' && outcome !== 'unknown';

/** The right verdict did not come in time, or was withdrawn without a reason. */
function delays(
  { truth, until, deadline }: TruthResult,
  said: readonly Said[],
  outages: readonly Outage[],
): readonly Finding[] {
  if (deadline === null || deadline >= until) return [];
  const findings: Finding[] = [];
  for (const each of said) {
    const from = Math.max(each.from, deadline);
    const to = Math.min(each.until, until);
    // While the link is down everything is unknown, and rightly so.
    const isUnheard = each.outcome === 'unknown' && isExcused(from, to, outages);
    if (from >= to || isUnheard || isRight(truth, each.outcome) || isVerdict(each.outcome)) continue;
    const text = `${each.outcome} (${each.summary}) after it should be known that it is ${truth.state}`;
    findings.push({ kind: 'late', t: from, text });
  }
  return findings;
}

function etaResult(
  estimates: readonly { readonly t: number; readonly leftSeconds: number }[],
  readyAt: number | null,
): EtaResult | null {
  if (readyAt === null) return null;
  const errors = estimates
    .filter(({ leftSeconds }) => !Number.isNaN(leftSeconds))
    .map(({ t, leftSeconds }) => Math.abs(t + leftSeconds - readyAt) / readyAt)
    .sort((one, other) => one - other);
  if (errors.length === 0) return null;
  const relative = estimates
    .filter(({ leftSeconds }) => !Number.isNaN(leftSeconds))
    .map(({ t, leftSeconds }) => Math.abs(t + leftSeconds - readyAt) / (readyAt - t))
    .sort((one, other) => one - other);
  return {
    ofWhatIsLeft: relative[Math.floor(0.9 * relative.length)] ?? 0,
    worst: errors.at(-1) ?? 0,
    median: errors[Math.floor(errors.length / 2)] ?? 0,
    covered: errors.length / estimates.length,
  };
}
