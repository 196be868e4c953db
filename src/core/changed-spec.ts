import { usageError } from '../errors.js';
import { redact, redactEnv } from '../ingest/redact.js';
import { displayArgv, displayCommand, isShellLine, type LaunchSpec } from './launch-spec.js';
import { withLineArgs } from './line-args.js';
import { flagGroups, flagPlace, type RelaunchForm } from './relaunch-form.js';

/**
 * A launch as the form changes it: what was edited as a whole, then the variables and arguments. A flag that is there
 * already gets the new value. Throws a usage error for arguments to a line for a shell in which their place is not certain.
 */
export function changedSpec(
  last: LaunchSpec,
  { env, args, edited }: Pick<RelaunchForm, 'env' | 'args'> & Partial<Pick<RelaunchForm, 'edited'>>,
): LaunchSpec {
  const spec = { ...last, ...edited };
  return { ...spec, env: { ...spec.env, ...env }, command: withArgs(spec, args) };
}

/** Steps before a start, of the last one (null: not known) and of the next. */
export interface StepsBefore {
  readonly last: readonly string[] | null;
  readonly next: readonly string[];
}

/**
 * What `next` does differently, a line each: `+ NAME=value`, `- --flag value`, `- before STEP`. Secrets redacted; none:
 * nothing.
 */
export function launchDifference(
  last: LaunchSpec,
  next: LaunchSpec,
  before: StepsBefore = { last: null, next: [] },
): readonly string[] {
  const folder = (spec: LaunchSpec): string => spec.cwd ?? '~';
  return [
    ...(folder(last) === folder(next) ? [] : [`- cwd ${folder(last)}`, `+ cwd ${folder(next)}`]),
    ...envDifference(last.env, next.env),
    ...commandDifference(last, next),
    ...stepsDifference(before),
  ];
}

/** The part of it that needs no command. */
export function stepsDifference({ last, next }: StepsBefore): readonly string[] {
  // What is recorded of the last ones is redacted.
  const shown = next.map(redact);
  if (last === null) return shown.map((step) => `+ before ${step} (not known to have run last time)`);
  return [
    ...last.filter((step) => !shown.includes(step)).map((step) => `- before ${step}`),
    ...shown.filter((step) => !last.includes(step)).map((step) => `+ before ${step}`),
  ];
}

function envDifference(last: LaunchSpec['env'], next: LaunchSpec['env']): readonly string[] {
  const shownLast = redactEnv(last);
  const shownNext = redactEnv(next);
  return [...new Set([...Object.keys(last), ...Object.keys(next)])].flatMap((name) => {
    if (last[name] === next[name]) return [];
    return [
      ...(name in last ? [`- ${name}=${shownLast[name]}`] : []),
      ...(name in next ? [`+ ${name}=${shownNext[name]}`] : []),
    ];
  });
}

/** Flag by flag where both are argvs of the same program, else the two lines. */
function commandDifference(last: LaunchSpec, next: LaunchSpec): readonly string[] {
  if (isShellLine(last) || isShellLine(next)) {
    const [before, after] = [displayCommand(last), displayCommand(next)];
    return last.command.join(' ') === next.command.join(' ') && isShellLine(last) === isShellLine(next)
      ? []
      : [`- ${before}`, `+ ${after}`];
  }
  const groups = (spec: LaunchSpec): readonly string[] =>
    flagGroups(spec.command).map((group) => JSON.stringify(group));
  const [before, after] = [groups(last), groups(next)];
  const show = (group: string): string => displayArgv(JSON.parse(group));
  const groupwise = [
    ...before.filter((group) => !after.includes(group)).map((group) => `- ${show(group)}`),
    ...after.filter((group) => !before.includes(group)).map((group) => `+ ${show(group)}`),
  ];
  if (groupwise.length > 0 || before.join() === after.join()) return groupwise;
  // In another order, or one of them twice.
  return [`- ${displayCommand(last)}`, `+ ${displayCommand(next)}`];
}

function withArgs(spec: LaunchSpec, args: readonly string[]): readonly string[] {
  if (args.length === 0) return spec.command;
  const groups = flagGroups(args);
  const line = shellLineOf(spec);
  if (line === null) return groups.reduce<readonly string[]>(putIn, spec.command);
  const changed = withLineArgs(line.text, groups);
  if (changed === null) {
    throw usageError(
      `Where ${displayArgv(args)} belongs cannot be told for certain in this line for a shell: ${displayCommand(spec)}`,
      'Put it in by hand.',
    );
  }
  return [...line.before, changed, ...line.after];
}

interface ShellLine {
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The line that a shell gets, and the words around it: also where the shell is the command (`bash -lc LINE`). */
function shellLineOf(spec: LaunchSpec): ShellLine | null {
  if (isShellLine(spec)) return { text: spec.command.join(' '), before: [], after: [] };
  const at = spec.command.findIndex((word) => /^(?:\S*\/)?(?:ba|da|z|k)?sh$/.test(word)) + 1;
  const flag = spec.command.slice(at).findIndex((word) => /^-[a-z]*c$/.test(word)) + at;
  if (at === 0 || flag < at || spec.command.slice(at, flag).some((word) => !word.startsWith('-')))
    return null;
  const { command } = spec;
  return {
    text: command[flag + 1] ?? '',
    before: command.slice(0, flag + 1),
    after: command.slice(flag + 2),
  };
}

function putIn(command: readonly string[], group: readonly string[]): readonly string[] {
  const place = flagPlace(command, group);
  if (place === null) return [...command, ...group];
  return [...command.slice(0, place.from), ...group, ...command.slice(place.to)];
}
