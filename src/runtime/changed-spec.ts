import type { RelaunchForm } from '../core/state.js';
import { quoteAll } from '../remote/quote.js';
import { isShellLine, type LaunchSpec } from './actions/launch-spec.js';

/** A launch with the form's variables and arguments in it. A flag that is there already gets the new value. */
export function changedSpec(spec: LaunchSpec, { env, args }: Pick<RelaunchForm, 'env' | 'args'>): LaunchSpec {
  return { ...spec, env: { ...spec.env, ...env }, command: withArgs(spec, args) };
}

function withArgs(spec: LaunchSpec, args: readonly string[]): readonly string[] {
  if (args.length === 0) return spec.command;
  // A line for a shell cannot be taken apart safely; the engines' parsers take the last of two equal flags.
  if (isShellLine(spec)) return [`${spec.command.join(' ')} ${quoteAll(args)}`];
  return groups(args).reduce<readonly string[]>(putIn, spec.command);
}

/** `--flag value …` words, one group a flag. */
function groups(args: readonly string[]): readonly (readonly string[])[] {
  const all: string[][] = [];
  for (const word of args) {
    const last = all.at(-1);
    if (word.startsWith('-') && !/^-\d/.test(word)) all.push([word]);
    else if (last) last.push(word);
    else all.push([word]);
  }
  return all;
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
