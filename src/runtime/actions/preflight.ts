import { type LaunchSpec, launchSpec } from '../../core/launch-spec.js';
import type { Host } from '../../host/host.js';
import type { Finding } from '../../preflight/finding.js';
import { findingsOf } from '../../preflight/findings.js';
import type { HostReport } from '../../preflight/host-report.js';
import { type LaunchPlan, planLaunch } from '../../preflight/plan.js';
import { modelWord } from '../../preflight/rules/models.js';
import { portsToSee } from '../../preflight/rules/port.js';
import { lookAtHost, lookLimitMs } from './look-at-host.js';

export interface PreflightOptions {
  /** The port that firedup was told to wait for. */
  readonly port?: number | null;
  readonly signal?: AbortSignal;
}

export interface Preflight {
  readonly plan: LaunchPlan;
  readonly report: HostReport;
  readonly findings: readonly Finding[];
}

/**
 * Looks at the host for what would be in the way of a launch; changes nothing there, and takes no longer than
 * `lookLimitMs` once the host has begun to answer, unless it is busy. Rejects as `runScript` does: the link was lost, the
 * script cannot work.
 */
export async function preflight(
  host: Host,
  spec: LaunchSpec,
  { port = null, signal }: PreflightOptions = {},
): Promise<Preflight> {
  const plan = planLaunch(spec);
  const report = await lookAtHost(host, lookItems(plan, port), signal);
  const sight = { plan, report, givenPort: port, limitSeconds: Math.round(lookLimitMs / 1000) };
  return { plan, report, findings: findingsOf(sight) };
}

/** What `preflight.sh` is asked for. Nothing secret is among it: it stands on a command line. */
export function lookItems(plan: LaunchPlan, port: number | null): readonly string[] {
  const { engine, program, byShell, isUncertain, venv, cwd, log } = plan;
  const target = modelWord(plan, 'target');
  const draft = modelWord(plan, 'draft');
  const download = plan.flags.get('downloadFolder');
  const hook = engine?.draftHook;
  const isLogin = byShell && !(program ?? '').includes('/');
  return [
    ...seenVariables.flatMap((name) =>
      typeof plan.env[name] === 'string' ? [`env:${name}=${plan.env[name]}`] : [],
    ),
    `cwd:${cwd ?? ''}`,
    `log:${log ?? ''}`,
    ...(program === null
      ? []
      : [`${isLogin && !(isUncertain && venv !== null) ? 'login-command' : 'command'}:${program}`]),
    ...(byShell ? ['login:yes'] : []),
    ...(typeof download === 'string' && download !== '' ? [`download:${download}`] : []),
    ...(venv === null ? [] : [`venv:${venv}`]),
    ...portsToSee(plan, port).map((one) => `port:${one}`),
    ...(target === null ? [] : [`model:target:${target}`]),
    ...(draft === null ? [] : [`model:draft:${draft}`]),
    ...(engine?.pythonPackage == null ? [] : [`package:${engine.pythonPackage}`]),
    ...(hook === undefined ? [] : [`hook:${hook.method}:${hook.modelsFolder}`]),
  ];
}

/** Variables of the launch that decide where something is looked for. */
const seenVariables = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'HF_HOME', 'HF_HUB_CACHE', 'HUGGINGFACE_HUB_CACHE'];

/** Stands for a launch where only the host itself is looked at. */
export const launchSpecOfNothing = (): LaunchSpec => launchSpec({ command: [':', ':'] });
