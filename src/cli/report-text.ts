import { causeText } from '../core/cause-text.js';
import { phaseTitle, phaseWords } from '../core/phase-title.js';
import { changeText } from '../core/relaunch-form.js';
import { durationText } from '../core/words.js';
import { phaseAt } from '../triage/phase-failure.js';
import type { PhaseId, Report } from '../triage/report.js';

/** The report for people: outcome, cause, where, remedies, phases; then the last lines of the log. Lines may hold raw bytes. */
export function reportText(report: Report, lastLines: readonly string[]): readonly string[] {
  return [
    headline(report),
    ...cause(report),
    ...suspicions(report),
    ...remedies(report),
    ...phases(report),
    ...(lastLines.length === 0
      ? []
      : [
          '',
          lastLines.length === 1 ? 'Last line' : `Last ${lastLines.length} lines`,
          ...lastLines.map((line) => `  ${line}`),
        ]),
  ];
}

function headline(report: Report): string {
  const { outcome, engine, engineVersion, phase, lines } = report;
  const who = engine === 'unknown' ? 'unknown engine' : [engine, engineVersion].filter(Boolean).join(' ');
  const where = phase === null ? 'no phase seen' : `last phase: ${titleOf(report, phase)}`;
  return `${outcome.toUpperCase()} · ${who} · ${where} · ${lines} ${lines === 1 ? 'line' : 'lines'}`;
}

/** As the checklist below calls it; of a crash the phase in which it failed, also where no line had begun that. */
function titleOf({ phases, phaseModel }: Report, phase: PhaseId): string {
  const failed = phases.find(({ status }) => status === 'failed');
  const found = failed ?? phaseAt(phases, { id: phase, model: phaseModel });
  return found === undefined ? phaseWords({ id: phase, model: phaseModel }) : phaseTitle(found);
}

function cause({ outcome, rootCause, consequences }: Report): readonly string[] {
  if (outcome !== 'crashed') return [];
  if (!rootCause) return ['', 'Cause', '  the log names none'];
  const { lineNumber, rank, where, category, confidence } = rootCause;
  const details = [
    `line ${lineNumber}`,
    rank,
    where,
    category,
    `confidence ${Math.round(100 * confidence)} %`,
  ];
  return [
    '',
    'Cause',
    `  ${causeText(rootCause)}`,
    `  ${details.filter((detail) => detail !== null).join(' · ')}`,
    ...(consequences.length > 0 ? [`  ${consequences.length} further lines are its consequences`] : []),
  ];
}

function suspicions({ outcome, suspicions }: Report): readonly string[] {
  if (outcome === 'crashed' || suspicions.length === 0) return [];
  return [
    '',
    'Suspicions (no verdict)',
    ...suspicions.slice(0, 5).map(({ lineNumber, line }) => `  line ${lineNumber}: ${line}`),
  ];
}

function remedies({ remedies }: Report): readonly string[] {
  if (remedies.length === 0) return [];
  return [
    '',
    'What to do',
    ...remedies.flatMap(({ title, why, change, url }) => [
      `  • ${title}`,
      `    ${why}`,
      ...(change ? [`    change: ${changeText(change)}`] : []),
      ...(url ? [`    ${url}`] : []),
    ]),
  ];
}

const marks = { done: '✔', active: '▸', failed: '✖', pending: '·', skipped: '–' } as const;

function phases({ phases }: Report): readonly string[] {
  if (phases.length === 0) return [];
  const rows = phases.map(({ status, title, model, seconds, detail }) => {
    const name = `${marks[status]} ${phaseTitle({ title, model })}`;
    const took = seconds === null ? '' : durationText(1000 * seconds);
    return `  ${name.padEnd(34)} ${took.padStart(7)}  ${detail ?? ''}`.trimEnd();
  });
  return ['', 'Phases', ...rows];
}
