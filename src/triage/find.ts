import type { EngineId, PhaseId, PhaseModel } from '../engines/ids.js';
import type { PhasePlan } from '../engines/profile.js';
import { findCause } from './cause.js';
import { clientOf } from './client.js';
import { isAtLeast, stampMs } from './clock.js';
import { isAtItsEnd, isInterrupt } from './evidence.js';
import type { DatedLine, Findings, PhaseFinding, RankFinding } from './findings.js';
import { slowPatterns } from './own-pattern.js';
import type { LineRef } from './report.js';
import type { RunReader } from './run-reader.js';

const DEFAULT_QUIET_MS = 300_000;

/** What is known so far, as the fold and the screen want it. */
export function findingsOf(reader: RunReader, engine: EngineId, lines: number, bytes: number): Findings {
  const { evidence, phases, profile } = reader;
  const current = phases.current;
  return {
    engine,
    engineVersion: reader.facts.version,
    runStart: evidence.runStart,
    runs: reader.runs,
    ready: evidence.ready,
    death: findDeath(reader),
    uncaught: findUncaught(evidence),
    ended: findEnded(evidence, lines),
    stopped: evidence.stopped,
    hang: evidence.hang,
    phases: checklistOf(reader),
    phase: current?.id ?? null,
    phaseModel: current?.model ?? null,
    quietLimitMs: quietLimit(profile.checklist, current),
    ranks: withSilentRanks(phases.ranks(), reader),
    suspicions: evidence.suspicions.slice(),
    port: reader.facts.port,
    readyPath: readyPath(reader),
    serverArgs: reader.facts.args,
    packages: reader.facts.packages,
    client: clientOf(reader),
    slowPatterns: slowPatterns(profile),
    lines,
    bytes,
    lastLogMs: stampMs(reader.lastStamp),
  };
}

/** The phases that came and those still expected. */
export function checklistOf(reader: RunReader): readonly PhaseFinding[] {
  return reader.phases.list((plan) => isExpected(plan, reader), reader.evidence.ready !== null);
}

/**
 * The engine's own death: before ready any, after ready only one that came after it. What is said of dying processes
 * behind the word that a signal from outside shuts the server down is said of that end.
 */
export function findDeath(reader: RunReader): DatedLine | null {
  const { evidence } = reader;
  const death = evidence.ownDeath;
  if (death === null || evidence.stopped === null) return death;
  return death.lineNumber > evidence.stopped.lineNumber || isOfSignal(death, reader) ? null : death;
}

/** The interpreter's own last words. What a logger wrote may be a request's; who was interrupted has not died of it. */
function findUncaught({ uncaught, ready, aliveLine }: RunReader['evidence']): LineRef | null {
  if (uncaught === null || uncaught.logged || isInterrupt(uncaught)) return null;
  const { line, lineNumber } = uncaught;
  const isLast = lineNumber > aliveLine && lineNumber > (ready?.lineNumber ?? 0);
  return isLast ? { line, lineNumber } : null;
}

function findEnded(evidence: RunReader['evidence'], lines: number): LineRef | null {
  const { ended, ready } = evidence;
  return isAtItsEnd(evidence, lines) && ended !== null && ended.lineNumber > (ready?.lineNumber ?? 0)
    ? ended
    : null;
}

/** How many lines the processes of one server may say of a signal before its handler does. */
const signalLines = 60;

/** How long after a worker's end by the same signal (ms); somebody who stops a server that has died comes later. */
const signalMs = 30_000;

/** All processes of a group get Ctrl-C at once, and a worker's end may be told before the signal is. */
function isOfSignal(death: DatedLine, { evidence, phases, rules }: RunReader): boolean {
  const { signalled } = evidence;
  if (signalled === null || signalled.lineNumber - death.lineNumber > signalLines) return false;
  if (isLater(signalled.logMs, death.logMs) || isLater(signalled.at, death.at)) return false;
  const found = findCause(evidence, phases, rules);
  return found === null || isInterrupt(found.suspect);
}

const isLater = (ms: number | null, thanMs: number | null): boolean =>
  ms !== null && thanMs !== null && ms - thanMs > signalMs;

function isExpected(plan: PhasePlan, reader: RunReader): boolean {
  if (plan.optional === true) return false;
  if (plan.unlessArg !== undefined && reader.facts.args?.[plan.unlessArg] === true) return false;
  if (plan.model === 'draft') return reader.facts.speculative ?? reader.phases.hasModel('draft');
  return true;
}

function quietLimit(
  plans: readonly PhasePlan[],
  current: { readonly id: PhaseId; readonly model: PhaseModel | null } | null,
): number {
  const plan = plans.find((entry) => entry.id === current?.id && entry.model === current.model) ?? plans[0];
  return plan?.quietLimitMs ?? DEFAULT_QUIET_MS;
}

/** A path that answers 200 only when this engine is ready; the careful one while the version is unknown. */
function readyPath(reader: RunReader): string {
  const { path, newer } = reader.profile.readyPath;
  if (newer === undefined) return path;
  const known = reader.facts.version ?? reader.atLeast;
  return known !== null && isAtLeast(known, newer.since) ? newer.path : path;
}

/** Ranks that the arguments promise and that never spoke, once two others did: the first to look at in a hang. */
function withSilentRanks(ranks: readonly RankFinding[], reader: RunReader): readonly RankFinding[] {
  const key = reader.profile.argKeys.tensorParallel;
  const size = key === undefined ? null : reader.facts.args?.[key];
  if (
    typeof size !== 'number' ||
    size > 64 ||
    ranks.length < 2 ||
    !ranks.every(({ rank }) => /^TP\d+$/.test(rank))
  )
    return ranks;
  const known = new Map(ranks.map((rank) => [rank.rank, rank]));
  return Array.from({ length: Math.max(size, ranks.length) }, (_, index) => {
    const rank = `TP${index}`;
    return known.get(rank) ?? { rank, phase: 'launch' as const, model: null, step: 0, lastLine: 0 };
  });
}
