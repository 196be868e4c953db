import type { Command } from 'commander';
import { type FiredupError, usageError } from '../../errors.js';
import { redact } from '../../ingest/redact.js';
import { noSuch } from '../no-such.js';
import { fullName, isCommand, shownFlags, usageOf } from './help-style.js';

/**
 * What commander says of a command line (`message` with its `code`, as in version 14) as one of our own usage errors: a
 * sentence, what was probably meant, and where to read on.
 */
export function usageFault(command: Command, message: string, code: string): FiredupError {
  const name = ownName(command);
  const help = `${fullName(command)} --help shows ${command.parent === null ? 'all commands' : 'its options'}.`;
  const [first = '', second = ''] = [...message.matchAll(/'(.+?)'/g)].map(([, words = '']) => words);
  switch (code) {
    case 'commander.unknownCommand':
    case 'commander.excessArguments':
      return command.commands.length > 0
        ? noSuchCommand(command, command.args[0] ?? '')
        : tooMuch(command, help);
    case 'commander.unknownOption': {
      const meant = /\(Did you mean (.+)\?\)/.exec(message)?.[1];
      const near = meant === undefined ? '' : ` (did you mean ${meant}?)`;
      return usageError(`${name} has no option ${first}${near}.`, whereItBelongs(command, first) ?? help);
    }
    case 'commander.missingArgument':
      return missing(command, first, help);
    case 'commander.optionMissingArgument':
      return usageError(`${flagOf(first)} needs a value: ${shownFlags({ flags: first })}.`, help);
    case 'commander.conflictingOption':
      return usageError(`${flagOf(first)} and ${flagOf(second)} cannot go together.`, 'Give one of them.');
    case 'commander.invalidArgument': {
      const [, flags = '', value = '', takes = ''] =
        /option '(.+?)' argument '(.*)' is invalid\. (.*)$/s.exec(message) ?? [];
      // What was given to --env may be a secret.
      const shown = redact(value).replace(/=.*/s, '=…');
      return usageError(`${flagOf(flags)} takes ${takes}, not "${shown}".`, help);
    }
    default:
      return usageError(`${name}: ${message.replace(/^error: /, '')}`, help);
  }
}

/** For a `word` after `command` that is none of its commands. */
export function noSuchCommand(command: Command, word: string): FiredupError {
  const above = fullName(command).split(' ').slice(1);
  const named = (name: string): string => [...above, name].join(' ');
  const names = command.commands.map((child) => named(child.name()));
  return noSuch('command', named(word), names, {
    hint: `${fullName(command)} --help shows all commands.`,
    otherwise: above.length > 0 ? '' : ` A server on the host ${word} is watched by: firedup watch ${word}`,
  });
}

/** `engines show`; `firedup` of the program itself. */
const ownName = (command: Command): string => fullName(command).replace(/^firedup /, '');

/** `-n, --lines <n>` as a sentence names it: `--lines`. */
const flagOf = (flags: string): string => flags.replace(/\s*<.*/, '').replace(/^-\w, (?=--)/, '');

function missing(command: Command, argument: string, help: string): FiredupError {
  const words = command.registeredArguments.find((one) => one.name() === argument)?.description ?? 'missing';
  return usageError(`${ownName(command)} needs ${argument}.`, `${argument} is ${words}. ${help}`);
}

/** What `relaunch TARGET -- --flag value` asks for. */
const otherArguments =
  'It starts the last command again: --env NAME=value changes a variable; an argument is changed on the screen (R, then e), or by firedup launch with the whole command.';

function tooMuch(command: Command, help: string): FiredupError {
  const most = command.registeredArguments.length;
  const takes =
    most === 0 ? 'no argument' : `only ${command.registeredArguments.map((one) => one.name()).join(' ')}`;
  const what = `${ownName(command)} takes ${takes}: "${command.args[most]}" is too much.`;
  return usageError(what, command.name() === 'relaunch' ? `${otherArguments} ${help}` : help);
}

/** An option that is right at another place of the line. */
function whereItBelongs(command: Command, flag: string): string | null {
  if (command.registeredArguments.some(isCommand)) {
    return `What is to run on the host stands after --: ${usageOf(command)}`;
  }
  const [word] = flag.split('=');
  const knows = ({ options }: Command): boolean =>
    options.some(({ long, short }) => long === word || short === word);
  return command.parent !== null || !command.commands.some(knows)
    ? null
    : `Options stand after the command: firedup COMMAND ${flag}. firedup --help shows all commands.`;
}
