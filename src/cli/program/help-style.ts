import type { Argument, Command, HelpConfiguration, Option } from 'commander';

/** How `--help` is laid out: the words of the docs (HOST|TARGET, `--name NAME`), sentences, and short lists. */
export const helpStyle: HelpConfiguration = {
  commandUsage: (command) => usageOf(command),
  commandDescription: (command) => sentence(command.description()),
  subcommandTerm: (command) => command.name(),
  subcommandDescription: (command) => command.summary() || command.description(),
  argumentTerm: (argument) => argument.name(),
  optionTerm: (option) => shownFlags(option),
  optionDescription: (option) => `${option.description}${defaultText(option)}`,
};

/** `firedup launch HOST|TARGET [options] [-- COMMAND...]` */
export function usageOf(command: Command): string {
  if (command.parent === null) return `${command.name()} COMMAND [HOST|TARGET] [options]`;
  const [words, last] = [command.registeredArguments, command.registeredArguments.at(-1)];
  const isLaunch = last !== undefined && isCommand(last);
  const before = isLaunch ? words.slice(0, -1) : words;
  return [
    fullName(command),
    ...(command.commands.length > 0 ? ['[COMMAND]'] : []),
    ...before.map(shownArgument),
    '[options]',
    ...(isLaunch ? [shownArgument(last)] : []),
  ].join(' ');
}

/** `firedup engines show` */
export const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;

/** `-n, --lines N`, `--name NAME` */
export const shownFlags = ({ flags }: Pick<Option, 'flags'>): string =>
  flags.replace(/<(.+)>/, (_, value: string) => value.toUpperCase());

/** `(default 10s)`; empty where there is none. */
export const defaultText = ({ defaultValue }: Pick<Option, 'defaultValue'>): string =>
  typeof defaultValue === 'string' || typeof defaultValue === 'number' ? ` (default ${defaultValue})` : '';

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Whether it is a command to launch, which follows `--`. */
export const isCommand = (argument: Argument): boolean => argument.name() === 'COMMAND' && argument.variadic;

function shownArgument(argument: Argument): string {
  const words = `${isCommand(argument) ? '-- ' : ''}${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? words : `[${words}]`;
}
