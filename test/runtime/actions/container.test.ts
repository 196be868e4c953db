import { chmodSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActionStep } from '../../../src/core/events.js';
import { localHost } from '../../../src/host/local.js';
import { containerTarget } from '../../../src/runtime/actions/container-target.js';
import { killTree } from '../../../src/runtime/actions/kill.js';
import { lookAtContainer, readContainer } from '../../../src/runtime/actions/look-at-container.js';
import { containerPlan, preflightContainer } from '../../../src/runtime/actions/preflight-container.js';
import { refuseSelfRemoval, relaunchContainer } from '../../../src/runtime/actions/relaunch-container.js';
import { available } from '../../support/available.js';
import { type FakeDocker, fakeDockerOnPath } from '../../support/fake-docker.js';

describe.skipIf(!available('procfs'))('a kill of a container', () => {
  const host = localHost();
  let docker: FakeDocker;
  beforeEach(() => {
    docker = fakeDockerOnPath();
  });
  afterEach(() => docker.stop());
  const start = (name: string): string => docker.run('run', '-d', '--name', name, 'image:1', 'sleep', '1000');
  const target = async (name: string) => {
    const found = await containerTarget(host, await lookAtContainer(host, name));
    if (found === null) throw new Error(`${name} does not run`);
    return found;
  };

  it('leaves alone another container that has got its name since', async () => {
    start('victim');
    const meant = await target('victim');
    docker.run('rm', '-f', 'victim');
    start('victim');
    const innocent = docker.inspect('victim').State.Pid;
    expect(await killTree(host, meant, { graceMs: 500 })).toMatchObject({ outcome: 'absent' });
    expect(docker.inspect('victim').State).toMatchObject({ Status: 'running', Pid: innocent });
  });

  it('leaves alone another run of the same container', async () => {
    start('victim');
    const meant = await target('victim');
    docker.run('stop', '-t', '0', 'victim');
    docker.run('start', 'victim');
    const innocent = docker.inspect('victim').State.Pid;
    expect(await killTree(host, meant, { graceMs: 500 })).toMatchObject({ outcome: 'absent' });
    expect(docker.inspect('victim').State).toMatchObject({ Status: 'running', Pid: innocent });
  });

  it('says the words of an engine that does not let it', async () => {
    start('victim');
    const meant = await target('victim');
    docker.refuse('down');
    await expect(killTree(host, meant, { graceMs: 500 })).rejects.toMatchObject({
      code: 'container-not-stopped',
      exitCode: 7,
      message: expect.stringContaining('Cannot connect to the Docker daemon'),
    });
  });
});

describe.skipIf(!available('procfs'))('the look before a container is started again', () => {
  const host = localHost();
  let docker: FakeDocker;
  let taken: Server;
  beforeEach(async () => {
    docker = fakeDockerOnPath();
    taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '0.0.0.0', resolve));
  });
  afterEach(() => {
    taken.close();
    docker.stop();
  });
  const port = (): number => (taken.address() as AddressInfo).port;
  const made = (name: string, ...options: readonly string[]) => {
    docker.run('run', '-d', '--name', name, ...options, 'image:1', 'sleep', '1000');
    return lookAtContainer(host, name);
  };
  const found = async (container: Awaited<ReturnType<typeof made>>) =>
    (await preflightContainer(host, container, { port: null })).map(
      ({ subject, level, text, remedy }) =>
        `${level} ${subject}: ${text}${remedy === null ? '' : ` -> ${remedy.text}`}`,
    );

  it('says who has a port that it publishes; what is free is free', async () => {
    const blocked = await found(await made('one', '-p', `${port()}:30000`));
    expect(blocked).toContain('ok container: one, of docker, image image:1');
    expect(blocked).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^blocker port ${port()}: taken by pid ${process.pid} .*-> End it: which port the container publishes`,
        ),
      ),
    );
    const free = port();
    await new Promise((resolve) => taken.close(resolve));
    expect(await found(await made('two', '-p', `${free}:30000`))).toContain(`ok port ${free}: free`);
  });

  it('says that the container has gone, or that its engine does not answer', async () => {
    const container = await made('one');
    docker.run('rm', '-f', 'one');
    expect(await found(container)).toEqual([
      expect.stringContaining('blocker container: There is no container'),
    ]);
    const other = await made('two');
    docker.refuse('down');
    expect(await found(other)).toEqual([
      expect.stringContaining('blocker container: The docker daemon on local does not answer.'),
    ]);
  });

  it('says who holds memory of the GPUs that it is given, and offers no change', async () => {
    const tool = (name: string, ...lines: readonly string[]): void => {
      writeFileSync(join(docker.bin, name), ['#!/bin/sh', ...lines].join('\n'));
      chmodSync(join(docker.bin, name), 0o755);
    };
    tool('vllm', 'exec sleep 1000');
    tool(
      'nvidia-smi',
      'case $1 in',
      '*query-gpu*) echo "0, GPU-a, H200, 143771, 4, 550.1"; echo "1, GPU-b, H200, 143771, 90000, 550.1" ;;',
      `*) echo "${process.pid}, GPU-b, 90000" ;;`,
      'esac',
    );
    const vllm = async (name: string, ...options: readonly string[]) => {
      docker.run('run', '-d', '--name', name, ...options, 'image:1', 'vllm', 'serve', '/models/demo');
      return found(await lookAtContainer(host, name));
    };
    const held = await vllm('one', '-e', 'CUDA_VISIBLE_DEVICES=1');
    expect(held).toContain('ok GPUs: 1 wanted, 1 by CUDA_VISIBLE_DEVICES=1');
    expect(held).toContainEqual(
      expect.stringMatching(
        new RegExp(`^warning GPU 1: 88 GiB of 140 GiB held by pid ${process.pid} .*kill --pid`),
      ),
    );
    expect(held.join()).not.toContain('take free cards');
    expect(await vllm('two', '-e', 'CUDA_VISIBLE_DEVICES=0')).toContain('ok GPU memory: free on the card');
  });

  it('starts nothing that it is told to stop at', async () => {
    const container = await made('one', '-p', `${port()}:30000`);
    const victim = await containerTarget(host, container);
    const steps: ActionStep[] = [];
    const asked: number[] = [];
    const request = {
      container,
      victim,
      before: [],
      ending: { graceMs: 300 },
      check: {
        port: null,
        decide: (findings: readonly unknown[]) => {
          asked.push(findings.length);
          return false;
        },
      },
      onStep: (step: ActionStep) => steps.push(step),
    };
    await expect(relaunchContainer(host, request, async () => host)).rejects.toMatchObject({
      code: 'preflight-blocked',
    });
    expect(asked).toHaveLength(1);
    expect(docker.inspect('one').State.Status).toBe('exited');
    expect(steps.at(-1)).toMatchObject({ step: 'preflight', status: 'failed' });
  });

  it('ends none that would be gone with its end', async () => {
    const container = await made('one', '--rm');
    expect(() => refuseSelfRemoval(container)).toThrow(/made with --rm/);
    expect(docker.inspect('one').State.Status).toBe('running');
    expect(() => refuseSelfRemoval({ ...container, inspected: {} })).not.toThrow();
  });
});

describe('the GPUs of a container', () => {
  const visible = (host: object, ...env: readonly string[]) =>
    containerPlan(
      readContainer('one', 'docker', [{ HostConfig: host, Config: { Env: env, Cmd: ['vllm', 'serve'] } }]),
    ).env.CUDA_VISIBLE_DEVICES;

  it('are those of the host that it is given, in the order in which it counts them', () => {
    const given = { DeviceRequests: [{ DeviceIDs: ['4', '6'] }] };
    expect(visible(given)).toBe('4,6');
    expect(visible(given, 'CUDA_VISIBLE_DEVICES=1')).toBe('6');
    expect(visible({ Runtime: 'nvidia' }, 'NVIDIA_VISIBLE_DEVICES=2,3', 'CUDA_VISIBLE_DEVICES=0')).toBe('2');
  });

  it('are all, as far as is known, where their number or nothing is given', () => {
    expect(visible({})).toBeUndefined();
    expect(visible({ DeviceRequests: [{ Count: -1, DeviceIDs: null }] }, 'CUDA_VISIBLE_DEVICES=0,1')).toBe(
      '0,1',
    );
    expect(visible({ Runtime: 'nvidia' }, 'NVIDIA_VISIBLE_DEVICES=all')).toBeUndefined();
  });
});
