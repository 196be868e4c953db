import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchSpec } from '../../../src/core/launch-spec.js';
import type { Host } from '../../../src/host/host.js';
import { findListener, isOwned } from '../../../src/probes/listener.js';
import { listAttempts, listNames, readAttempt } from '../../../src/runtime/actions/attempts.js';
import { checkPid, requirePid } from '../../../src/runtime/actions/check-pid.js';
import { readGpuHolders } from '../../../src/runtime/actions/gpu-holders.js';
import { killTree } from '../../../src/runtime/actions/kill.js';
import { launchCommand, mayStart } from '../../../src/runtime/actions/launch.js';
import { lookAtContainer } from '../../../src/runtime/actions/look-at-container.js';
import { previewKill } from '../../../src/runtime/actions/preview-kill.js';
import { readCommand } from '../../../src/runtime/actions/read-command.js';
import { readHostFacts } from '../../../src/runtime/host-facts.js';
import { readModelSize } from '../../../src/runtime/model-size.js';
import { targetOf, type Workbench, workbench } from './support/workbench.js';

const gone = { pid: 2 ** 22 + 1, startTicks: '1', bootId: targetOf(process.pid).bootId };
const spec = launchSpec({ command: ['true'] });

describe('an answer that breaks off', () => {
  let bench: Workbench;
  beforeEach(() => {
    bench = workbench({ shell: ['sh'] });
  });
  afterEach(() => bench.close());

  /** The scripts run, but of what they say only this much comes. */
  const through = (filter: string): Host => ({
    ...bench.host,
    exec: (command, options) => bench.host.exec(`{ ${command}; } | ${filter}`, options),
  });

  const questions: readonly (readonly [
    name: string,
    ask: (host: Host) => Promise<unknown>,
    code?: string,
  ])[] = [
    ['whom a kill would end', (host) => previewKill(host, targetOf(process.ppid))],
    ['whom a kill would end, who has gone', (host) => previewKill(host, gone)],
    ['an end', (host) => killTree(host, gone), 'link-lost'],
    ['a pid', (host) => checkPid(host, process.pid)],
    ['a pid that is none', (host) => requirePid(host, gone.pid)],
    ['how it was started', (host) => readCommand(host, process.pid)],
    ['how it was started, of none', (host) => readCommand(host, gone.pid)],
    ['the names', (host) => listNames(host)],
    ['the attempts', (host) => listAttempts(host, 'default')],
    ['an attempt', (host) => readAttempt(host, 'default', 'latest')],
    ['the GPUs', (host) => readGpuHolders(host)],
    ['a container', (host) => lookAtContainer(host, 'demo')],
    ['the size of a model', (host) => readModelSize(host, { pid: process.pid, model: '/' })],
    ['whether it may start', (host) => mayStart(host, 'default', [])],
    ['a start', (host) => launchCommand(host, { name: 'default', spec }), 'launch-unanswered'],
    ['the host', (host) => readHostFacts(host, Date.now)],
  ];

  it.each(questions.map(([name, ask, code = 'answer-cut']) => ({ name, ask, code })))(
    'is no answer about $name',
    async ({ ask, code }) => {
      await expect(ask(through("sed '$d'"))).rejects.toMatchObject({ code });
    },
  );

  it('says so in one sentence', async () => {
    await expect(previewKill(through("sed '$d'"), gone)).rejects.toThrow(
      /^The answer of the kill script on .* broke off/,
    );
  });

  it('is no answer about a listener', async () => {
    const other = `sed -n "s/^end$/L 1 1/p; /^#/p; /^$/p"`;
    const listener = await findListener(through(other), 1, AbortSignal.timeout(20_000));
    expect(listener).toEqual({ pids: [1], hidden: true });
    expect(isOwned(listener, new Set([4711]))).toBeNull();
  });

  it('is not taken for an end by a kill that cannot see the processes', async () => {
    const blind = (host: Host): Host => ({
      ...host,
      exec: (command, options) => {
        const path = `'${bench.folder}/blind'`;
        const grep = `mkdir -p ${path} && printf '#!/bin/sh\\nexit 1\\n' >${path}/grep && chmod +x ${path}/grep`;
        return host.exec(`${grep}; PATH=${path}:$PATH; export PATH; ${command}`, options);
      },
    });
    await expect(killTree(blind(bench.host), gone)).rejects.toMatchObject({ code: 'answer-cut' });
    await expect(previewKill(blind(bench.host), gone)).rejects.toMatchObject({ code: 'answer-cut' });
  });
});
