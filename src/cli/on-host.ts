import { usageError } from '../errors.js';
import type { Host } from '../host/host.js';
import { run } from '../host/run.js';
import { scriptCommand } from '../remote/script.js';

/**
 * A path as the user means it on the host: a leading `~/` is the home folder there (the local shell leaves a quoted one,
 * and that of HOST:~/PATH, alone). Any other path comes back as it is.
 */
export async function onHost(host: Host, path: string): Promise<string> {
  if (path !== '~' && !path.startsWith('~/')) return path;
  const { stdout } = await run(host, scriptCommand('home', []), { timeoutMs: 15_000 });
  const home = /\n#firedup-home\n([^\n]+)\n/.exec(stdout)?.[1];
  if (home === undefined) {
    throw usageError(`The home folder on ${host.label} is not known: ${path}`, 'Give the whole path.');
  }
  return `${home}${path.slice(1)}`;
}
