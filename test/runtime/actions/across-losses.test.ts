import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ActionStep } from '../../../src/core/events.js';
import { launchSpec } from '../../../src/core/launch-spec.js';
import { connectHost } from '../../../src/host/connect.js';
import type { Host } from '../../../src/host/host.js';
import { noPrompts } from '../../../src/host/prompts.js';
import { killAcrossLosses, relaunchAcrossLosses } from '../../../src/runtime/actions/across-losses.js';
import { listAttempts, readAttempt } from '../../../src/runtime/actions/attempts.js';
import { killTree } from '../../../src/runtime/actions/kill.js';
import { killTargetOf } from '../../../src/runtime/actions/kill-target.js';
import { launchCommand } from '../../../src/runtime/actions/launch.js';
import { available } from '../../support/available.js';
import { type LinkProxy, startLinkProxy } from '../../support/link-proxy.js';
import { endProcess, startedBy } from '../../support/processes.js';
import { type Sshd, startSshd } from '../../support/sshd.js';
import { until } from '../../support/until.js';
import { isAlive } from './support/workbench.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'procfs'))('actions while the link breaks', () => {
  let sshd: Sshd;
  let proxy: LinkProxy;
  let config: string;
  const hosts: Host[] = [];
  const spec = launchSpec({ command: ['sleep', '600'] });

  beforeAll(async () => {
    sshd = await startSshd();
    proxy = await startLinkProxy(sshd.port);
    config = sshd.configBehind(proxy);
  });
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.close()));
  });
  afterAll(async () => {
    await proxy?.stop();
    await sshd?.stop();
  });

  const connect = async (): Promise<Host> => {
    const host = await connectHost({ label: 'box', configFile: config }, { prompts: noPrompts });
    hosts.push(host);
    return host;
  };

  it.each([0, 20, 60, 120])(
    'a relaunch goes on to one new server when it breaks %i ms into the start',
    async (delayMs) => {
      const name = `start-${delayMs}`;
      const first = await connect();
      const old = await launchCommand(first, { name, spec });
      const steps: ActionStep[] = [];
      const { attempt, host } = await relaunchAcrossLosses(
        first,
        {
          name,
          spec,
          victim: killTargetOf(await readAttempt(first, name, 'latest')),
          graceMs: 500,
          onStep: (step) => {
            steps.push(step);
            if (step.step === 'start' && step.status === 'active') setTimeout(() => proxy.reset(), delayMs);
          },
        },
        connect,
      );
      try {
        const attempts = await listAttempts(await connect(), name);
        expect(attempts.map(({ life, attempt: { number } }) => [number, life.kind])).toEqual([
          [1, 'ended'],
          [2, 'running'],
        ]);
        expect([isAlive(old.pid), isAlive(attempt.pid)]).toEqual([false, true]);
        expect(steps.some(({ status }) => status === 'failed')).toBe(false);
        expect(steps.filter(({ step, status }) => step === 'start' && status === 'done')).toHaveLength(1);
        expect(hosts).toContain(host);
      } finally {
        await killTree(await connect(), killTargetOf(await readAttempt(await connect(), name, 'latest')));
      }
    },
  );

  it('a kill is seen to its end on the next connection', async () => {
    const first = await connect();
    const attempt = await launchCommand(first, {
      name: 'kill',
      spec: launchSpec({ command: ['sh', '-c', 'trap "" TERM; while :; do sleep 1; done'] }),
    });
    const target = killTargetOf(await readAttempt(first, 'kill', 'latest'));
    let isCut = false;
    const { outcome } = await killAcrossLosses(
      first,
      target,
      {
        graceMs: 1000,
        onStep: ({ text }) => {
          if (isCut || !text.startsWith('SIGTERM')) return;
          isCut = true;
          proxy.reset();
        },
      },
      connect,
    );
    expect(isCut).toBe(true);
    expect(['gone', 'absent']).toContain(outcome);
    expect(isAlive(attempt.pid)).toBe(false);
  });

  it('a command before the start is never run twice: nothing is started, and that is said', async () => {
    const trace = join(sshd.home, 'trace');
    const first = await connect();
    const running = relaunchAcrossLosses(
      first,
      { name: 'before', spec, victim: null, before: [`echo run >>'${trace}'; sleep 5`] },
      connect,
    );
    running.catch(() => {});
    await until(() => existsSync(trace), 'the command to run');
    proxy.reset();
    await expect(running).rejects.toMatchObject({ code: 'before-unknown', exitCode: 5 });
    expect(readFileSync(trace, 'utf8')).toBe('run\n');
    expect(await listAttempts(await connect(), 'before')).toEqual([]);
  });

  it('what ends by itself, on a connection that stands, is not tried again on another one', async () => {
    const first = await connect();
    const attempt = await launchCommand(first, {
      name: 'ended',
      spec: launchSpec({ command: ['sh', '-c', 'trap "" TERM; echo up; while :; do sleep 1; done'] }),
    });
    await until(() => readFileSync(attempt.log, 'utf8') === 'up\n', 'it takes no notice of TERM any more');
    const target = killTargetOf(await readAttempt(first, 'ended', 'latest'));
    let asked = 0;
    const killing = killAcrossLosses(
      first,
      target,
      {
        graceMs: 60_000,
        // The host's memory ran out, say: our own script is killed.
        onStep: ({ text }) => {
          if (text.startsWith('SIGTERM')) for (const pid of ourScripts(sshd)) endProcess(pid);
        },
      },
      () => {
        asked += 1;
        return connect();
      },
    );
    await expect(killing).rejects.toMatchObject({ code: 'link-lost' });
    expect([asked, isAlive(attempt.pid)]).toEqual([0, true]);
    await killTree(first, target, { graceMs: 100 });
  });

  it('what fails without a loss is not tried again', async () => {
    const first = await connect();
    const request = { name: 'wrong', spec: { ...spec, cwd: '/no/such/folder' }, victim: null };
    const steps: ActionStep[] = [];
    await expect(
      relaunchAcrossLosses(first, { ...request, onStep: (step) => steps.push(step) }, () => {
        throw new Error('nobody asked for another connection');
      }),
    ).rejects.toMatchObject({ code: 'cwd-missing' });
    expect(steps.at(-1)).toMatchObject({ step: 'start', status: 'failed' });
  });
});

/** Scripts of ours that run on the host. */
const ourScripts = (sshd: Sshd): readonly number[] =>
  startedBy(sshd)
    .filter((line) => line.includes('_s=$(printf'))
    .map((line) => Number.parseInt(line, 10));
