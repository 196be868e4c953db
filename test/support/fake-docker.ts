import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../fixtures/docker.mjs', import.meta.url));

/** A container engine of its own, with real processes: see `fixtures/docker.mjs`. */
export interface FakeDocker {
  /** To go before the PATH: holds the command. */
  readonly bin: string;
  /** Runs its command and returns what it printed. */
  readonly run: (...args: readonly string[]) => string;
  /** What `inspect` says. */
  readonly inspect: (name: string) => {
    readonly Id: string;
    readonly RestartCount: number;
    readonly State: {
      readonly Status: string;
      readonly Pid: number;
      readonly ExitCode: number;
      readonly StartedAt: string;
    };
  };
  /** Every call so far, a line each. */
  readonly calls: () => readonly string[];
  /** As of now nobody may ask it (`denied`), or it does not answer (`down`). */
  readonly refuse: (why: 'denied' | 'down') => void;
  /** Ends every container. */
  readonly stop: () => void;
}

export function startFakeDocker(engine: 'docker' | 'podman' = 'docker'): FakeDocker {
  const folder = mkdtempSync(join(tmpdir(), 'firedup-docker-'));
  const [bin, state] = [join(folder, 'bin'), join(folder, 'state')];
  mkdirSync(bin);
  mkdirSync(state);
  const command = join(bin, engine);
  writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${script} ${state} ${engine} "$@"\n`, {
    mode: 0o755,
  });
  const run = (...args: readonly string[]): string =>
    execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    bin,
    run,
    inspect: (name) => JSON.parse(run('inspect', '--type', 'container', name))[0],
    calls: () => readFileSync(join(state, 'calls'), 'utf8').trim().split('\n'),
    refuse: (why) => writeFileSync(join(state, why), ''),
    stop() {
      rmSync(join(state, 'denied'), { force: true });
      rmSync(join(state, 'down'), { force: true });
      for (const name of run('ps').split('\n').filter(Boolean)) run('rm', '-f', name);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same, as the docker of this process and of all that it starts until `stop`. */
export function fakeDockerOnPath(): FakeDocker {
  const before = process.env.PATH;
  const docker = startFakeDocker();
  process.env.PATH = `${docker.bin}:${before}`;
  return {
    ...docker,
    stop() {
      process.env.PATH = before;
      docker.stop();
    },
  };
}
