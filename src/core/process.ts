import type { ProcessFact } from './process-fact.js';
import { broken } from './quiet.js';
import { enrolTree } from './roster.js';
import type { State } from './state.js';

/** Folds a new fact about the server's process. *Gone* counts only where it was seen alive or we launched it. */
export function reduceProcess(state: State, told: ProcessFact, at: number): State {
  const before = state.process;
  // On the next connection nobody has seen it alive: that it is not there is no news of one that has gone.
  const fact = before.fact?.status === 'gone' && told.status === 'absent' ? before.fact : told;
  const isNew = fact.status === 'alive' && !isSame(before.fact, fact);
  const alive = fact.status === 'alive';
  const changed = before.fact?.status !== fact.status || isNew;
  const isAnother = fact.status === 'alive' && before.lastSeen !== null && !isSame(before.lastSeen, fact);
  const follows = isAnother && state.attempt === null;
  const endAt = before.fact?.status === 'gone' ? before.at : null;
  return {
    ...state,
    // A launch of ours may show itself by another process of its tree; of a server that was found it is the identity.
    readySince: isAnother && state.attempt === null ? null : state.readySince,
    // What answered was the one that is gone.
    health: follows && !isOfTree(fact, before.lastSeen) ? null : state.health,
    quiet: isNew ? broken(state.quiet) : state.quiet,
    roster: enrolTree(state.roster, fact, at),
    process: {
      fact,
      at,
      seenAlive: before.seenAlive || alive,
      lastSeen: fact.status === 'alive' ? fact : before.lastSeen,
      aliveSince: isNew ? at : before.aliveSince,
      startedAt: fact.status === 'alive' ? fact.startedAt : before.startedAt,
      changedAt: changed ? at : before.changedAt,
      successor: follows ? { endAt, bornAt: at - (fact.ageMs ?? 0) } : isAnother ? null : before.successor,
      endedByUs: isAnother ? false : before.endedByUs || isEndOnPurpose(state, fact),
    },
  };
}

function isSame(fact: ProcessFact | null, other: Extract<ProcessFact, { status: 'alive' }>): boolean {
  return fact?.status === 'alive' && fact.pid === other.pid && fact.startTicks === other.startTicks;
}

/** Another firedup has ended it; what had crashed before stays a crash. */
const isEndOnPurpose = ({ verdict }: State, fact: ProcessFact): boolean =>
  fact.status === 'gone' &&
  fact.endedOnPurpose === true &&
  (verdict.outcome !== 'crashed' || verdict.provisional);

/** Whether it was a part of the other. */
const isOfTree = ({ pid }: AliveFact, other: AliveFact | null): boolean =>
  other?.tree.some((member) => member.pid === pid) === true;

type AliveFact = Extract<ProcessFact, { readonly status: 'alive' }>;

/** Whether it has gone because we have ended it. */
export const isEndedByUs = ({ process }: State): boolean =>
  process.endedByUs && process.fact?.status === 'gone';

/** Start of the process that runs, or ran last, by our clock (ms); null where it cannot be told. */
export function processStartedAt(state: State): number | null {
  const startedAt = state.process.startedAt ?? state.attempt?.startedAt ?? null;
  return startedAt === null ? null : startedAt - (state.host?.clockSkewMs ?? 0);
}

/**
 * End of the process, by our clock (ms): when it was missed; where nobody looked then, as its launch has recorded it, in
 * whole seconds. Null while it lives.
 */
export function processEndedAt({ process, host }: State): number | null {
  if (process.fact?.status !== 'gone') return null;
  const { changedAt: missedAt } = process;
  const at = process.fact.exit?.at ?? null;
  const recordedAt = at === null || host === null ? null : at - host.clockSkewMs;
  if (recordedAt === null) return missedAt;
  return missedAt !== null && missedAt - recordedAt < lookedMs ? missedAt : recordedAt;
}

/** Who looks all the time misses a process within this time (ms). */
const lookedMs = 3000;
