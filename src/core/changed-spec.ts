import { usageError } from '../errors.js';
import { redact, redactEnv } from '../ingest/redact.js';
import { displayArgv, displayCommand, isShellLine, type LaunchSpec } from './launch-spec.js';
import type { RelaunchForm } from './relaunch-form.js';
import { flagGroups } from './relaunch-form.js';

/**
 * A launch as the form changes it: what was edited as a whole, then the variables and arguments. A flag that is there
 * already gets the new value. Throws a usage error for arguments to a line for a shell.
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
  // Behind a pipe or a comment they would go elsewhere, and a line for a shell cannot be taken apart safely.
  if (isShellLine(spec)) {
    throw usageError(
      `Arguments (${args.join(' ')}) cannot be put into a line for a shell: ${displayCommand(spec)}`,
      'Launch it anew with the changed line, or change the environment instead.',
    );
  }
  return flagGroups(args).reduce<readonly string[]>(putIn, spec.command);
}

function putIn(command: readonly string[], group: readonly string[]): readonly string[] {
  const [flag = '', ...values] = group;
  const name = flag.split('=')[0] ?? flag;
  const at = name.startsWith('-')
    ? command.findIndex((word) => word === name || word.startsWith(`${name}=`))
    : -1;
  if (at < 0) return [...command, ...group];
  const next = command[at + 1];
  const hasValue = command[at] === name && values.length > 0 && next !== undefined && !next.startsWith('--');
  return [...command.slice(0, at), ...group, ...command.slice(at + (hasValue ? 2 : 1))];
}
