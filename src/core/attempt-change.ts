import type { HistoryEntry, HistoryPhaseId } from './history.js';
import { flagGroups } from './relaunch-form.js';
import { splitWords } from './shell-words.js';
import { firstLineOf } from './words.js';

/** What `entry` was launched with that `previous` was not, in words of a command line; null where nothing is known. */
export function describeChange(previous: HistoryEntry, entry: HistoryEntry): string | null {
  const words = [
    ...envChanges(previous.env, entry.env).map(([name, value]) =>
      value === null ? `without ${name}` : `${name}=${value}`,
    ),
    ...argChanges(previous.command, entry.command),
    ...(isElsewhere(previous, entry) ? [`cwd ${entry.cwd}`] : []),
    ...newSteps(previous.before, entry.before).map((step) => `before: ${firstLineOf(step)}`),
    ...goneSteps(previous.before, entry.before).map((step) => `without before: ${firstLineOf(step)}`),
  ];
  return words.length === 0 ? null : words.join(' · ');
}

/** Whether both folders are known, and are not the same. */
export const isElsewhere = ({ cwd: one }: HistoryEntry, { cwd: other }: HistoryEntry): boolean =>
  one !== null && other !== null && one !== other;

type Env = HistoryEntry['env'];

/** Variables that were added, changed (new value) or taken away (null), by name. */
export function envChanges(before: Env, after: Env): readonly (readonly [string, string | null])[] {
  if (before === null || after === null) return [];
  const set = Object.entries(after).filter(([name, value]) => before[name] !== value);
  const gone = Object.keys(before).filter((name) => !(name in after));
  return [...set, ...gone.map((name) => [name, null] as const)];
}

/** Flags of `after` that differ from those of `before`, with their values; `without --flag` for those taken away. */
export function argChanges(before: string, after: string): readonly string[] {
  if (before === after || before === '' || after === '') return [];
  const [old, now] = [groups(before), groups(after)];
  const program = old[0]?.text === now[0]?.text ? [] : [now[0]?.text ?? ''];
  const set = now.slice(1).filter(({ text }) => !old.some((other) => other.text === text));
  const gone = old.slice(1).filter(({ flag }) => !now.some((other) => other.flag === flag));
  return [...program, ...set.map(({ text }) => text), ...gone.map(({ flag }) => `without ${flag}`)];
}

interface Group {
  readonly flag: string;
  readonly text: string;
}

/** The program with what stands before its first flag, then `--flag value …` each; `--flag=value` is the same. */
function groups(command: string): readonly Group[] {
  const words = splitWords(command).flatMap((word) => {
    const [, flag, value] = /^(--?[A-Za-z][\w-]*)=([\s\S]*)$/.exec(word) ?? [];
    return flag === undefined || value === undefined ? [word] : [flag, value];
  });
  const first = words.findIndex((word) => word.startsWith('-'));
  const program = first < 0 ? words : words.slice(0, first);
  const flags = flagGroups(first < 0 ? [] : words.slice(first));
  return [program, ...flags].map((group) => ({ flag: group[0] ?? '', text: group.join(' ') }));
}

function newSteps(before: readonly string[] | null, after: readonly string[] | null): readonly string[] {
  return (after ?? []).filter((step) => !before?.includes(step));
}

function goneSteps(before: readonly string[] | null, after: readonly string[] | null): readonly string[] {
  return after === null ? [] : newSteps(after, before);
}

/** The remedy of `previous` whose change `entry` has and `previous` had not; null for none. */
export function remedyTaken(previous: HistoryEntry, entry: HistoryEntry): HistoryEntry['remedy'] {
  const taken = previous.remedies.find(
    ({ change }) => change !== null && holds(entry, change) && !holds(previous, change),
  );
  return taken === undefined ? null : { id: taken.id, title: taken.title };
}

function holds(
  entry: HistoryEntry,
  change: NonNullable<HistoryEntry['remedies'][number]['change']>,
): boolean {
  const env = Object.entries(change.env ?? {});
  const args = groups(['x', ...(change.args ?? [])].join(' ')).slice(1);
  if (env.length + args.length === 0) return false;
  const launched = groups(entry.command);
  return (
    env.every(([name, value]) => entry.env?.[name] === value) &&
    args.every(({ text }) => launched.some((group) => group.text === text))
  );
}

/**
 * Whether the crash (or hang) of `previous` is gone: true when `entry` was ready or came further than it, or died there
 * of something else; false when the same happened again; null where nothing was wrong, or it has not come that far.
 */
export function whetherHelped(previous: HistoryEntry, entry: HistoryEntry): boolean | null {
  if (previous.outcome !== 'crashed' && previous.outcome !== 'stalled') return null;
  if (entry.readyAt !== null || entry.outcome === 'ready') return true;
  const far = comparePlaces(entry, previous.reached);
  if (far > 0) return true;
  if (entry.outcome !== 'crashed' && entry.outcome !== 'stalled') return null;
  if (isSameEnd(previous, entry)) return false;
  // Before that place the other fault had no chance to show itself again.
  return far < 0 ? null : true;
}

function isSameEnd(one: HistoryEntry, other: HistoryEntry): boolean {
  if (one.outcome !== other.outcome) return false;
  if (one.outcome === 'stalled') return one.reached?.id === other.reached?.id;
  const category = one.cause?.category ?? null;
  return category === null ? one.cause?.text === other.cause?.text : category === other.cause?.category;
}

/** Above 0: `entry` has come further than `phase`; 0: as far; below 0: less far. */
function comparePlaces(entry: HistoryEntry, phase: HistoryPhaseId | null): number {
  const place = (wanted: HistoryPhaseId | null): number =>
    entry.phases.findIndex(({ id, model }) => id === wanted?.id && model === wanted.model);
  if (phase === null) return 0;
  const there = place(phase);
  if (there < 0) return -1;
  const here = place(entry.reached);
  return (here < 0 ? entry.phases.length - 1 : here) - there;
}
