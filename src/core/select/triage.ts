import { processText } from '../evidence.js';
import { usableRemedy } from '../relaunch-form.js';
import { reportFacts } from '../report-facts.js';
import type { State } from '../state.js';
import type { TriageCard } from '../view-models.js';

/** What happened, why, and what to do: the card that takes the lower pane after a crash. */
export function selectCard(state: State): TriageCard {
  const { verdict } = state;
  const report = state.reading.report(reportFacts(state));
  const { rootCause, remedies } = report;
  const usable = usableRemedy(remedies);
  const isCounted = state.log.ahead === null;
  const counted = <T extends { readonly lineNumber: number }>(found: T) =>
    isCounted ? found : { ...found, lineNumber: null };
  return {
    headline: rootCause ? rootCause.line : verdict.summary,
    cause: rootCause && counted(rootCause),
    known: rootCause ? [] : known(state, report.phase),
    consequences: report.consequences.length,
    suspicions: report.suspicions.slice(0, 5).map(counted),
    remedies: remedies.map((remedy) => ({ ...remedy, chosen: remedy === usable })),
  };
}

/** What can be said where no line names a cause. */
function known(state: State, phase: string | null): readonly string[] {
  const { verdict } = state;
  return [
    phase === null ? 'no phase was reached' : `last phase: ${phase}`,
    processText(state),
    ...verdict.evidence
      .filter(({ witness }) => verdict.outcome === 'stalled' || witness === 'quiet')
      .map(({ text, lineNumber }) => (lineNumber === null ? text : `line ${lineNumber}: ${text}`)),
  ];
}
