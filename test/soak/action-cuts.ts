import { launchSpec } from '../../src/core/launch-spec.js';
import { connectHost } from '../../src/host/connect.js';
import type { Host } from '../../src/host/host.js';
import { noPrompts } from '../../src/host/prompts.js';
import { killAcrossLosses, relaunchAcrossLosses } from '../../src/runtime/actions/across-losses.js';
import { listAttempts, readAttempt } from '../../src/runtime/actions/attempts.js';
import { killTargetOf } from '../../src/runtime/actions/kill-target.js';
import { isAlive } from '../runtime/actions/support/workbench.js';
import { startLinkProxy } from '../support/link-proxy.js';
import { startSshd } from '../support/sshd.js';

export interface ActionCuts {
  /** In which rounds something was not as it should be, and what. */
  readonly faults: readonly string[];
  readonly cuts: number;
}

/**
 * Launches a server and kills it again, each with the link cut at a random moment, `rounds` times at a real sshd. After
 * each: exactly one server was started, and nothing of it is left after the kill.
 */
export async function cutActions(rounds: number, random: () => number): Promise<ActionCuts> {
  const sshd = await startSshd();
  const proxy = await startLinkProxy(sshd.port);
  const config = sshd.configBehind(proxy);
  const hosts: Host[] = [];
  const faults: string[] = [];
  let cuts = 0;
  const connect = async (): Promise<Host> => {
    const host = await connectHost({ label: 'box', configFile: config }, { prompts: noPrompts });
    hosts.push(host);
    return host;
  };
  const cutWithin = (ms: number): NodeJS.Timeout =>
    setTimeout(() => {
      cuts += 1;
      proxy.reset();
    }, random() * ms);
  try {
    for (let round = 0; round < rounds; round++) {
      const name = `round-${round}`;
      // Two workers, one of which ignores TERM.
      const line = '(trap "" TERM; while :; do sleep 1; done) & sleep 600 & wait';
      const spec = launchSpec({ command: ['sh', '-c', line] });
      const first = await connect();
      const inLaunch = cutWithin(300);
      const launched = await relaunchAcrossLosses(first, { name, spec, victim: null, id: name }, connect);
      clearTimeout(inLaunch);
      const attempts = await listAttempts(await connect(), name);
      const running = attempts.filter(({ life }) => life.kind === 'running');
      if (attempts.length !== 1 || running.length !== 1 || !isAlive(launched.attempt.pid))
        faults.push(`${name}: ${attempts.length} attempts, ${running.length} run`);
      const second = await connect();
      const target = killTargetOf(await readAttempt(second, name, 'latest'));
      const inKill = cutWithin(1500);
      const { outcome } = await killAcrossLosses(second, target, { graceMs: 500 }, connect);
      clearTimeout(inKill);
      if (outcome === 'survivors' || isAlive(launched.attempt.pid)) faults.push(`${name}: ${outcome}`);
      await Promise.all(hosts.splice(0).map((host) => host.close()));
    }
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
    await proxy.stop();
    await sshd.stop();
  }
  return { faults, cuts };
}
