import { lastFrame } from '../ingest/frames.js';
import { rowsUp } from './filter.js';
import { lastLogLines } from './last-lines.js';
import { phaseTitle } from './phase-title.js';
import { changeText } from './relaunch-form.js';
import { selectGpus } from './select/gpus.js';
import { selectArguments, selectHistory } from './select/history.js';
import { hasCard, selectPhases } from './select/screen.js';
import { selectCard } from './select/triage.js';
import type { State } from './state.js';
import type { GpuRow } from './view-models/gpus.js';
import type { PhaseRow } from './view-models/screen.js';
import type { TriageCard } from './view-models/triage-card.js';
import { clockText } from './words.js';

export interface CopiedText {
  /** In words: `3 marked lines`, `the triage card`. */
  readonly what: string;
  /** As they are: they may hold raw log bytes. */
  readonly lines: readonly string[];
}

/** What `y` means: what is in front, the overlay, the card, the focused pane; null where there is nothing to copy. */
export function textToCopy(state: State): CopiedText | null {
  const { overlay, focus } = state.view;
  switch (overlay) {
    case 'help':
      return null;
    case 'triage':
      return cardText(state);
    case 'history':
      return attempt(state);
    case 'arguments':
      return serverArguments(state);
    case null:
      if (focus === 'phases') return some('the phases', selectPhases(state).map(phaseLine));
      if (focus === 'gpus') return some('the GPUs', selectGpus(state).rows.map(gpuLine));
      if (hasCard(state)) return cardText(state);
      return logLines(state);
  }
}

const some = (what: string, lines: readonly string[]): CopiedText | null =>
  lines.length === 0 ? null : { what, lines };

/** The marked lines, else the one that a jump led to, else the last forty down to the lowest in sight. */
function logLines(state: State): CopiedText | null {
  const { log, view } = state;
  const textsOf = (seqs: readonly number[]): readonly string[] =>
    seqs.flatMap((seq) => {
      const entry = log.ring.get(seq);
      // A line of ours, between two files, is not in the log.
      return entry === undefined || entry.number === 0 ? [] : [lastFrame(entry.text)];
    });
  const marked = textsOf(view.marks);
  if (marked.length > 0) {
    return { what: marked.length === 1 ? 'the marked line' : `${marked.length} marked lines`, lines: marked };
  }
  if (view.found !== null) return some('the chosen line', textsOf([view.found]));
  const lines =
    view.anchor === null && view.shown === null
      ? lastLogLines(state, most)
      : textsOf(linesInSight(state).reverse());
  return some(lines.length === 1 ? '1 line' : `${lines.length} lines`, lines);
}

const most = 40;

/** Folded lines too: the log is copied, not its picture. What a filter keeps back is not. */
function linesInSight(state: State): number[] {
  const bottom = state.view.anchor ?? state.log.ring.end - 1;
  const unfolded = { ...state, view: { ...state.view, folds: false } };
  const found: number[] = [];
  for (const seq of rowsUp(unfolded, bottom, bottom)) {
    found.push(seq);
    if (found.length === most) break;
  }
  return found;
}

function cardText(state: State): CopiedText {
  const card = selectCard(state);
  const name = cardNames[card.outcome];
  return { what: name ?? 'the triage card', lines: cardLines(card) };
}

const cardNames: Readonly<Partial<Record<TriageCard['outcome'], string>>> = {
  ready: 'how it is reached and what it took',
  loading: 'what is known so far',
};

function cardLines({ headline, cause, known, suspicions, remedies }: TriageCard): readonly string[] {
  const numbered = (lineNumber: number | null): string => (lineNumber === null ? '' : `line ${lineNumber}`);
  const facts =
    cause === null
      ? []
      : [cause.rank, cause.where, numbered(cause.lineNumber), cause.category].filter(Boolean);
  return [
    cause?.text ?? headline,
    ...(facts.length === 0 ? [] : [`  ${facts.join(' · ')}`]),
    ...known.map(({ label, text }) => `  ${label}: ${text}`),
    ...(cause === null ? suspicions : []).map(
      ({ lineNumber, line }) => `  ${['suspect', numbered(lineNumber)].filter(Boolean).join(', ')}: ${line}`,
    ),
    ...remedies.flatMap(({ title, why, change, url }) => {
      const words = [why, change === null ? '' : changeText(change), url ?? ''].filter((text) => text !== '');
      return [`remedy: ${title}`, ...words.map((text) => `  ${text}`)];
    }),
  ];
}

function attempt(state: State): CopiedText | null {
  const { opened } = selectHistory({ ...state, view: { ...state.view, isOpened: true } });
  if (opened === null) return null;
  const facts = opened.facts.map(([label, text]) => `${label}: ${text}`);
  return { what: opened.title, lines: [opened.title, ...facts, '', ...opened.lines] };
}

function serverArguments(state: State): CopiedText | null {
  const rows = selectArguments(state).rows.filter(
    ({ section, mark }) => section === 'arguments' && mark !== 'removed',
  );
  return some(
    'the arguments',
    rows.map(({ name, value, was }) => `${name}: ${value}${was === null ? '' : ` (was ${was})`}`),
  );
}

function phaseLine({ title, model, status, seconds, detail, progress }: PhaseRow): string {
  const name = phaseTitle({ title, model });
  const share = status === 'active' && progress !== null ? `${Math.floor(progress * 100)} %` : null;
  return [name, status, seconds === null ? null : clockText(seconds * 1000), share, detail]
    .filter((word) => word !== null && word !== '')
    .join(' · ');
}

function gpuLine(row: GpuRow): string {
  const { memUsedMiB, memTotalMiB, utilPercent, powerW, temperatureC } = row;
  const memory =
    memUsedMiB === null ? null : `${memUsedMiB}${memTotalMiB === null ? '' : `/${memTotalMiB}`} MiB`;
  return [
    `GPU ${row.index} ${row.name}`,
    memory,
    utilPercent === null ? null : `${utilPercent} %`,
    powerW === null ? null : `${Math.round(powerW)} W`,
    temperatureC === null ? null : `${temperatureC} °C`,
    row.rank,
    row.pid === null ? null : `pid ${row.pid}`,
    row.mig,
    row.fault,
    row.kernel,
  ]
    .filter((word) => word !== null && word !== '')
    .join(' · ');
}
