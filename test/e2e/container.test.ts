import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { type FakeDocker, startFakeDocker } from '../support/fake-docker.js';
import { commandLineOf, endProcess, pids, statOf } from '../support/processes.js';
import { firedup, type Program, stopPrograms } from '../support/program.js';
import { startSshd } from '../support/sshd.js';
import { until } from '../support/until.js';

const node = process.execPath;
const server = fileURLToPath(new URL('../fixtures/server.mjs', import.meta.url));

describe.skipIf(!available('procfs'))('a server in a container', () => {
  let docker: FakeDocker;
  beforeEach(() => {
    docker = startFakeDocker();
  });
  afterEach(() => docker.stop());
  afterAll(stopPrograms);

  const on = (command: string, ...args: readonly string[]): Program =>
    firedup([command, 'local', '--container', ...args], {
      env: { PATH: `${docker.bin}:${process.env.PATH}` },
    });
  const outOf = (program: Program): string => program.lines.map(({ text }) => text).join('\n');
  const shell = (name: string, line: string, ...options: readonly string[]): string =>
    docker.run('run', '-d', '--name', name, ...options, 'image:1', 'bash', '-c', line);
  /** Until it has said so: what it does about signals holds by then. */
  const isUp = (name: string): Promise<boolean> =>
    until(() => docker.run('logs', name).includes('up'), `${name} is up`);

  it('becomes ready by its log; dump, tail and status read it too', async () => {
    docker.run('run', '-d', '--name', 'srv', 'image:1', node, server);
    const wait = on('wait', 'srv', '--timeout', '60s');
    expect(await wait.ended()).toBe(0);
    expect(outOf(wait)).toContain('container srv');
    const dump = on('dump', 'srv', '-n', '2');
    expect(await dump.ended()).toBe(0);
    expect(dump.lines.at(-1)?.text).toContain('fired up and ready to roll');
    expect(dump.lines).toHaveLength(2);
    const status = on('status', 'srv');
    expect(await status.ended()).toBe(0);
    expect(outOf(status)).toContain('READY');
    const tail = on('tail', 'srv', '-n', '+1', '--until-exit');
    await tail.waitFor(/fired up/);
    docker.run('kill', 'srv');
    expect(await tail.ended()).toBe(0);
    expect(tail.lines[0]?.text).toContain('server_args=ServerArgs');
  });

  it('has crashed with its exit code, also where it removes itself', async () => {
    const seen = join(docker.bin, 'seen');
    const gate = `until [ -e ${seen} ]; do sleep 0.1; done`;
    shell('one', `echo begin; ${gate}; echo "ValueError: no" >&2; exit 3`, '--rm');
    const wait = on('wait', 'one', '--timeout', '60s');
    await wait.waitFor(/is alive .*container one/);
    writeFileSync(seen, '');
    expect(await wait.ended()).toBe(1);
    expect(outOf(wait)).toContain('container one has ended: exit 3');
    shell('two', 'exit 1');
    const again = on('wait', 'two', '--timeout', '60s');
    expect(await again.ended()).toBe(1);
    expect(outOf(again)).toContain('container two has ended: exit 1');
  });

  it('was killed by the kernel for memory', async () => {
    const seen = join(docker.bin, 'seen');
    shell('big', `echo begin; until [ -e ${seen} ]; do sleep 0.1; done; kill -KILL $$`, '-m', '16m');
    const wait = on('wait', 'big', '--timeout', '60s');
    await wait.waitFor(/is alive .*container big/);
    writeFileSync(seen, '');
    expect(await wait.ended()).toBe(1);
    expect(outOf(wait)).toContain('CRASHED: the kernel killed it for memory (container limit)');
    expect(outOf(wait)).toContain('SIGKILL, out of memory (OOMKilled)');
  });

  it('is never ready by the line of an earlier run, and says how often it was restarted', async () => {
    // Ready in its first run alone.
    const once = join(docker.bin, 'once');
    const ready = '[2026-01-01 00:00:00] The server is fired up and ready to roll!';
    const args = "server_args=ServerArgs(model_path='/models/demo')";
    shell(
      'loop',
      `echo "${args}"; [ -e ${once} ] || echo "${ready}"; touch ${once}; sleep 2; exit 1`,
      '--restart',
      'always',
    );
    await expect.poll(() => docker.inspect('loop').RestartCount).toBeGreaterThan(0);
    const wait = on('wait', 'loop', '--timeout', '60s');
    expect(await wait.ended()).toBe(1);
    expect(outOf(wait)).not.toContain('READY');
    expect(outOf(wait)).toMatch(/ended: exit 1, restarted (once|\d+ times)/);
  });

  it('is ended by TERM, then KILL, whole; a twin in another container survives', async () => {
    const line = 'trap "" TERM; echo up; sleep 1000 & while :; do sleep 0.2; done';
    shell('victim', line);
    shell('twin', line);
    await isUp('victim');
    const twin = docker.inspect('twin').State.Pid;
    const kill = on('kill', 'victim', '--yes', '--grace', '1s');
    expect(await kill.ended()).toBe(0);
    expect(kill.stderr()).toMatch(/SIGTERM to container victim[\s\S]*SIGKILL to container victim/);
    expect(docker.inspect('victim').State).toMatchObject({ Status: 'exited', ExitCode: 137 });
    expect(docker.inspect('twin').State).toMatchObject({ Status: 'running', Pid: twin });
    const { Id } = docker.inspect('victim');
    const sent = docker.calls().filter((call) => call.startsWith('kill '));
    expect(sent).toEqual([`kill --signal TERM ${Id}`, `kill --signal KILL ${Id}`]);
  });

  it('stays ended where its restart policy would start it again', async () => {
    shell(
      'kept',
      'trap "exit 1" INT; echo up; while :; do sleep 0.1; done',
      '--restart',
      'always',
      '--stop-signal',
      'INT',
    );
    await isUp('kept');
    const kill = on('kill', 'kept', '--yes');
    expect(await kill.ended()).toBe(0);
    expect(kill.stderr()).toContain('its restart policy is always');
    expect(docker.inspect('kept').State).toMatchObject({ Status: 'exited', ExitCode: 1 });
  });

  it('is started again as it was made; a change is refused with the line that makes it anew', async () => {
    docker.run('run', '-d', '--name', 'srv', '-p', '8000:30000', '-e', 'A=b', 'image:1', node, server);
    const { Id, State } = docker.inspect('srv');
    const changed = on('relaunch', 'srv', '--yes', '--env', 'HF_TOKEN=hidden', '--env', 'X=a b');
    expect(await changed.ended()).toBe(2);
    expect(changed.stderr()).toContain(
      "docker run -d --name srv -p 8000:30000 -e A=b -e HF_TOKEN -e 'X=a b' image:1",
    );
    expect(changed.stderr()).not.toContain('hidden');
    expect(docker.inspect('srv').State.Pid).toBe(State.Pid);
    const again = on('relaunch', 'srv', '--yes', '--grace', '2s');
    expect(await again.ended()).toBe(0);
    expect(docker.inspect('srv')).toMatchObject({ Id, State: { Status: 'running' } });
    expect(docker.inspect('srv').State.Pid).not.toBe(State.Pid);
  });

  it('says in one sentence what is in the way', async () => {
    shell('here', 'sleep 1000');
    const none = on('watch', 'nosuch');
    expect(await none.ended()).toBe(2);
    expect(none.stderr()).toContain('There is no container nosuch on local.\n  These run: here.');
    const bad = on('wait', 'a;b');
    expect(await bad.ended()).toBe(2);
    expect(bad.stderr()).toContain('--container takes the name or id');
    docker.refuse('denied');
    const denied = on('wait', 'here');
    expect(await denied.ended()).toBe(2);
    expect(denied.stderr()).toMatch(/This user may not use docker on local[\s\S]*group docker/);
  });

  it('may be one of podman', async () => {
    docker.stop();
    docker = startFakeDocker('podman');
    docker.run('run', '-d', '--name', 'srv', 'image:1', node, server);
    // A docker without its daemon is there as well.
    writeFileSync(
      join(docker.bin, 'docker'),
      '#!/bin/sh\necho "Cannot connect to the Docker daemon" >&2\nexit 1\n',
      {
        mode: 0o755,
      },
    );
    const wait = on('wait', 'srv', '--timeout', '60s');
    expect(await wait.ended()).toBe(0);
  });

  it.skipIf(!available('sshd', 'ssh'))(
    'is watched over a connection that breaks, without a line lost',
    async () => {
      const sshd = await startSshd();
      writeFileSync(join(sshd.home, '.bashrc'), `PATH=${docker.bin}:$PATH\n`);
      try {
        // The second half comes when the link has broken.
        const broken = join(docker.bin, 'broken');
        const gate = `[ $i != 30 ] || until [ -e ${broken} ]; do sleep 0.1; done`;
        shell(
          'count',
          `for i in $(seq 1 60); do echo "line $i"; echo "err $i" >&2; sleep 0.1; ${gate}; done`,
        );
        const config = sshd.sshConfig('Host box', '  HostName 127.0.0.1');
        const tail = firedup([
          'tail',
          'box',
          '-F',
          config,
          '--container',
          'count',
          '-n',
          '+1',
          '--until-exit',
        ]);
        await tail.waitFor(/line 10$/);
        // What serves this one login.
        for (const pid of pids()) {
          const parent = Number(statOf(pid)?.[1]);
          if (commandLineOf(pid).startsWith('sshd') && commandLineOf(parent).includes(sshd.folder))
            endProcess(pid);
        }
        writeFileSync(broken, '');
        expect(await tail.ended()).toBe(0);
        expect(tail.stderr()).toContain('connected again');
        const numbers = (word: string): readonly string[] =>
          tail.lines.filter(({ text }) => text.startsWith(word)).map(({ text }) => text);
        const all = (word: string) => Array.from({ length: 60 }, (_, index) => `${word} ${index + 1}`);
        expect(numbers('line')).toEqual(all('line'));
        expect(numbers('err')).toEqual(all('err'));
      } finally {
        await sshd.stop();
      }
    },
  );
});
