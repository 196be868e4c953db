import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchSpec } from '../../../src/core/launch-spec.js';
import { connectHost } from '../../../src/host/connect.js';
import type { Host } from '../../../src/host/host.js';
import { noPrompts } from '../../../src/host/prompts.js';
import { listAttempts, readAttempt } from '../../../src/runtime/actions/attempts.js';
import { killTree } from '../../../src/runtime/actions/kill.js';
import { killTargetOf } from '../../../src/runtime/actions/kill-target.js';
import { launchCommand } from '../../../src/runtime/actions/launch.js';
import { available } from '../../support/available.js';
import { type LinkProxy, startLinkProxy } from '../../support/link-proxy.js';
import { commandLineOf, pids } from '../../support/processes.js';
import { type Sshd, startSshd } from '../../support/sshd.js';
import { until } from '../../support/until.js';
import { content, isAlive, python } from './support/workbench.js';

const treeScript = fileURLToPath(new URL('./support/tree.py', import.meta.url));

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'python3', 'procfs'))('over a real sshd', () => {
  let sshd: Sshd;
  let proxy: LinkProxy;
  let config: string;
  let number = 0;
  const started = new Set<number>();

  beforeAll(async () => {
    sshd = await startSshd();
    // A login shell that talks before it does what it was asked to do.
    writeFileSync(
      join(sshd.home, '.bashrc'),
      'echo welcome; printf "started 1 1 1 b 1 without an end of line"\n',
    );
    proxy = await startLinkProxy(sshd.port);
    const alias = `[127.0.0.1]:${sshd.port}`;
    config = sshd.sshConfig(
      'Host box',
      '  HostName 127.0.0.1',
      `  Port ${proxy.port}`,
      `  HostKeyAlias ${alias}`,
    );
  });
  afterAll(async () => {
    for (const pid of started) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await proxy.stop();
    await sshd.stop();
  });
  beforeEach(() => {
    number += 1;
  });

  const connect = () => connectHost({ label: 'box', configFile: config }, { prompts: noPrompts });
  const name = () => `server-${number}`;

  async function launchTree(host: Host) {
    const folder = join(sshd.home, `tree-${number}`);
    mkdirSync(folder);
    const spec = launchSpec({ command: [python, treeScript, folder] });
    const attempt = await launchCommand(host, { name: name(), spec });
    started.add(attempt.pid);
    await content(`${folder}/root`);
    const pids = readdirSync(folder).map((file) => Number(readFileSync(`${folder}/${file}`, 'utf8')));
    for (const pid of pids) started.add(pid);
    return { attempt, pids };
  }

  it('starts a server that lives on when the connection is closed, and finds it again', async () => {
    const first = await connect();
    const { attempt, pids } = await launchTree(first);
    expect(attempt.folder).toBe(join(sshd.home, '.local/state/firedup', name(), '1'));
    await first.close();
    const second = await connect();
    const record = await readAttempt(second, name(), 'latest');
    expect(record).toMatchObject({ attempt, life: { kind: 'running' } });
    expect(pids.every(isAlive)).toBe(true);
    expect((await killTree(second, killTargetOf(record), { graceMs: 500 })).outcome).toBe('gone');
    expect(pids.filter(isAlive)).toEqual([]);
    await second.close();
  });

  it('starts nothing twice, wherever in a launch the link is cut', async () => {
    let cut = 0;
    for (let round = 0; round < 12; round++) {
      const server = `${name()}-${round}`;
      const request = {
        name: server,
        id: server,
        spec: launchSpec({ command: [python, '-c', 'import time; time.sleep(300)'] }),
      };
      const host = await connect();
      const pending = launchCommand(host, request).catch((error: unknown) => error);
      const delay = setTimeout(() => proxy.reset(), round * 20);
      const answer = await pending;
      clearTimeout(delay);
      if (answer instanceof Error) {
        cut += 1;
        expect(answer).toMatchObject({ exitCode: 5 });
      }
      await host.close();
      // What a user who lost the link does: the same again.
      const next = await connect();
      const attempt = await launchCommand(next, request);
      started.add(attempt.pid);
      const attempts = await listAttempts(next, server);
      expect(attempts.map(({ life, attempt: { pid } }) => [pid, life.kind])).toEqual([
        [attempt.pid, 'running'],
      ]);
      await killTree(next, killTargetOf(await readAttempt(next, server, 1)), { signal: 'KILL' });
      await next.close();
    }
    expect(cut).toBeGreaterThan(0);
  });

  it('carries a kill to its end when the link is cut in the middle of it', async () => {
    const host = await connect();
    const { pids } = await launchTree(host);
    const target = killTargetOf(await readAttempt(host, name(), 'latest'));
    const killing = killTree(host, target, {
      graceMs: 1000,
      onStep: ({ text }) => {
        if (text === 'SIGTERM to 1 process') proxy.reset();
      },
    });
    await expect(killing).rejects.toMatchObject({ code: 'link-lost', exitCode: 5 });
    await until(() => !pids.some(isAlive), 'every process to be gone');
    const next = await connect();
    const record = await until(async () => {
      const read = await readAttempt(next, name(), 'latest');
      return read.life.kind === 'ended' && read;
    }, 'the recorded end');
    expect((await killTree(next, killTargetOf(record))).outcome).toBe('absent');
    await next.close();
    await host.close();
  });

  it('leaves no process of its own behind', async () => {
    const host = await connect();
    const { attempt } = await launchTree(host);
    await killTree(host, killTargetOf(await readAttempt(host, name(), 'latest')), { graceMs: 300 });
    await until(() => existsSync(`${attempt.folder}/exit`), 'the supervisor to be gone');
    await host.close();
    await until(
      () => !pids().some((pid) => commandLineOf(pid).includes(attempt.folder)),
      'no process that knows the folder',
    );
  });
});
