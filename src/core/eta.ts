import type { PhaseFinding } from '../triage/findings.js';
import type { PhaseId, PhaseModel } from '../triage/report.js';
import { type PastLaunch, pastLaunches } from './past.js';
import { phaseSeconds } from './phase-times.js';
import type { State } from './state.js';
import { weightsShare } from './weights-progress.js';

/** How long it will take, as a range (ms), and what that is known by. */
export interface Eta {
  readonly lowMs: number;
  readonly highMs: number;
  /** `launch`: until it is ready; `phase`: what comes after this phase is not in it. */
  readonly of: 'launch' | 'phase';
  readonly reason: string;
}

/** Below this share, or this long, a rate says too little. */
const leastProgress = 0.05;
const leastSeconds = 1;

/**
 * Time left: of the whole launch where earlier launches tell how long its phases take, else of the active phase at its
 * present rate, else null. A launch that is faster or slower than the earlier ones moves the estimate with its own
 * progress, so that it glides and does not jump.
 */
export function launchEta(state: State): Eta | null {
  if (state.verdict.outcome !== 'loading') return null;
  const { phases } = state.reading.findings();
  const active = phases.findLast(({ status }) => status === 'active') ?? null;
  const past = alikePast(state, pastLaunches(state));
  const rest = past.length === 0 ? null : restBy(state, phases, active, past);
  if (rest !== null) return rest;
  if (active === null) return null;
  const share = shareOf(state, active);
  const seconds = phaseSeconds(active, state);
  if (share === null || seconds === null || share < leastProgress || share >= 1 || seconds < leastSeconds)
    return null;
  const leftMs = (1000 * seconds * (1 - share)) / share;
  return { ...range(leftMs, 0.1 + 0.3 * (1 - share)), of: 'phase', reason: 'at its present rate' };
}

const range = (leftMs: number, spread: number): { readonly lowMs: number; readonly highMs: number } => ({
  lowMs: Math.max(0, leftMs * (1 - spread)),
  highMs: leftMs * (1 + spread),
});

/** 0 to 1: by the engine's own bar, else by bytes; null where neither tells. */
function shareOf(state: State, phase: PhaseFinding): number | null {
  return phase.progress ?? weightsShare(state, phase);
}

function restBy(
  state: State,
  phases: readonly PhaseFinding[],
  active: PhaseFinding | null,
  past: readonly PastLaunch[],
): Eta | null {
  const usual = usualSeconds(past);
  const pace = paceOf(state, phases, usual);
  let leftMs = 0;
  let spread = 0;
  const add = (seconds: number, share: number): void => {
    leftMs += seconds * 1000;
    spread += seconds * 1000 * share;
  };
  const begun = new Set(phases.filter(({ status }) => status !== 'pending').map(keyOf));
  if (active) {
    const left = leftOfActive(state, active, usual.get(keyOf(active))?.median ?? null, pace);
    if (left === null) return null;
    add(left.seconds, left.spread);
  }
  // What earlier launches went through and this one has not begun, on its checklist or not.
  for (const [key, { median, share }] of usual) {
    if (!begun.has(key)) add(median * pace, share);
  }
  if (leftMs <= 0) return null;
  const count = past.length === 1 ? 'an earlier launch' : `${past.length} earlier launches`;
  const cache = past[0]?.cache;
  const isTold = cache !== null && pastLaunches(state).some((launch) => launch.cache !== cache);
  const reason = `as in ${count}${isTold ? ` with a ${cache} page cache` : ''}`;
  return { ...range(leftMs, Math.min(0.5, Math.max(0.1, spread / leftMs))), of: 'launch', reason };
}

/** What is left of the active phase: as usual at first, by its own rate the more of it is done. */
function leftOfActive(
  state: State,
  phase: PhaseFinding,
  usual: number | null,
  pace: number,
): { readonly seconds: number; readonly spread: number } | null {
  const seconds = phaseSeconds(phase, state) ?? 0;
  const share = shareOf(state, phase);
  const expected = usual === null ? null : usual * pace;
  if (share === null || share <= 0) {
    if (expected === null) return null;
    // Longer than ever before: it may take as long again as it is late.
    const left = expected > seconds ? expected - seconds : (seconds - expected) * 0.25 + expected * 0.05;
    return { seconds: left, spread: 0.3 };
  }
  if (share >= 1) {
    // The bar is through; what follows it in this phase (repacking, other ranks) is what is left of the usual.
    return { seconds: Math.max(0, Math.min((expected ?? 0) - seconds, 0.1 * (expected ?? 0))), spread: 0.5 };
  }
  const byRate = (seconds * (1 - share)) / share;
  if (expected === null) return { seconds: byRate, spread: 0.1 + 0.3 * (1 - share) };
  // A bar proves little in its first tenth, and nearly all in its second half.
  const trust = Math.min(1, Math.max(0, share - 0.03) / 0.5);
  return {
    // The mean by ratio: a first shard that comes late makes the rate many times too low.
    seconds: byRate ** trust * Math.max(1, expected * (1 - share)) ** (1 - trust),
    spread: 0.1 + 0.2 * (1 - share),
  };
}

/** How much slower (above 1) this launch was in its finished phases than usual; halfway to that, within bounds. */
function paceOf(state: State, phases: readonly PhaseFinding[], usual: Usual): number {
  let took = 0;
  let expected = 0;
  for (const phase of phases) {
    const known = usual.get(keyOf(phase));
    const seconds = phase.status === 'done' ? phaseSeconds(phase, state) : null;
    if (known === undefined || seconds === null) continue;
    took += seconds;
    expected += known.median;
  }
  if (expected < 5) return 1;
  return Math.min(1.5, Math.max(0.7, 1 + 0.5 * (took / expected - 1)));
}

type Usual = ReadonlyMap<string, { readonly median: number; readonly share: number }>;

const keyOf = ({ id, model }: { readonly id: PhaseId; readonly model: PhaseModel | null }): string =>
  `${id} ${model ?? 'target'}`;

/** Median and spread of each phase over the earlier launches. */
function usualSeconds(past: readonly PastLaunch[]): Usual {
  const all = new Map<string, number[]>();
  for (const launch of past) {
    for (const phase of launch.phases) {
      if (phase.seconds !== null) all.set(keyOf(phase), [...(all.get(keyOf(phase)) ?? []), phase.seconds]);
    }
  }
  const usual = new Map<string, { median: number; share: number }>();
  for (const [key, seconds] of all) {
    // One that only few of them went through is not expected.
    if (seconds.length * 2 <= past.length) continue;
    const sorted = seconds.sort((one, other) => one - other);
    const median = (at(sorted, (sorted.length - 1) / 2) + at(sorted, sorted.length / 2)) / 2;
    const width = at(sorted, sorted.length - 1) - at(sorted, 0);
    usual.set(key, { median, share: Math.min(0.5, Math.max(0.1, width / Math.max(1, median) / 2)) });
  }
  return usual;
}

const at = (sorted: readonly number[], place: number): number => sorted[Math.floor(place)] ?? 0;

/**
 * Of earlier launches with both kinds of page cache those that are like this one: by how fast its weights come.
 * Where that is not known yet, the cold ones, for they do not promise too much.
 */
function alikePast(state: State, past: readonly PastLaunch[]): readonly PastLaunch[] {
  const newest = past.slice(-5);
  const kind = (cache: PastLaunch['cache']): readonly PastLaunch[] =>
    newest.filter((launch) => launch.cache === cache);
  const [cold, warm] = [kind('cold'), kind('warm')];
  if (cold.length === 0 || warm.length === 0) return newest;
  const usual = [usualSeconds(cold), usualSeconds(warm)].map((each) => each.get('weights target')?.median);
  const [coldSeconds, warmSeconds] = usual;
  const phase = state.reading
    .findings()
    .phases.find(({ id, model }) => id === 'weights' && model !== 'draft');
  const seconds = phase ? phaseSeconds(phase, state) : null;
  if (coldSeconds === undefined || warmSeconds === undefined || !phase || seconds === null) return cold;
  const share = phase.status === 'done' ? 1 : shareOf(state, phase);
  const whole = share === null || share < leastProgress ? seconds : seconds / share;
  // The middle of the two by ratio.
  const isSlow = whole > Math.sqrt(coldSeconds * Math.max(1, warmSeconds));
  const isKnown = share !== null && share >= leastProgress;
  return isSlow || !isKnown ? cold : warm;
}
