import { readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import SSHConfig from 'ssh-config';
import { describeError, usageError } from '../../errors.js';
import { plainText } from '../plain-text.js';
import { type HostSpec, parseHostLabel } from '../spec.js';
import { optionName } from './option-names.js';
import { matchesPattern } from './patterns.js';

/** Options by lower-case name, as `ssh -G` prints them; several values where the option may repeat. */
export type ConfigAnswer = ReadonlyMap<string, readonly string[]>;

/**
 * What the user's and the system's ssh config say of `originalHost`, for machines without an ssh program: Host, Include
 * (glob, 16 deep), first match wins, ssh's defaults. `notes` says in one sentence what is left out. Throws a usage error
 * for a config that cannot be parsed.
 */
export function readSshConfig(
  spec: HostSpec,
  originalHost: string,
): { readonly answer: ConfigAnswer; readonly notes: readonly string[] } {
  const label = parseHostLabel(spec.label);
  const found = new Map<string, string[]>();
  const skipped = new Set<string>();
  const set = (key: string, value: string) => {
    const name = optionName(key);
    const known = found.get(name);
    if (known === undefined) found.set(name, [value]);
    else if (repeats.has(name)) known.push(value);
  };

  // What stands on our own command line comes first and so wins.
  const port = spec.port ?? label.port;
  if (port !== null) set('port', String(port));
  if (label.user !== null) set('user', label.user);
  if (spec.identityFile !== undefined) set('identityfile', spec.identityFile);
  if (spec.jump !== undefined) set('proxyjump', spec.jump);
  for (const { file, base } of filesOf(spec))
    walk({ file, base, host: originalHost, set, skipped, depth: 0 });
  for (const [key, value] of defaults()) if (!found.has(key)) found.set(key, value);
  const hostName = found.get('hostname')?.[0]?.replaceAll('%h', originalHost).replaceAll('%%', '%');
  if (hostName !== undefined) found.set('hostname', [hostName]);
  const left = skipped.size === 0 ? '' : `; left out here: ${[...skipped].join(', ')}`;
  return {
    answer: found,
    notes: [
      `No ssh program was found: the ssh config is read without Match, CanonicalizeHostname and tokens in HostName other than %h${left}.`,
    ],
  };
}

interface Walk {
  readonly file: string;
  /** Folder of relative Include paths. */
  readonly base: string;
  readonly host: string;
  readonly set: (key: string, value: string) => void;
  readonly skipped: Set<string>;
  readonly depth: number;
}

function walk(options: Walk): void {
  const { file, host, set, skipped } = options;
  const text = read(file);
  if (text === null) return;
  const follow = (lines: SSHConfig) => {
    for (const line of lines) {
      if (!('param' in line)) continue;
      const key = line.param.toLowerCase();
      const value = asText(line.value);
      if (key === 'host' && 'config' in line) {
        if (matchesHost(words(line.value), host)) follow(line.config);
      } else if (key === 'match' && 'config' in line) {
        // "all" needs no criteria of ours; anything else might change what is trusted, and is left out and named.
        if (value.trim().toLowerCase() === 'all') follow(line.config);
        else skipped.add(`Match ${plainText(value, 60)}`);
      } else if (key === 'include') {
        include(words(line.value), options);
      } else if (key === 'ignoreunknown' || key === 'sendenv' || key === 'setenv') {
        // Without meaning for us.
      } else {
        set(key, value);
      }
    }
  };
  let config: SSHConfig;
  try {
    config = SSHConfig.parse(text);
  } catch (error) {
    throw usageError(`The ssh config ${file} cannot be used: ${plainText(describeError(error))}`);
  }
  follow(config);
}

function include(patterns: readonly string[], options: Walk): void {
  if (options.depth >= maxDepth) {
    throw usageError(`The Include lines of ${options.file} go too deep.`, 'Does a file include itself?');
  }
  for (const pattern of patterns) {
    const path = pattern.replace(/^~(?=\/)/, userInfo().homedir);
    for (const file of glob(isAbsolute(path) ? path : join(options.base, path))) {
      walk({ ...options, file, depth: options.depth + 1 });
    }
  }
}

const maxDepth = 16;

/** The files that a path with `*` and `?` means, in alphabetical order, as glob(3) gives them to ssh. */
function glob(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .reduce<readonly string[]>(
      (folders, part) =>
        folders.flatMap((folder) => {
          if (!/[*?]/.test(part)) return [join(folder, part)];
          return entries(folder)
            .filter((name) => (part.startsWith('.') || !name.startsWith('.')) && matchesPattern(part, name))
            .sort()
            .map((name) => join(folder, name));
        }),
      ['/'],
    );
}

function filesOf(spec: HostSpec): readonly { readonly file: string; readonly base: string }[] {
  const own = join(userInfo().homedir, '.ssh');
  if (spec.configFile === 'none') return [];
  // As with ssh -F, the system's file does not count then.
  if (spec.configFile !== undefined) return [{ file: spec.configFile, base: own }];
  return [
    { file: join(own, 'config'), base: own },
    { file: '/etc/ssh/ssh_config', base: dirname('/etc/ssh/ssh_config') },
  ];
}

/** ssh_config(5). */
function defaults(): readonly (readonly [string, string[]])[] {
  const folder = join(userInfo().homedir, '.ssh');
  return [
    ['identityfile', ['id_rsa', 'id_ecdsa', 'id_ed25519'].map((name) => join(folder, name))],
    ['userknownhostsfile', [`${join(folder, 'known_hosts')} ${join(folder, 'known_hosts2')}`]],
    ['globalknownhostsfile', ['/etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2']],
  ];
}

const repeats = new Set(['identityfile', 'certificatefile']);

function matchesHost(patterns: readonly string[], host: string): boolean {
  const name = host.toLowerCase();
  const matches = (pattern: string) => matchesPattern(pattern.toLowerCase(), name);
  if (patterns.some((pattern) => pattern.startsWith('!') && matches(pattern.slice(1)))) return false;
  return patterns.some((pattern) => !pattern.startsWith('!') && matches(pattern));
}

type Value = string | readonly { readonly val: string }[];

const words = (value: Value): readonly string[] =>
  typeof value === 'string' ? value.split(/\s+/).filter((word) => word !== '') : value.map(({ val }) => val);

const asText = (value: Value): string =>
  typeof value === 'string' ? value : value.map(({ val }) => val).join(' ');

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
