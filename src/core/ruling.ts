import type { Findings } from '../triage/findings.js';
import type { Outcome } from '../triage/report.js';
import { phaseTitle } from './phase-title.js';
import type { Evidence, Verdict } from './state.js';

/** A verdict before it is known since when it stands. */
export type Ruling = Omit<Verdict, 'since'>;

/** A ruling that stands on its evidence. */
export const over = (outcome: Outcome, summary: string, evidence: readonly Evidence[]): Ruling => ({
  outcome,
  provisional: false,
  summary,
  evidence,
});

export const loading = (summary: string): Ruling => over('loading', summary, []);

export const unknownWith = (summary: string, evidence: readonly Evidence[]): Ruling =>
  over('unknown', summary, evidence);

/** Not final: something has to be read, or come back, first. */
export function unknown(summary: string, witness: Evidence['witness'] | null): Ruling {
  const evidence: readonly Evidence[] = witness ? [{ witness, text: summary, lineNumber: null }] : [];
  return { outcome: 'unknown', provisional: true, summary, evidence };
}

/** How long "no process" must hold before an old log is called finished (ms): a launch may be about to open it. */
export const absentForMs = 3000;

/** The active phase, between two the last one, as people call it. */
export function phaseName(findings: Findings): string {
  const active = findings.phases.find((phase) => phase.status === 'active');
  const last = findings.phases.findLast(
    ({ id, model }) => id === findings.phase && (model ?? null) === findings.phaseModel,
  );
  const title = active?.title ?? last?.title ?? findings.phase ?? 'no known phase';
  return phaseTitle({ title, model: active?.model ?? findings.phaseModel });
}
