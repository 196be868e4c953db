import { argChanges, envChanges, isElsewhere } from './attempt-change.js';
import type { HistoryEntry } from './history.js';
import { phaseWords } from './phase-title.js';
import { differsEachRun } from './server-args.js';

/** One thing in which two attempts differ, or which they have in common. */
export interface Difference {
  readonly section: 'launch' | 'arguments' | 'packages' | 'phases';
  readonly name: string;
  /** Empty where it was taken away. */
  readonly value: string;
  /** What it was in the other attempt; null where it is the same, or was not there. */
  readonly was: string | null;
  /** `varies`: differs from run to run without anybody changing it. */
  readonly mark: 'same' | 'changed' | 'added' | 'removed' | 'varies';
}

/**
 * `entry` beside `other`, or alone (null): how it was launched, the arguments that its log printed, package versions
 * and phase times (seconds in words by `time`). Arguments are compared by name and value, whatever their order; one
 * that a cut line lacks is not taken for a change.
 */
export function compareRuns(
  entry: HistoryEntry,
  other: HistoryEntry | null,
  time: (seconds: number) => string,
): readonly Difference[] {
  return [
    ...(other === null ? [] : launchDifferences(entry, other)),
    ...argumentRows(entry.serverArgs, other?.serverArgs ?? null),
    ...packageRows(versions(entry), other === null ? null : versions(other)),
    ...phaseRows(entry, other, time),
  ];
}

function launchDifferences(entry: HistoryEntry, other: HistoryEntry): readonly Difference[] {
  const row = (name: string, value: string, was: string | null, isRemoved = false): Difference => ({
    section: 'launch',
    name,
    value: isRemoved ? '' : value,
    was,
    mark: isRemoved ? 'removed' : was === null ? 'added' : 'changed',
  });
  const env = envChanges(other.env, entry.env).map(([name, value]) => {
    const was = other.env?.[name];
    return row('env', `${name}=${value ?? ''}`, was === undefined ? null : `${name}=${was}`, value === null);
  });
  const args = argChanges(other.command, entry.command);
  const command = args.length === 0 ? [] : [row('command', args.join(' '), other.command)];
  const before = (entry.before ?? []).filter((step) => !other.before?.includes(step));
  const gone = (other.before ?? []).filter((step) => entry.before !== null && !entry.before.includes(step));
  return [
    ...command,
    ...env,
    ...(isElsewhere(other, entry) ? [row('cwd', entry.cwd ?? '', other.cwd)] : []),
    ...before.map((step) => row('before', step, null)),
    ...gone.map((step) => row('before', '', step, true)),
  ];
}

type Values = Readonly<Record<string, unknown>>;

function argumentRows(args: Values | null, old: Values | null): readonly Difference[] {
  const names = [
    ...Object.keys(args ?? {}),
    ...Object.keys(old ?? {}).filter((name) => !(name in (args ?? {}))),
  ];
  if (args === null) return [];
  return names.map((name) => {
    const value = name in args ? valueText(args[name]) : '';
    const was = old === null || !(name in old) ? null : valueText(old[name]);
    const mark = old === null || value === was ? 'same' : markOf(name, name in args, was);
    return { section: 'arguments', name, value, was: mark === 'same' ? null : was, mark };
  });
}

function markOf(name: string, isThere: boolean, was: string | null): Difference['mark'] {
  if (differsEachRun(name)) return 'varies';
  return was === null ? 'added' : isThere ? 'changed' : 'removed';
}

/** A value so that equal ones are equal as text: the keys of a map in order, a number as a number. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [next]) => (one < next ? -1 : 1)))
      : part,
  );
}

function versions(entry: HistoryEntry): Readonly<Record<string, string>> {
  const { engine, engineVersion, packages } = entry;
  return engineVersion === null ? packages : { [engine]: engineVersion, ...packages };
}

function packageRows(
  now: Readonly<Record<string, string>>,
  old: Readonly<Record<string, string>> | null,
): readonly Difference[] {
  return Object.entries(now).map(([name, value]) => {
    // What an earlier log did not name is not known to be new.
    const was = old?.[name] ?? value;
    const isSame = was === value;
    return { section: 'packages', name, value, was: isSame ? null : was, mark: isSame ? 'same' : 'changed' };
  });
}

function phaseRows(
  entry: HistoryEntry,
  other: HistoryEntry | null,
  time: (seconds: number) => string,
): readonly Difference[] {
  return entry.phases.flatMap((phase) => {
    if (phase.seconds === null || phase.id === 'ready') return [];
    const same = other?.phases.find(({ id, model }) => id === phase.id && model === phase.model);
    const was = same?.isDone && same.seconds !== null && phase.isDone ? time(same.seconds) : null;
    const value = `${time(phase.seconds)}${phase.isDone ? '' : ' (not done)'}`;
    const mark = was === null || was === value ? 'same' : 'changed';
    return [
      { section: 'phases' as const, name: phaseWords(phase), value, was: mark === 'same' ? null : was, mark },
    ];
  });
}
