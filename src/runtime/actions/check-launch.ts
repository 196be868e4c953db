import type { LaunchSpec } from '../../core/launch-spec.js';
import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { blockersOf, countsText, type Finding, warningsOf } from '../../preflight/finding.js';
import { listAttempts } from './attempts.js';
import { isLoss } from './is-loss.js';
import { preflight } from './preflight.js';
import type { Tell } from './tell.js';

/** How a launch is checked before its start. */
export interface LaunchCheck {
  /** The port that firedup was told to wait for. */
  readonly port: number | null;
  /** Hears of every finding, and says whether to start all the same; asked with blockers and without. */
  readonly decide: (findings: readonly Finding[]) => boolean | Promise<boolean>;
}

/**
 * The step `preflight` of a launch. Resolves when the start may follow: also where the look itself failed, which is told,
 * and where an attempt of that name runs already, which the start will refuse in better words. Rejects with
 * `FiredupError` `preflight-blocked` (exit code 2) when `decide` says no, and when the link was lost.
 */
export async function checkLaunch(
  host: Host,
  launch: { readonly name: string; readonly spec: LaunchSpec; readonly abort?: AbortSignal },
  check: LaunchCheck,
  step: Tell,
): Promise<void> {
  const { name, spec, abort } = launch;
  const signal = abort === undefined ? {} : { signal: abort };
  step('preflight', 'active', 'Looking at the host before the start');
  const looks = [
    listAttempts(host, name, abort),
    preflight(host, spec, { port: check.port, ...signal }),
  ] as const;
  const [attempts, look] = await Promise.allSettled(looks);
  if (look.status === 'rejected') {
    if (isLoss(look.reason) || abort?.aborted) throw look.reason;
    const why = look.reason instanceof Error ? look.reason.message : String(look.reason);
    return step('preflight', 'done', `Pre-flight could not be made: ${why}`);
  }
  const life = attempts.status === 'fulfilled' ? attempts.value.at(-1)?.life.kind : undefined;
  if (life === 'running' || life === 'starting') return step('preflight', 'done', 'It runs already');
  await askAbout(look.value.findings, check, step);
}

/** Tells what was found, and asks where something is in the way. Rejects with `preflight-blocked` as above. */
export async function askAbout(
  findings: readonly Finding[],
  check: Pick<LaunchCheck, 'decide'>,
  step: Tell,
): Promise<void> {
  const blockers = blockersOf(findings);
  const details = [...blockers, ...warningsOf(findings)].flatMap(findingLines);
  const text = `Pre-flight: ${countsText(findings)}`;
  step('preflight', blockers.length > 0 ? 'asks' : 'done', text, details);
  if (await check.decide(findings)) {
    if (blockers.length > 0) step('preflight', 'done', text, details);
    return;
  }
  step('preflight', 'failed', text, details);
  throw new FiredupError('preflight-blocked', blockedText(blockers), {
    exitCode: exitCodes.usage,
    hint: 'Nothing was started.',
  });
}

/** A finding as lines of plain text, its remedy below it. */
export function findingLines({ subject, text, remedy }: Finding): readonly string[] {
  return [`${subject}: ${text}`, ...(remedy === null ? [] : [`  ${remedy.text}`])];
}

function blockedText(blockers: readonly Finding[]): string {
  const [first, ...others] = blockers.map(({ subject, text }) => `${subject}: ${text}`);
  if (first === undefined) return 'The launch was called off.';
  return `In the way of the launch: ${first}${others.length === 0 ? '' : ` (and ${others.length} more)`}.`;
}
