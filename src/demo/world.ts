import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageError } from '../errors.js';
import { endProcesses, marker } from './demo-processes.js';
import { layOut } from './lay-out.js';
import { folderPrefix, removeLeftBehind } from './left-behind.js';
import type { RelaunchHint } from './scenario.js';
import { type ScenarioName, scenarioNames } from './scenario-names.js';
import { scenarios } from './scenarios.js';
import { startSshServer } from './ssh-server.js';

export interface DemoOptions {
  readonly scenario: string;
  /** Divides every simulated duration; 1 is a launch of about 40 s. */
  readonly speed: number;
  /** Ms since the epoch, to tell old folders of killed demos. */
  readonly now?: () => number;
}

/** A simulated GPU box: an SSH server on loopback, and what to launch over it. Nothing is launched yet. */
export interface DemoWorld {
  readonly scenario: ScenarioName;
  readonly title: string;
  readonly folder: string;
  readonly sshPort: number;
  readonly user: string;
  /** Public host key, `ssh-ed25519 AAAA…`. */
  readonly hostKey: string;
  /** Private key to log in with, OpenSSH format. */
  readonly clientKey: string;
  readonly engineName: 'sglang';
  /** Server name to launch and watch under. */
  readonly name: 'demo';
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Shell commands for the `before` hook of a relaunch; not for the first attempt, whose fault they remove. */
  readonly before: readonly string[];
  /** All that brings the next attempt further; `env` and `args` are the user's to apply. */
  readonly relaunch: RelaunchHint;
  /** Of the engine's HTTP server. */
  readonly port: number;
  /** Log of the launch, with `{attempt}`. */
  readonly logPath: string;
  /** The log to watch where it is not the launch's own, as in `late-log`; else null. */
  readonly watchLog: string | null;
  readonly ends: 'ready' | 'crashed' | 'stalled';
  /** To be called once the watch of the log has begun; `late-log` counts its delay from here. */
  watchBegan(): Promise<void>;
  /** Ends the server, every process that was started through it, and removes the folder. May be called again. */
  stop(): Promise<void>;
}

const user = 'demo';

/** Lays out a scenario in a temporary folder and opens its SSH server. An unknown scenario is a usage error. */
export async function startDemo({
  scenario: wanted,
  speed,
  now = Date.now,
}: DemoOptions): Promise<DemoWorld> {
  const name = scenarioNames.find((known) => known === wanted);
  if (name === undefined)
    throw usageError(`Unknown scenario ${wanted}`, `One of: ${scenarioNames.join(', ')}`);
  if (!(speed > 0 && Number.isFinite(speed))) throw usageError('The speed must be a number above 0.');
  const scenario = scenarios[name];
  await removeLeftBehind(tmpdir(), now());
  const folder = await mkdtemp(join(tmpdir(), folderPrefix));
  try {
    await layOut(folder, scenario, speed);
    const port = await freePort();
    const fill = (text: string): string =>
      text.replaceAll('{folder}', folder).replaceAll('{port}', String(port));
    const server = await startSshServer({ user, cwd: join(folder, 'home'), env: commandEnv(folder) });
    const engine = [join(folder, 'bin', 'sglang'), 'serve', ...scenario.args.map(fill)];
    const lateLog = join(folder, 'logs', 'server.log');
    let stopped: Promise<void> | null = null;
    return {
      scenario: name,
      title: scenario.title,
      folder,
      sshPort: server.port,
      user,
      hostKey: server.hostKey,
      clientKey: server.clientKey,
      engineName: 'sglang',
      name: 'demo',
      command: scenario.lateLog ? [join(folder, 'bin', 'serve-later'), lateLog, ...engine] : engine,
      env: scenario.env,
      before: scenario.relaunch.before.map(fill),
      relaunch: {
        before: scenario.relaunch.before.map(fill),
        env: scenario.relaunch.env,
        args: scenario.relaunch.args?.map(fill) ?? null,
      },
      port,
      logPath: join(folder, 'logs', scenario.lateLog ? 'launch.{attempt}.log' : 'server.{attempt}.log'),
      watchLog: scenario.lateLog ? lateLog : null,
      ends: scenario.ends,
      watchBegan: () => writeFile(join(folder, 'watch-began'), ''),
      stop: () => {
        stopped ??= (async () => {
          await server.stop();
          await endProcesses(folder);
          await rm(folder, { recursive: true, force: true, maxRetries: 3 });
        })();
        return stopped;
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** What sshd would give: nothing of ours but the search path, behind the simulated tools. */
function commandEnv(folder: string): Record<string, string> {
  return {
    HOME: join(folder, 'home'),
    PATH: `${join(folder, 'bin')}:${process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'}`,
    SHELL: '/bin/sh',
    USER: user,
    LOGNAME: user,
    LANG: 'C.UTF-8',
    ...marker(folder),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
