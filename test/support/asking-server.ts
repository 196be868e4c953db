import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type AuthContext, type Connection } from 'ssh2';
import { runExec } from '../../src/demo/ssh-exec.js';
import { makeKeyPair } from '../../src/demo/ssh-keys.js';

/** An SSH server of ssh2's whose logins are judged by the test; commands really run. */
export interface AskingServer {
  readonly port: number;
  readonly folder: string;
  /** An ssh_config for `-F`, by which every host name leads to the server. */
  readonly config: string;
  readonly knownHosts: string;
  /** Connections so far. */
  readonly connections: () => number;
  /** Ends every connection, without a word. */
  cut(): void;
  stop(): Promise<void>;
}

/** Starts it on a loopback port of its own; `more` are lines for its config, `path` goes before the PATH of its commands. The caller stops it. */
export async function startAskingServer(
  judge: (login: AuthContext, connection: Connection) => void,
  more: readonly string[] = [],
  options: { readonly banner?: string; readonly path?: string } = {},
): Promise<AskingServer> {
  const folder = mkdtempSync(join(tmpdir(), 'firedup-asking-'));
  const hostKey = makeKeyPair('test');
  const open = new Set<Connection>();
  const running = new Set<() => void>();
  let count = 0;
  const server = new ssh2.Server(
    { hostKeys: [hostKey.privateKey], ...(options.banner === undefined ? {} : { banner: options.banner }) },
    (connection) => {
      count++;
      open.add(connection);
      connection.on('error', () => {});
      connection.on('close', () => open.delete(connection));
      connection.on('authentication', (login) => judge(login, connection));
      connection.on('session', (accept) => {
        const env = { PATH: `${options.path ?? folder}:${process.env.PATH}`, HOME: folder };
        runExec(accept(), { env, cwd: folder, running, onClosed: () => {} });
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const knownHosts = join(folder, 'known');
  writeFileSync(knownHosts, `[127.0.0.1]:${port} ${hostKey.publicKey}\n`);
  const config = join(folder, 'config');
  const lines = [
    ...more,
    'Host *',
    ' HostName 127.0.0.1',
    ` Port ${port}`,
    ' User me',
    ' IdentityFile none',
    ' IdentityAgent none',
    ` UserKnownHostsFile ${knownHosts}`,
    ' GlobalKnownHostsFile /dev/null',
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  const cut = (): void => {
    for (const connection of open) (connection as unknown as { _sock: { destroy(): void } })._sock.destroy();
  };
  return {
    port,
    folder,
    config,
    knownHosts,
    connections: () => count,
    cut,
    async stop() {
      cut();
      for (const end of running) end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
