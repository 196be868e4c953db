import { existsSync } from 'node:fs';
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import ssh2 from 'ssh2';
import { type DemoWorld, startDemo } from '../../src/demo/world.js';
import { until } from '../support/until.js';

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
}

/** A demo with a logged-in SSH client, as firedup would use it. */
export interface DemoBox {
  readonly world: DemoWorld;
  readonly client: ssh2.Client;
  exec(command: string): Promise<Ended>;
  /** Runs the engine in the foreground; `output()` grows meanwhile. */
  engine(changes?: {
    readonly env?: Readonly<Record<string, string>>;
    readonly args?: readonly string[] | null;
  }): Engine;
  get(path: string): Promise<{ readonly code: number; readonly body: string }>;
  close(): Promise<void>;
}

export interface Engine {
  readonly ended: Promise<Ended>;
  output(): string;
  /** Settles when the output has that text; rejects when the engine ends before. */
  says(text: string): Promise<void>;
  signal(name: string): void;
}

export async function openDemo(scenario: string, speed = 30): Promise<DemoBox> {
  if (!existsSync(new URL('../../dist/demo-engine.js', import.meta.url)))
    throw new Error('The simulated engine is not built: run `npm run build` first.');
  const world = await startDemo({ scenario, speed });
  const client = await login(world).catch(async (error: unknown) => {
    await world.stop();
    throw error;
  });
  const exec = async (command: string): Promise<Ended> => follow(await open(client, command)).ended;
  return {
    world,
    client,
    exec,
    engine: ({ env = {}, args = null } = {}) => {
      const words = args === null ? world.command : [...world.command.slice(0, 2), ...args];
      const settings = Object.entries({ ...world.env, ...env }).map(
        ([name, value]) => `${name}=${quote(value)}`,
      );
      return runEngine(open(client, ['exec env', ...settings, ...words.map(quote)].join(' ')));
    },
    get: (path) => get(client, world.port, path),
    close: async () => {
      client.end();
      await world.stop();
    },
  };
}

export function login(world: DemoWorld, key = world.clientKey): Promise<ssh2.Client> {
  const client = new ssh2.Client();
  return new Promise((resolve, reject) => {
    client.on('ready', () => resolve(client)).on('error', reject);
    client.connect({
      host: '127.0.0.1',
      port: world.sshPort,
      username: world.user,
      privateKey: key,
      hostVerifier: (offered: Buffer) => offered.toString('base64') === world.hostKey.split(' ')[1],
    });
  });
}

export function open(client: ssh2.Client, command: string): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => (error === undefined ? resolve(channel) : reject(error)));
  });
}

export function forward(client: ssh2.Client, address: string, port: number): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    client.forwardOut('127.0.0.1', 0, address, port, (error, channel) =>
      error === undefined ? resolve(channel) : reject(error),
    );
  });
}

export const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

function follow(channel: ClientChannel): { readonly ended: Promise<Ended>; output(): string } {
  let output = '';
  let exit: Pick<Ended, 'code' | 'signal'> = { code: null, signal: null };
  for (const stream of [channel, channel.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  channel.on('exit', (code: number | null, signal?: string) => {
    exit = { code, signal: signal ?? null };
  });
  const ended = new Promise<Ended>((resolve) => channel.on('close', () => resolve({ ...exit, output })));
  return { ended, output: () => output };
}

function runEngine(opening: Promise<ClientChannel>): Engine {
  const followed = opening.then((channel) => ({ channel, ...follow(channel) }));
  let output = (): string => '';
  let over = false;
  const ended = followed.then((run) => {
    output = run.output;
    return run.ended;
  });
  void ended.then(() => {
    over = true;
  });
  return {
    ended,
    output: () => output(),
    says: async (text) => {
      await until(() => output().includes(text) || over, `the engine says ${text}`);
      if (!output().includes(text))
        throw new Error(`The engine ended without saying ${text}:\n${output().slice(-3000)}`);
    },
    signal: (name) => void followed.then(({ channel }) => channel.signal(name)),
  };
}

async function get(client: ssh2.Client, port: number, path: string): Promise<{ code: number; body: string }> {
  const stream = await forward(client, '127.0.0.1', port);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { createConnection: () => stream, path, headers: { host: 'demo' } },
      (incoming) => {
        let body = '';
        incoming.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        incoming.on('end', () => resolve({ code: incoming.statusCode ?? 0, body }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}
