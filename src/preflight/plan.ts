import type { LaunchSpec } from '../core/launch-spec.js';
import type { CommandLine, FlagRole } from '../engines/command-line.js';
import { commandLines } from '../engines/command-lines.js';
import { type ReadFlags, readFlags } from './flags.js';
import { readShellLine, type ShellCommand } from './shell-line.js';

/** What can be told of a launch from its words alone. */
export interface LaunchPlan {
  /** The program behind wrappers such as `env` or `numactl`; null where it cannot be told. */
  readonly program: string | null;
  readonly byShell: boolean;
  /** A virtual environment that the line activates. */
  readonly venv: string | null;
  /** Whether something in the line may change what `program` or a path means; then no missing one is certain. */
  readonly isUncertain: boolean;
  readonly cwd: string | null;
  readonly log: string | null;
  /** Known variables of the launch, those in front of the command among them. A null value is not known. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly cleanEnv: boolean;
  readonly engine: CommandLine | null;
  readonly flags: ReadFlags;
}

/** Reads a launch. Never throws: what cannot be told is null. */
export function planLaunch(launch: LaunchSpec, known: readonly CommandLine[] = commandLines): LaunchPlan {
  const byShell = launch.shell || launch.command.length === 1;
  const base = { byShell, log: launch.log, cleanEnv: launch.cleanEnv };
  if (!byShell) {
    const found = commandOf(launch.command, launch.env, known, false);
    return { ...base, venv: null, isUncertain: false, cwd: launch.cwd, ...found };
  }
  const line = readShellLine(launch.command.join(' '));
  const nothing = { program: null, env: launch.env, engine: null, flags: readFlags([], null) };
  if (line === null) return { ...base, venv: null, isUncertain: true, cwd: launch.cwd, ...nothing };
  return { ...base, ...lineOf(line, launch, known) };
}

function lineOf(
  line: readonly ShellCommand[],
  launch: LaunchSpec,
  known: readonly CommandLine[],
): Omit<LaunchPlan, 'byShell' | 'log' | 'cleanEnv'> {
  let { cwd } = launch;
  let venv: string | null = null;
  let isUncertain = false;
  let makesFolders = false;
  const env: Record<string, string | null> = { ...launch.env };
  for (const { words, joinedBy } of line) {
    if (joinedBy === '||' || joinedBy === '&') isUncertain = true;
    const [first = null, second = null] = words;
    if (joinedBy === '|') break;
    if (first === 'mkdir') makesFolders = true;
    if (first === 'cd' && words.length === 2) {
      // It need not be there yet.
      if (makesFolders) isUncertain = true;
      if (second === null) isUncertain = true;
      else cwd = /^[/~]/.test(second) ? second : `${(cwd ?? '~').replace(/\/$/, '')}/${second}`;
    } else if ((first === 'source' || first === '.') && words.length === 2) {
      const activated = second === null ? null : /^(.+)\/bin\/activate$/.exec(second)?.[1];
      if (activated) venv = activated;
      else isUncertain = true;
    } else if (first === 'export' || words.every((word) => word !== null && isAssignment(word))) {
      for (const word of first === 'export' ? words.slice(1) : words) {
        if (word === null) isUncertain = true;
        else if (isAssignment(word))
          env[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1);
      }
    } else if (first !== null && harmless.has(first)) {
    } else {
      const found = commandOf(words, env, known, true);
      // The engine is what counts, whatever stands before it; else the last command may be the server.
      if (found.engine !== null || line.length === 1) return { ...found, cwd, venv, isUncertain };
      isUncertain = true;
    }
  }
  return { program: null, env, engine: null, flags: readFlags([], null), cwd, venv, isUncertain: true };
}

/** Commands of a line that change nothing for those behind them. */
const harmless = new Set('set ulimit echo sleep umask mkdir date hostname true : nvidia-smi'.split(' '));

const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*=/.test(word);

type Found = Pick<LaunchPlan, 'program' | 'env' | 'engine' | 'flags'>;

/** The command itself behind its wrappers, and its engine. */
function commandOf(
  words: readonly (string | null)[],
  given: Readonly<Record<string, string | null>>,
  known: readonly CommandLine[],
  byShell: boolean,
): Found {
  const env: Record<string, string | null> = { ...given };
  const rest = unwrapped(words, env, byShell);
  const [program = null] = rest;
  // A word that is not known must not look like one that is.
  const text = rest.map((word) => (word === null || /\s/.test(word) ? '\0' : word)).join(' ');
  for (const engine of known) {
    for (const { pattern, thenModel } of engine.starts) {
      const match = new RegExp(pattern).exec(text);
      if (match === null) continue;
      const args = rest.slice(match[0].split(' ').length);
      return { program, env, engine, flags: readFlags(args, engine, thenModel === true) };
    }
  }
  return { program, env, engine: null, flags: readFlags([], null) };
}

/** Programs that run the rest of their words, with their own options that take a value. */
const wrappers: Readonly<Record<string, RegExp>> = {
  env: /^(?:-u|--unset|-C|--chdir)$/,
  exec: /^-a$/,
  nohup: /^$/,
  setsid: /^$/,
  nice: /^(?:-n|--adjustment)$/,
  ionice: /^(?:-c|-n|--class|--classdata)$/,
  numactl: /^$/,
  stdbuf: /^(?:-i|-o|-e)$/,
  chrt: /^$/,
  command: /^$/,
  unbuffer: /^$/,
};

function unwrapped(
  words: readonly (string | null)[],
  env: Record<string, string | null>,
  byShell: boolean,
): readonly (string | null)[] {
  let rest = words;
  // Without a shell such a word in front is the name of a program.
  let takesVariables = byShell;
  for (;;) {
    const [first = null, ...others] = rest;
    if (first !== null && takesVariables && isAssignment(first)) {
      env[first.slice(0, first.indexOf('='))] = first.slice(first.indexOf('=') + 1);
      rest = others;
      continue;
    }
    const withValue = first === null ? undefined : wrappers[first.replace(/^.*\//, '')];
    if (withValue === undefined) return rest;
    takesVariables = /(?:^|\/)env$/.test(first ?? '');
    rest = others;
    for (let word = rest[0]; typeof word === 'string' && word.startsWith('-'); word = rest[0]) {
      rest = rest.slice(withValue.test(word) ? 2 : 1);
    }
  }
}

/** Value of a flag as a whole number; `fallback` where it is not given, null where it cannot be told. */
export function numberFlag(plan: LaunchPlan, role: FlagRole, fallback: number): number | null {
  const flag = plan.flags.get(role);
  if (flag === undefined) return plan.flags.isWhole ? fallback : null;
  return flag !== null && /^\d+$/.test(flag) ? Number(flag) : null;
}
