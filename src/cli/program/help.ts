import type { Command } from 'commander';
import { examples } from './examples.js';
import { fullName } from './help-style.js';
import { noSuchCommand } from './usage-fault.js';

/** `firedup help [COMMAND [NAME]]`: what `--help` of that command prints. */
export function addHelp(program: Command): void {
  program
    .command('help')
    .argument('[COMMAND]', 'one of the commands; an overview where none is named')
    .argument('[NAME]', 'one of its own commands')
    .description('what a command does, its options and examples')
    .action((first: string | undefined, second: string | undefined) => {
      let command = program;
      for (const word of [first, second].filter((one) => one !== undefined)) {
        const child = command.commands.find((one) => one.name() === word);
        if (child === undefined) throw noSuchCommand(command, word);
        command = child;
      }
      command.outputHelp();
    });
}

/** Puts the examples at the end of each command's help. */
export function showExamples(command: Command): void {
  const own = examples[fullName(command)] ?? [];
  if (own.length > 0) {
    const lines = own.flatMap(([what, line]) => [`  # ${what}`, `  ${line}`]);
    command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
  }
  for (const child of command.commands) showExamples(child);
}
