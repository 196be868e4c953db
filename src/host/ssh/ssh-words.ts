import { usageError } from '../../errors.js';
import { type HostSpec, isPort, parseHostLabel } from '../spec.js';

/** The words by which `ssh` gets to the host of `spec`, `-F` to the name; throws a usage error for a bad one. */
export function sshWords(spec: HostSpec): readonly string[] {
  const label = parseHostLabel(spec.label);
  const port = spec.port ?? label.port;
  if (port !== null && !isPort(port)) throw usageError(`${port} is not a port number (1 to 65535).`);
  const words: string[] = [];
  if (spec.configFile !== undefined) words.push('-F', spec.configFile);
  if (spec.identityFile !== undefined) words.push('-i', spec.identityFile);
  if (port !== null) words.push('-p', String(port));
  if (label.user !== null) words.push('-l', label.user);
  if (spec.jump !== undefined) words.push('-J', spec.jump);
  // `--`: no host name is ever an option.
  return [...words, '--', label.host];
}
