import { logOfAttempt } from '../core/attempt-log.js';
import type { Attempt } from '../core/events.js';
import type { LaunchSpec } from '../core/launch-spec.js';
import type { Host } from '../host/host.js';
import { run } from '../host/run.js';
import type { Finding } from '../preflight/finding.js';
import { findingsOf, launchRules } from '../preflight/findings.js';
import { hostFindings, type KnownServer } from '../preflight/host-rules.js';
import type { Sight } from '../preflight/rule.js';
import { currentAttempt, listAttempts, listNames } from './actions/attempts.js';
import { lookLimitMs } from './actions/look-at-host.js';
import { launchSpecOfNothing, preflight } from './actions/preflight.js';
import { readHostFacts } from './host-facts.js';

export interface Diagnosis {
  readonly host: readonly Finding[];
  /** On the launch that was given; what a host says without one, else. */
  readonly launch: readonly Finding[];
  readonly servers: readonly KnownServer[];
  readonly tookMs: number;
}

/** Rules that say something of a host to which nothing is to be launched yet. */
const withoutLaunch = ['state-folder', 'setsid', 'driver', 'no-answer'];

/** All that can be told of a host, and of `spec` on it. Changes nothing there. Rejects as `preflight` does. */
export async function diagnose(
  host: Host,
  spec: LaunchSpec | null,
  options: {
    readonly port: number | null;
    readonly now: () => number;
    /** The attempt of this launch that runs now: what it holds itself is in nobody's way. */
    readonly running?: Pick<Attempt, 'number' | 'pid'> | null;
  },
): Promise<Diagnosis> {
  const began = performance.now();
  const asked = performance.now();
  const answer = run(host, 'exec true').then(() => performance.now() - asked);
  const [look, facts, servers, answerMs] = await Promise.all([
    preflight(host, spec ?? launchSpecOfNothing(), { port: options.port }),
    readHostFacts(host, options.now),
    knownServers(host),
    answer,
  ]);
  await fillSessions(host);
  const { plan, report } = look;
  const sight: Sight = {
    plan,
    report,
    givenPort: options.port,
    limitSeconds: Math.round(lookLimitMs / 1000),
  };
  const running = options.running ?? null;
  const rules = launchRules.filter(({ id }) =>
    spec === null ? withoutLaunch.includes(id) : running === null || !ownByNow.includes(id),
  );
  const way = {
    via: host.via,
    label: host.label,
    hostname: facts.hostname,
    answerMs,
    clockSkewMs: facts.clockSkewMs,
    sessions: host.sessionsSeen(),
    servers,
  };
  return {
    host: hostFindings(way, sight),
    launch: [...(running === null ? [] : [runsFinding(running)]), ...findingsOf(sight, rules)],
    servers,
    tookMs: performance.now() - began,
  };
}

/** What a server that runs has taken itself. */
const ownByNow = ['port', 'gpu-memory'];

const runsFinding = ({ number, pid }: Pick<Attempt, 'number' | 'pid'>): Finding => ({
  id: 'attempt',
  level: 'unchecked',
  subject: `attempt ${number}`,
  text: `runs as pid ${pid}: its port and its GPU memory are its own for now`,
  remedy: null,
});

async function knownServers(host: Host): Promise<readonly KnownServer[]> {
  const names = await listNames(host);
  const last = await Promise.all(names.map(async (name) => currentAttempt(await listAttempts(host, name))));
  return last.flatMap((record) => {
    if (record === undefined) return [];
    const { attempt, life } = record;
    const runs = life.kind === 'running' || life.kind === 'starting';
    const words = runs ? 'runs' : life.kind === 'ended' ? 'has ended' : 'is gone';
    return [
      {
        name: attempt.name,
        number: attempt.number,
        life: words,
        pid: runs ? attempt.pid : null,
        log: logOfAttempt(attempt),
      },
    ];
  });
}

/** As many commands at once as a watch has, so that a smaller limit shows. */
async function fillSessions(host: Host): Promise<void> {
  if (host.sessionsSeen() === null) return;
  const channels = await Promise.allSettled(Array.from({ length: 4 }, () => host.exec('exec cat')));
  for (const opened of channels) {
    if (opened.status !== 'fulfilled') continue;
    opened.value.stdout.resume();
    opened.value.stderr.resume();
    opened.value.stdin.end();
  }
}
