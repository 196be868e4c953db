import type { Attempt } from '../../core/events.js';
import { type LaunchSpec, launchSpec } from '../../core/launch-spec.js';
import { exitCodes } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { sanitize } from '../../ingest/sanitize.js';
import { blockersOf, countsText, type Finding, warningsOf } from '../../preflight/finding.js';
import { currentAttempt, listAttempts, readAttempt } from '../../runtime/actions/attempts.js';
import { type Diagnosis, diagnose } from '../../runtime/doctor.js';
import { connectFirst, hostSpec, type SshOptions } from '../connection.js';
import { parseEnvironment } from '../environment.js';
import { findingTexts, mayColor } from '../finding-text.js';
import { jsonLine } from '../json-line.js';
import { type Given, resolveLaunch, resolveTarget } from '../resolve-target.js';

export interface DoctorOptions extends SshOptions {
  readonly name?: string;
  readonly log?: string;
  readonly port?: number;
  readonly env?: readonly string[];
  readonly cwd?: string;
  readonly shell?: boolean;
  readonly json?: boolean;
}

/**
 * `firedup doctor`: what can be reached, read and run on a host, and what would be in the way of a launch there. Exit code
 * 2 with a blocker, else 0.
 */
export async function doctor(
  label: string,
  words: readonly string[],
  given: DoctorOptions,
  names: Given,
): Promise<void> {
  const { label: place, command, options } = await launchOrHost(label, words, given, names);
  const env = parseEnvironment(options.env ?? []);
  const host = await connectFirst(hostSpec(place, options));
  try {
    const { spec, running } = await launchOf(host, command, env, options);
    const diagnosis = await diagnose(host, spec, { port: options.port ?? null, now: Date.now, running });
    const all = [...diagnosis.host, ...diagnosis.launch];
    process.stdout.write(
      options.json ? `${jsonLine(asJson(label, spec, diagnosis))}\n` : asText(spec, diagnosis),
    );
    process.exitCode = blockersOf(all).length > 0 ? exitCodes.usage : exitCodes.ready;
  } finally {
    await host.close();
  }
}

/** The command given, or the target's; a host alone where neither has one. */
async function launchOrHost(label: string, words: readonly string[], options: DoctorOptions, names: Given) {
  const resolved = await resolveTarget(label, options, names);
  const hasCommand = words.length > 0 || resolved.target?.settings.command !== undefined;
  if (hasCommand && !(names.has('name') && words.length === 0)) {
    return resolveLaunch(label, words, options, names);
  }
  // A name that only the config gives may never have been launched.
  const { name, ...rest } = resolved.options;
  return {
    ...resolved,
    command: [],
    options: names.has('name') && name !== undefined ? { ...rest, name } : rest,
  };
}

/** The command given; with `--name` alone the one that was launched last under it, and whether that runs. */
async function launchOf(
  host: Host,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  { name, log, cwd, shell }: DoctorOptions,
): Promise<{ readonly spec: LaunchSpec | null; readonly running: Attempt | null }> {
  const given = { env, ...(cwd === undefined ? {} : { cwd }), ...(log === undefined ? {} : { log }) };
  if (command.length > 0)
    return { spec: launchSpec({ ...given, command, shell: shell === true }), running: null };
  if (name === undefined) return { spec: null, running: null };
  const current = currentAttempt(await listAttempts(host, name));
  const { spec, life, attempt } = await readAttempt(host, name, current?.attempt.number ?? 'latest');
  return {
    spec: { ...spec, ...given, env: { ...spec.env, ...env } },
    running: life.kind === 'running' ? attempt : null,
  };
}

function asJson(
  label: string,
  spec: LaunchSpec | null,
  { host, launch, servers, tookMs }: Diagnosis,
): unknown {
  const all = [...host, ...launch];
  const outcome = blockersOf(all).length > 0 ? 'blocker' : warningsOf(all).length > 0 ? 'warning' : 'ok';
  return {
    type: 'doctor',
    schema: 1,
    host: label,
    outcome,
    findings: [
      ...host.map((finding) => ({ about: 'host', ...finding })),
      ...launch.map((finding) => ({ about: spec === null ? 'host' : 'launch', ...finding })),
    ],
    servers,
    ms: Math.round(tookMs),
  };
}

function asText(spec: LaunchSpec | null, { host, launch, tookMs }: Diagnosis): string {
  const color = mayColor(process.stdout, process.env);
  const title = (text: string): string => (color ? `\u001B[1m${text}\u001B[0m` : text);
  const section = (name: string, findings: readonly Finding[]): readonly string[] =>
    findings.length === 0 ? [] : [title(name), ...findingTexts(findings, color), ''];
  const all = [...host, ...launch];
  const lines =
    spec === null ? section('Host', all) : [...section('Host', host), ...section('Launch', launch)];
  return `${[...lines, `${sanitize(countsText(all))}, in ${(tookMs / 1000).toFixed(1)} s`].join('\n')}\n`;
}
