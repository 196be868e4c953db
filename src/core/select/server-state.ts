import type { Outcome } from '../../triage/report.js';
import { processStartedAt } from '../process.js';
import { phaseName } from '../ruling.js';
import type { State } from '../state.js';

/** What a line of a table says of a server. */
export interface ServerState {
  readonly outcome: Outcome;
  readonly provisional: boolean;
  readonly summary: string;
  readonly phase: string | null;
  readonly phaseModel: 'target' | 'draft' | null;
  /** Title of the phase that is under way or was the last: `Load weights (draft)`; null where none was seen. */
  readonly phaseTitle: string | null;
  /** 0 to 1, of the active phase. */
  readonly progress: number | null;
  readonly attempt: number | null;
  readonly pid: number | null;
  /** Start of what runs, or the end of what has ended, by our clock (ms). */
  readonly since: number | null;
}

export function selectServerState(state: State): ServerState {
  const { verdict, process, attempt } = state;
  const findings = state.reading.findings();
  const active = findings.phases.findLast(({ status }) => status === 'active');
  const { outcome, provisional, summary } = verdict;
  return {
    outcome,
    provisional,
    summary,
    phase: findings.phase,
    phaseModel: findings.phaseModel,
    phaseTitle: findings.phase === null ? null : phaseName(findings),
    progress: outcome === 'loading' ? (active?.progress ?? null) : null,
    attempt: attempt?.number ?? null,
    pid: process.fact?.status === 'alive' ? process.fact.pid : null,
    since: endedAt(state) ?? processStartedAt(state),
  };
}

function endedAt({ process, host }: State): number | null {
  if (process.fact?.status !== 'gone') return null;
  const at = process.fact.exit?.at ?? null;
  return at === null ? null : at - (host?.clockSkewMs ?? 0);
}
