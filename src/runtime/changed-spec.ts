import { flagGroups } from '../core/relaunch-form.js';
import type { RelaunchForm } from '../core/state.js';
import { usageError } from '../errors.js';
import { displayCommand, isShellLine, type LaunchSpec } from './actions/launch-spec.js';

/** A launch with the form's variables and arguments in it. A flag that is there already gets the new value. */
export function changedSpec(spec: LaunchSpec, { env, args }: Pick<RelaunchForm, 'env' | 'args'>): LaunchSpec {
  return { ...spec, env: { ...spec.env, ...env }, command: withArgs(spec, args) };
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
