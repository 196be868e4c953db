import { Command, type ErrorOptions } from 'commander';
import { helpStyle } from './help-style.js';
import { usageFault } from './usage-fault.js';

/** A command whose faults of usage are told as every other fault is, and whose help is laid out in our way. */
export class FiredupCommand extends Command {
  constructor(name?: string) {
    super(name);
    this.configureHelp(helpStyle).helpOption('-h, --help', 'print this help');
  }

  override createCommand(name?: string): FiredupCommand {
    return new FiredupCommand(name);
  }

  /** Commander calls it for whatever is wrong with the words of a command line. */
  override error(message: string, options?: ErrorOptions): never {
    throw usageFault(this, message, options?.code ?? '');
  }
}
