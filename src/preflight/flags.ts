import type { CommandLine, FlagRole } from '../engines/command-line.js';

/** The flags of a command line that mean something to us. */
export interface ReadFlags {
  /** Its value; null where only a shell could tell it; undefined where it is not given. A switch has ''. */
  readonly get: (role: FlagRole) => string | null | undefined;
  /** Whether all arguments are known: no file of arguments, no word that only a shell can work out. */
  readonly isWhole: boolean;
}

/** Flags without a value of their own. */
const switches: readonly FlagRole[] = ['noGraphs', 'dataParallelAttention'];

/**
 * Reads `words` as argparse does: `--flag value`, `--flag=value`, the last one counts, and a beginning of `--flag` that
 * fits only one of ours is that one. With `thenModel` the first word is the model where it is no flag.
 */
export function readFlags(
  words: readonly (string | null)[],
  engine: CommandLine | null,
  thenModel = false,
): ReadFlags {
  const values = new Map<FlagRole, string | null>();
  const [first] = words;
  if (thenModel && typeof first === 'string' && !first.startsWith('-')) values.set('model', first);
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (typeof word !== 'string' || !word.startsWith('-') || engine === null) continue;
    const cut = word.indexOf('=');
    const role = roleOf(cut < 0 ? word : word.slice(0, cut), engine);
    if (role === null) continue;
    if (switches.includes(role)) values.set(role, '');
    else if (cut >= 0) values.set(role, word.slice(cut + 1));
    else if (at + 1 < words.length) values.set(role, words[++at] ?? null);
  }
  const isWhole = !values.has('argumentFile') && words.every((word) => word !== null);
  return { get: (role) => values.get(role), isWhole };
}

function roleOf(flag: string, { flags, underscores }: CommandLine): FlagRole | null {
  const name = underscores && flag.startsWith('--') ? flag.replaceAll('_', '-') : flag;
  const all = Object.entries(flags).flatMap(([role, names]) => names.map((other) => [role, other] as const));
  const exact = all.find(([, other]) => other === name)?.[0];
  if (exact !== undefined) return exact as FlagRole;
  if (!name.startsWith('--') || name.length < shortestBeginning) return null;
  const roles = new Set(all.filter(([, other]) => other.startsWith(name)).map(([role]) => role));
  const [role] = roles;
  return roles.size === 1 && role !== undefined ? (role as FlagRole) : null;
}

/** Shorter ones may well be the beginning of a flag that is not ours. */
const shortestBeginning = '--tensor-p'.length;
