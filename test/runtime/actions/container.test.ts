import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localHost } from '../../../src/host/local.js';
import { containerTarget } from '../../../src/runtime/actions/container-target.js';
import { killTree } from '../../../src/runtime/actions/kill.js';
import { lookAtContainer } from '../../../src/runtime/actions/look-at-container.js';
import { available } from '../../support/available.js';
import { type FakeDocker, startFakeDocker } from '../../support/fake-docker.js';

describe.skipIf(!available('procfs'))('a kill of a container', () => {
  const path = process.env.PATH;
  const host = localHost();
  let docker: FakeDocker;
  beforeEach(() => {
    docker = startFakeDocker();
    process.env.PATH = `${docker.bin}:${path}`;
  });
  afterEach(() => {
    process.env.PATH = path;
    docker.stop();
  });
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
