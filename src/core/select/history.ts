import { compareRuns } from '../compare-runs.js';
import { helpText, helpWords } from '../help-words.js';
import { type HistoryEntry, lastGood, previousOf, secondsToReady } from '../history.js';
import { phaseWords } from '../phase-title.js';
import { allEntries, currentEntry } from '../run-entry.js';
import { currentId } from '../run-identity.js';
import type { State } from '../state.js';
import type { HistoryDetail, HistoryRow } from '../view-models/history.js';
import type { ComparisonModel, OverlayModel } from '../view-models/overlay.js';
import { clockText, durationText, oneLine } from '../words.js';

/** The attempts at this server, the newest first, with the chosen one; opened, that one with its last lines. */
export function selectHistory(state: State): Extract<OverlayModel, { kind: 'history' }> {
  const { overlayTop: top, chosen, isOpened } = state.view;
  const entries = allEntries(state).toReversed();
  const id = currentId(state);
  const rows = entries.map((entry, at) =>
    historyRow(entry, entries[at + 1] ?? null, state.now, entry.id === id),
  );
  const index = Math.max(
    0,
    entries.findIndex((entry) => entry.id === chosen),
  );
  const entry = entries[index];
  return {
    kind: 'history',
    top,
    rows,
    chosen: index,
    opened: isOpened && entry ? detail(entry, entries[index + 1] ?? null, state.now) : null,
  };
}

/** One attempt as a row of a list. `now` in ms. */
function historyRow(
  entry: HistoryEntry,
  previous: HistoryEntry | null,
  now: number,
  isCurrent: boolean,
): HistoryRow {
  const ready = secondsToReady(entry);
  return {
    id: entry.id,
    attempt: entry.attempt,
    outcome: entry.outcome,
    cause: entry.cause?.text ?? null,
    age: entry.startedAt === null ? null : ageText(now - entry.startedAt),
    readySeconds: ready,
    tookSeconds: tookSeconds(entry, now, isCurrent),
    change: entry.change,
    remedy: entry.remedy?.title ?? null,
    helped: entry.helped,
    helpText: helpText(entry, previous),
  };
}

/** How long it ran until its outcome; so far, where it has none yet. */
function tookSeconds(entry: HistoryEntry, now: number, isCurrent: boolean): number | null {
  const end = entry.endedAt ?? (isCurrent ? now : null);
  return entry.startedAt === null || end === null ? null : Math.max(0, (end - entry.startedAt) / 1000);
}

/** `just now`, `4 min ago`, `3 h ago`, `5 d ago`: as coarse as a list needs, so that it does not move all the time. */
export function ageText(ms: number): string {
  if (ms < 60_000) return 'just now';
  if (ms < 5_400_000) return `${Math.round(ms / 60_000)} min ago`;
  return ms < 129_600_000 ? `${Math.round(ms / 3_600_000)} h ago` : `${Math.round(ms / 86_400_000)} d ago`;
}

/** `attempt 2 (crashed)`, `pid 4711 (ready)`. */
export function entryName(entry: HistoryEntry): string {
  const name = entry.attempt === null ? `pid ${entry.id.split(' ')[1] ?? '?'}` : `attempt ${entry.attempt}`;
  return `${name} (${entry.outcome})`;
}

function detail(entry: HistoryEntry, previous: HistoryEntry | null, now: number): HistoryDetail {
  const ready = secondsToReady(entry);
  const fact = (label: string, text: string | null | undefined): readonly (readonly [string, string])[] =>
    text == null || text === '' ? [] : [[label, oneLine(text)]];
  const helped = helpWords(entry, previous) ?? 'not known yet';
  return {
    title: entryName(entry),
    facts: [
      ...fact('cause', entry.cause?.text),
      ...fact('rule', entry.cause?.category),
      ...fact('reached', entry.reached && phaseWords(entry.reached)),
      ...fact('started', entry.startedAt === null ? null : ageText(now - entry.startedAt)),
      ...fact('ready in', ready === null ? null : clockText(ready * 1000)),
      ...fact('change', entry.change),
      ...fact('remedy', entry.remedy === null ? null : `${entry.remedy.title}: ${helped}`),
      ...fact('engine', engineText(entry)),
      ...fact('phases', phaseTimes(entry)),
      ...fact('log', entry.log),
      ...fact('command', entry.command),
      ...fact(
        'env',
        Object.entries(entry.env ?? {})
          .map((pair) => pair.join('='))
          .join(' '),
      ),
      ...(entry.before ?? []).flatMap((step) => fact('before', step)),
    ],
    lines: entry.lastLines,
  };
}

function engineText({ engine, engineVersion, model, tensorParallel, packages }: HistoryEntry): string {
  const words = [
    engineVersion === null ? engine : `${engine} ${engineVersion}`,
    model,
    tensorParallel === null ? null : `${tensorParallel} GPUs`,
    ...Object.entries(packages).map((pair) => pair.join(' ')),
  ];
  return words.filter((word) => word !== null).join(' · ');
}

const phaseTimes = ({ phases }: HistoryEntry): string =>
  phases
    .filter(({ seconds, id }) => seconds !== null && id !== 'ready')
    .map(
      (phase) =>
        `${phaseWords(phase)} ${secondsText(phase.seconds ?? 0)}${phase.isDone ? '' : ' (not done)'}`,
    )
    .join(' · ');

/** `0.8 s` under ten seconds, else as a clock shows it. */
const secondsText = (seconds: number): string =>
  seconds < 9.95
    ? `${seconds.toFixed(1)} s`
    : seconds < 90
      ? durationText(seconds * 1000)
      : clockText(seconds * 1000);

/** The server's arguments, beside those of the previous or the last good attempt. */
export function selectArguments(state: State): Extract<OverlayModel, { kind: 'arguments' }> {
  const { overlayTop: top, compareWith } = state.view;
  const entry = currentEntry(state);
  if (entry === null) {
    return { kind: 'arguments', top, comparison: null, rows: argumentsAlone(state) };
  }
  const previous = previousOf(state.history, entry.id);
  const good = lastGood(state.history, entry.id);
  const other = compareWith === 'good' ? (good ?? previous) : previous;
  return {
    kind: 'arguments',
    top,
    comparison:
      other && comparison(other, other === good ? previous : good, other === good && other !== previous),
    rows: compareRuns(entry, other, secondsText).map((row) => ({
      ...row,
      value: oneLine(row.value),
      was: row.was === null ? null : oneLine(row.was),
    })),
  };
}

/** Before the process is known, the log may have said how it was started. */
function argumentsAlone(state: State): Extract<OverlayModel, { kind: 'arguments' }>['rows'] {
  return Object.entries(state.reading.findings().serverArgs ?? {}).map(([name, value]) => ({
    section: 'arguments',
    name,
    value: typeof value === 'string' ? oneLine(value) : JSON.stringify(value),
    was: null,
    mark: 'same',
  }));
}

function comparison(shown: HistoryEntry, other: HistoryEntry | null, isGood: boolean): ComparisonModel {
  return {
    with: `${isGood ? 'the last good one, ' : ''}${entryName(shown)}`,
    other:
      other === null || other.id === shown.id
        ? null
        : `${isGood ? 'the previous one' : 'the last good one'}, ${entryName(other)}`,
  };
}
