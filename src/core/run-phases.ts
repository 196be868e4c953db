import type { PhaseFinding } from '../triage/findings.js';
import { reportFacts } from './report-facts.js';
import type { State } from './state.js';
import { standingVerdict } from './under-way.js';

/**
 * The checklist of the run as it stands: of one that has crashed, which phase failed is the report's to say, which knows
 * the traceback and not only the lines before it.
 */
export function runPhases(state: State): readonly PhaseFinding[] {
  const { phases } = state.reading.findings();
  if (standingVerdict(state).outcome !== 'crashed') return phases;
  const reported = state.reading.report(reportFacts(state)).phases;
  return phases.map((phase) => {
    const told = reported.find(({ id, model }) => id === phase.id && model === phase.model);
    return told === undefined || told.status === phase.status ? phase : { ...phase, status: told.status };
  });
}
