import { exitCodes, FiredupError } from '../errors.js';
import { blockersOf, type Finding, warningsOf } from '../preflight/finding.js';
import type { LaunchCheck } from '../runtime/actions/check-launch.js';
import { confirm } from './confirm.js';
import { findingTexts, mayColor } from './finding-text.js';
import { jsonLine } from './json-line.js';

export interface LaunchCheckOptions {
  /** False by `--no-preflight`. */
  readonly preflight?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly port?: number;
}

/**
 * The look before a launch from the command line: warnings are shown and the start goes on; blockers ask on a terminal, and
 * without one refuse (exit code 2), but for `--yes`. Empty with `--no-preflight`.
 */
export function launchCheck(options: LaunchCheckOptions): { readonly check?: LaunchCheck } {
  if (options.preflight === false) return {};
  return { check: { port: options.port ?? null, decide: (findings) => decide(findings, options) } };
}

async function decide(findings: readonly Finding[], options: LaunchCheckOptions): Promise<boolean> {
  const blockers = blockersOf(findings);
  const shown = [...blockers, ...warningsOf(findings)];
  if (shown.length === 0) return true;
  if (options.json) process.stdout.write(`${jsonLine({ type: 'preflight', findings: shown })}\n`);
  else process.stderr.write(`${findingTexts(shown, mayColor(process.stderr, process.env)).join('\n')}\n`);
  if (blockers.length === 0 || options.yes) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw refused(blockers);
  return confirm('Start it all the same?');
}

function refused(blockers: readonly Finding[]): FiredupError {
  const [first, ...others] = blockers.map(({ subject, text }) => `${subject}: ${text}`);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return new FiredupError('preflight-blocked', `Nothing was started. In the way: ${first}${more}.`, {
    exitCode: exitCodes.usage,
    hint: 'Give --yes to start all the same, or --no-preflight not to look.',
  });
}
