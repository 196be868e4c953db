import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The variables that say where files go (XDG Base Directory Specification 0.8). */
export type PathEnvironment = Readonly<Record<string, string | undefined>>;

/** Where firedup keeps what it writes on this machine: `${XDG_STATE_HOME:-~/.local/state}/firedup`. */
export function stateFolder(env: PathEnvironment, home = homedir()): string {
  return join(baseFolder(env.XDG_STATE_HOME, join(home, '.local', 'state')), 'firedup');
}

/** Where the user's own files for firedup are: `${XDG_CONFIG_HOME:-~/.config}/firedup`. */
export function configFolder(env: PathEnvironment, home = homedir()): string {
  return join(baseFolder(env.XDG_CONFIG_HOME, join(home, '.config')), 'firedup');
}

/** A relative path is to be ignored, says the specification. */
const baseFolder = (value: string | undefined, otherwise: string): string =>
  value !== undefined && isAbsolute(value) ? value : otherwise;

/**
 * `text` (a host, a server's name) as one part of a file name: different texts give different names, none of them
 * hidden or with a separator in it.
 */
export function fileNamePart(text: string): string {
  const safe = text.replace(
    /[^A-Za-z0-9@_.-]|^\.|~/g,
    (char) => `~${[...Buffer.from(char)].map(hexByte).join('')}`,
  );
  return safe.length <= 100 ? safe : `${safe.slice(0, 80)}~${checksum(text)}`;
}

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0');

/** FNV-1a, 53 bits of it: names that are too long stay apart. */
function checksum(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}
