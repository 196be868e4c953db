import type { HostFacts } from '../core/events.js';
import { connectionError, exitCodes, FiredupError } from '../errors.js';
import type { Host } from '../host/host.js';
import { run } from '../host/run.js';
import { scriptCommand } from '../remote/script.js';
import { answerCut } from './actions/run-script.js';

/**
 * Asks the host who and where it is. Rejects with `FiredupError` when it is no Linux, or does not answer in 15 s.
 * The clocks are compared at the middle of the round trip.
 */
export async function readHostFacts(host: Host, now: () => number): Promise<HostFacts> {
  const askedAt = now();
  const { stdout, stderr, lost } = await run(host, scriptCommand('facts', []), { timeoutMs: 15_000 });
  const middle = (askedAt + now()) / 2;
  const start = stdout.indexOf('firedup-facts\n');
  const facts = new Map(
    stdout
      .slice(start)
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  if (lost) throw connectionError('link-lost', `The connection to ${host.label} broke.`);
  if (start >= 0 && !facts.has('end')) throw answerCut(host, 'facts', stderr);
  if (start < 0 || facts.get('os') !== 'Linux') {
    const found = facts.get('os') || stderr.trim().split('\n')[0] || 'no POSIX shell';
    throw new FiredupError('not-linux', `${host.label} is not a Linux host (${found}).`, {
      exitCode: exitCodes.usage,
      hint: 'firedup reads /proc on the host; other systems are not supported.',
    });
  }
  return {
    hostname: facts.get('hostname') ?? host.label,
    user: facts.get('user') ?? '',
    os: 'Linux',
    bootId: facts.get('boot') || null,
    clockSkewMs: skew(facts.get('clock') ?? '', middle),
    utcOffsetMs: zoneMs(facts.get('zone') ?? ''),
  };
}

/** Whole seconds (busybox) are taken at their middle, and small differences are no skew at all. */
function skew(clock: string, middle: number): number {
  const seconds = Number.parseFloat(clock);
  if (!Number.isFinite(seconds)) return 0;
  const isWhole = !/\.\d/.test(clock);
  const skewMs = 1000 * seconds + (isWhole ? 500 : 0) - middle;
  return Math.abs(skewMs) < (isWhole ? 1500 : 200) ? 0 : Math.round(skewMs);
}

/** `+0200` as ms; 0 for what is no zone. */
function zoneMs(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
