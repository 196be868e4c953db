import type { DeathFacts, ReportFacts } from '../triage/findings.js';
import { deadRank, pidOfRank, rankName, stoppedRanks } from './ranks.js';
import { laggingRanks } from './stall.js';
import type { State } from './state.js';
import { standingVerdict } from './under-way.js';

/** What only the live view knows, for the triage report: the outcome, and whom to look at in a stall. */
export function reportFacts(state: State): ReportFacts {
  const { outcome } = standingVerdict(state);
  if (outcome === 'crashed') return { outcome, death: deathFacts(state) };
  if (outcome !== 'stalled') return { outcome };
  const dead = deadRank(state);
  if (dead) return { outcome, stall: { kind: 'dead-rank', who: `${dead.name} (pid ${dead.pid})` } };
  const [stopped] = stoppedRanks(state);
  if (stopped) {
    const who = `${rankName(state, stopped)} (pid ${stopped.pid})`;
    return { outcome, stall: { kind: 'stopped', who } };
  }
  const suspect = suspectRank(state);
  if (suspect === null) return { outcome, stall: { kind: 'still', who: null } };
  const who = suspect.pid === null ? suspect.name : `${suspect.name} (pid ${suspect.pid})`;
  return { outcome, stall: { kind: 'still', who } };
}

function deathFacts({ process: { fact } }: State): DeathFacts | null {
  if (fact?.status !== 'gone') return null;
  const { signal = null, code = null, oomKills = 0 } = fact.exit ?? {};
  return { signal, code, oomKills: oomKills ?? 0 };
}

/** The process to look at by py-spy: of the rank that lags behind, else the main one; null where none is known. */
export function suspectPid(state: State): number | null {
  const { fact } = state.process;
  if (fact?.status !== 'alive') return null;
  const [stopped] = stoppedRanks(state);
  return stopped?.pid ?? suspectRank(state)?.pid ?? fact.pid;
}

/** By what it has not printed, else by its GPU, which alone does not spin. */
function suspectRank(state: State): { readonly name: string; readonly pid: number | null } | null {
  const [behind] = laggingRanks(state);
  if (behind !== undefined) return { name: behind, pid: pidOfRank(state, behind) };
  const { lastGood, work = [] } = state.gpus ?? {};
  if (!lastGood || !work.includes('spinning')) return null;
  const others = lastGood.gpus.filter((_, index) => work[index] !== 'spinning');
  const [other] = others;
  const pid = others.length === 1 ? lastGood.apps.find(({ uuid }) => uuid === other?.uuid)?.pid : undefined;
  const member = state.roster.members.find((each) => each.pid === pid && each.goneAt === null);
  return member ? { name: rankName(state, member), pid: member.pid } : null;
}
