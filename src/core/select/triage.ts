import type { Report } from '../../triage/report.js';
import { causeText } from '../cause-text.js';
import { evidenceFact, processText } from '../evidence.js';
import { lastLogLines } from '../last-lines.js';
import { usableRemedy } from '../relaunch-form.js';
import { reportFacts } from '../report-facts.js';
import type { State } from '../state.js';
import { standingVerdict } from '../under-way.js';
import type { TriageCard } from '../view-models/triage-card.js';
import { durationText } from '../words.js';
import { dataAgeMs } from './data-age.js';
import { loadingFacts } from './loading-facts.js';
import { readyFacts } from './ready-facts.js';

/** What happened, why, and what to do: the card that takes the lower pane after a crash. */
export function selectCard(state: State): TriageCard {
  const verdict = standingVerdict(state);
  const report = state.reading.report(reportFacts(state));
  const { rootCause, remedies } = report;
  const usable = usableRemedy(remedies);
  const isCounted = state.log.ahead === null;
  const counted = <T extends { readonly lineNumber: number }>(found: T) =>
    isCounted ? found : { ...found, lineNumber: null };
  const isReady = verdict.outcome === 'ready';
  return {
    outcome: verdict.outcome,
    headline: headline(state, report),
    cause: rootCause && { ...counted(rootCause), text: causeText(rootCause) },
    known: isReady ? readyFacts(state) : rootCause ? [] : known(state, report),
    consequences: report.consequences.map(counted),
    suspicions: report.suspicions.slice(0, 5).map(counted),
    remedies: remedies.map((remedy) => ({ ...remedy, chosen: remedy === usable })),
  };
}

function headline(state: State, { rootCause }: Report): string {
  if (rootCause) return causeText(rootCause);
  const { outcome, summary } = standingVerdict(state);
  return outcome === 'ready' || outcome === 'loading' ? `${outcome.toUpperCase()}: ${summary}` : summary;
}

type Known = TriageCard['known'][number];

/** What can be said where no line names a cause. */
function known(state: State, report: Report): readonly Known[] {
  const verdict = standingVerdict(state);
  const [last] = verdict.outcome === 'crashed' ? lastLogLines(state, 1) : [];
  const phase = phaseText(report);
  const isSaid = verdict.outcome === 'loading' && phase === verdict.summary;
  const all: readonly Known[] = [
    ...(isSaid ? [] : [{ label: 'phase', text: phase }]),
    ...(verdict.outcome === 'loading' ? loadingFacts(state) : []),
    { label: 'process', text: `${processText(state)}${seenText(state)}` },
    ...(last === undefined || last.trim() === '' ? [] : [{ label: 'last line', text: last.trim() }]),
    ...verdict.evidence
      .filter(({ witness }) => verdict.outcome === 'stalled' || witness === 'quiet')
      .map(evidenceFact),
  ];
  // What is said of the same thing stands together.
  const labels = new Set(all.map(({ label }) => label));
  return [...labels].flatMap((label) => all.filter((each) => each.label === label));
}

/** A process that lived before the connection went may not do so any more. */
function seenText(state: State): string {
  const ageMs = dataAgeMs(state);
  return ageMs === null || state.process.fact?.status !== 'alive' ? '' : `, seen ${durationText(ageMs)} ago`;
}

/** `Load weights, 31/64 shards`: the last phase reached, as the checklist calls it. */
function phaseText({ phase, phaseModel, phases }: Report): string {
  if (phase === null) return 'none was reached';
  const found =
    phases.find(({ id, model }) => id === phase && (model ?? null) === phaseModel) ??
    phases.find(({ id }) => id === phase);
  return found === undefined ? phase : [found.title, found.detail].filter(Boolean).join(', ');
}
