import type { Command } from 'commander';
import type { TargetOptions } from '../resolve-target.js';

/** An action on HOST|TARGET: what the config says of the target is in the options that it gets. */
export const onTarget =
  <Options extends TargetOptions>(act: (host: string, options: Options) => Promise<void>) =>
  async (host: string, given: Options, command: Command): Promise<void> => {
    const { resolveTarget } = await import('../resolve-target.js');
    const { label, options } = await resolveTarget(host, given, givenOptions(command));
    await act(label, options);
  };

/** Names of the options that stand on the command line. */
export const givenOptions = (command: Command): ReadonlySet<string> =>
  new Set(Object.keys(command.opts()).filter((name) => command.getOptionValueSource(name) === 'cli'));
