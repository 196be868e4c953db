import { displayCommand, launchSpec } from '../core/launch-spec.js';
import { usageError } from '../errors.js';
import { parseHostLabel } from '../host/spec.js';
import { stepOfScript } from '../runtime/actions/before-step.js';
import type { ScreenSettings, TargetSettings } from '../store/config-targets.js';
import { localPath } from '../store/env-values.js';
import type { SshOptions } from './connection.js';
import { type Config, loadConfig } from './load-config.js';
import type { ServerOptions } from './server-options.js';
import { readTargetEnv } from './target-env.js';

/** What a target of the config gives to a command, in the words of the command line's options. */
export interface TargetOptions extends SshOptions, ServerOptions, ScreenSettings {
  readonly config?: string;
  readonly engine?: string;
  readonly grace?: string;
  /** How long a wait without a screen lasts, where no `--timeout` says it. */
  readonly patience?: string;
  readonly before?: readonly string[];
  readonly container?: string;
}

/** Names of the options that stand on the command line, as commander has them. */
export type Given = ReadonlySet<string>;

/** HOST|TARGET made sure of: which host, and the command's options with what the config says in them. */
export interface Resolved<Options> {
  readonly label: string;
  readonly options: Options & TargetOptions;
  readonly target: Target | null;
}

/** A target of a config that was read. */
export interface Target {
  readonly name: string;
  readonly settings: TargetSettings;
  readonly config: Config;
}

/**
 * A name of the config wins over a host of the same name; what is `given` on the command line wins over the config, and
 * the config over what commander fills in. Any other label comes back as it is.
 */
export async function resolveTarget<Options extends TargetOptions>(
  label: string,
  options: Options,
  given: Given,
): Promise<Resolved<Options>> {
  const config = await loadConfig(options.config);
  const settings = config?.targets.get(label);
  const shown = { ...options, ...config?.screen };
  if (!config || !settings) {
    parseHostLabel(label);
    return { label, options: shown, target: null };
  }
  const target = { name: label, settings, config };
  return { label: settings.host, options: { ...shown, ...fromTarget(target, options, given) }, target };
}

/** The options that the config gives, without those that the command line gives itself. */
export function fromTarget(target: Target, options: TargetOptions, given: Given): TargetOptions {
  const { settings, config, name } = target;
  const ssh = settings.ssh ?? {};
  const filled = {
    F: ssh.config === undefined ? undefined : localPath(ssh.config, config.folder),
    i: ssh.identity === undefined ? undefined : localPath(ssh.identity, config.folder),
    p: ssh.port,
    J: ssh.jump,
    transport: ssh.transport,
    acceptNew: ssh['accept-new'],
    readOnly: settings['read-only'],
    ...whichServer(target, given),
    port: settings.port,
    container: settings.container,
    engine: settings.engine,
    grace: settings.grace?.trim(),
    patience: settings.timeout?.trim(),
    before: beforeSteps(settings, config.folder),
  };
  const kept = Object.entries(filled).filter(([key, value]) => value !== undefined && !given.has(key));
  const own = Object.fromEntries(Object.entries(options).filter(([key]) => given.has(key)));
  const command = wordsOf(settings.command);
  const launch = command.length === 0 ? null : displayCommand(launchSpec({ command }));
  return { ...Object.fromEntries(kept), via: { target: name, name: nameOf(target), launch, given: own } };
}

/** Under this name its attempts are kept on the host; null for a target that firedup does not launch. */
export const nameOf = ({ name, settings }: Target): string | null =>
  settings.name ?? (settings.command === undefined ? null : name);

/**
 * What a command looks for. Name, log, pid and container belong together: one of them on the command line means another
 * server than the config's. A log that someone else's launch writes is found under its own path.
 */
function whichServer(target: Target, given: Given): Partial<ServerOptions> {
  if (['name', 'log', 'pid', 'container'].some((key) => given.has(key))) return {};
  const name = nameOf(target);
  const { log } = target.settings;
  const isFixed = log !== undefined && !log.includes('{attempt}');
  return {
    ...(name === null ? {} : { name }),
    ...(isFixed ? { log } : {}),
    ...(name !== null && isFixed ? { orAttached: true } : {}),
  };
}

export function beforeSteps({ before }: TargetSettings, folder: string): readonly string[] | undefined {
  return before?.map((step) => {
    if (typeof step === 'string') return step;
    return step.script === undefined ? (step.run ?? '') : stepOfScript(localPath(step.script, folder));
  });
}

/** What `firedup launch` takes from the config besides. */
export interface LaunchWords {
  readonly env?: readonly string[];
  readonly cwd?: string;
  readonly shell?: boolean;
}

/**
 * The same for a launch: command, folder and variables are the target's where the command line gives none; variables
 * of both count, and those of the command line win. Secrets that the config only refers to are read now.
 */
export async function resolveLaunch<Options extends TargetOptions & LaunchWords>(
  label: string,
  command: readonly string[],
  options: Options,
  given: Given,
): Promise<Resolved<Options & { readonly name: string }> & { readonly command: readonly string[] }> {
  const resolved = await resolveTarget(label, options, given);
  const { target } = resolved;
  if (target === null) {
    const named = { ...resolved.options, name: options.name ?? 'default' };
    if (command.length > 0) return { ...resolved, command, options: named };
    throw usageError(
      `There is no command to launch on ${label}.`,
      `Write it after --, or make ${label} a target with a command in the config.`,
    );
  }
  const { settings } = target;
  const words = command.length > 0 ? command : wordsOf(settings.command);
  if (words.length === 0) {
    throw usageError(
      `The target ${target.name} has no command to launch.`,
      'Write one after --, or give it command: in the config.',
    );
  }
  const env = [...(await envWords(target)), ...(options.env ?? [])];
  const launch = {
    name: options.name !== undefined && given.has('name') ? options.name : (nameOf(target) ?? target.name),
    ...(settings.log === undefined || given.has('log') ? {} : { log: settings.log }),
    ...(settings.cwd === undefined || given.has('cwd') ? {} : { cwd: settings.cwd }),
    ...(command.length > 0 || settings.shell === undefined || given.has('shell')
      ? {}
      : { shell: settings.shell }),
    ...(env.length === 0 ? {} : { env }),
  };
  return { ...resolved, command: words, options: { ...resolved.options, ...launch } };
}

const wordsOf = (command: TargetSettings['command']): readonly string[] =>
  command === undefined ? [] : typeof command === 'string' ? [command] : command;

async function envWords({ settings, config, name }: Target): Promise<readonly string[]> {
  const { env, problems } = await readTargetEnv(name, settings, config);
  if (problems.length > 0) throw config.file.error(problems);
  return Object.entries(env).map(([key, value]) => `${key}=${value}`);
}
