import { CommanderError } from 'commander';
import { exitCodes } from '../errors.js';
import { isInteractive } from './is-interactive.js';
import { addActing } from './program/acting.js';
import { FiredupCommand } from './program/firedup-command.js';
import { showExamples } from './program/help.js';
import { addKnowing } from './program/knowing.js';
import { addLooking } from './program/looking.js';
import { addWatching } from './program/watching.js';
import { packageVersion } from './version.js';

/** Parses the command line and runs the command that it names, each from its own file. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = createProgram();
  if (argv.length === 0 && isInteractive() && (await (await import('./commands/pick.js')).pick())) return;
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // It has printed the help or the version; the help on stderr where nothing was asked for.
    process.exitCode = error.exitCode === 0 ? exitCodes.ready : exitCodes.usage;
  }
}

/** All commands with their options; `docs/commands.md` is drawn from it. */
export function createProgram(): FiredupCommand {
  const program = new FiredupCommand('firedup')
    .description('watches an LLM inference server come up: ready, crashed or stuck, why, and what to do next')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpCommand(false)
    .exitOverride();
  // Options come before the command that is to be launched, and `--` ends them.
  program.enablePositionalOptions();

  program.commandsGroup('Watch a server come up:');
  addWatching(program);
  program.commandsGroup('Look:');
  addLooking(program);
  program.commandsGroup('Act:');
  addActing(program);
  program.commandsGroup('What firedup knows and is told:');
  addKnowing(program);

  showExamples(program);
  program.addHelpText('after', `\n${moreToKnow}`);
  return program;
}

const moreToKnow = `HOST is local, an alias of the ssh config, or [user@]host[:port]; TARGET is a
name of the config. Alone, on a terminal, firedup shows the targets to pick one.

Exit codes of wait, triage, and of watch, launch and demo without a screen:
  0 ready · 1 crashed · 2 wrong usage · 3 stalled · 4 timed out or still loading
  5 not connected · 6 stopped on purpose · 7 something survived a kill
  70 a fault of firedup itself · 130 interrupted`;
