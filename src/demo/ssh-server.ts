import { timingSafeEqual } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Connection, ParsedKey } from 'ssh2';
import ssh2 from 'ssh2';
import { runExec } from './ssh-exec.js';
import { forwardToLoopback } from './ssh-forward.js';
import { makeKeyPair } from './ssh-keys.js';

export interface SshServer {
  readonly port: number;
  /** The host's public key as a `known_hosts` line has it: `ssh-ed25519 AAAA…`. */
  readonly hostKey: string;
  /** The only private key that may log in, in OpenSSH's format. */
  readonly clientKey: string;
  readonly user: string;
  /** Ends every connection and every command that still runs. */
  stop(): Promise<void>;
}

export interface SshServerOptions {
  readonly user: string;
  /** The whole environment of the commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Where commands start. */
  readonly cwd: string;
}

/** As sshd's `MaxSessions`: session channels that are open at once on one connection. */
const maxSessions = 10;

/**
 * An SSH server on a random loopback port, with keys made for this run. Commands are run for real by `/bin/sh -c`;
 * `direct-tcpip` reaches loopback only. There is no shell, no pty, no sftp.
 */
export async function startSshServer({ user, env, cwd }: SshServerOptions): Promise<SshServer> {
  const host = makeKeyPair('firedup demo host');
  const client = makeKeyPair('firedup demo user');
  const sockets = new Set<Socket>();
  const running = new Set<() => void>();

  const ssh = new ssh2.Server({ hostKeys: [host.privateKey] }, (connection) => {
    connection.on('error', () => {});
    authenticate(connection, user, client.parsed);
    let sessions = 0;
    connection.on('session', (accept, reject) => {
      if (sessions >= maxSessions) return reject();
      sessions += 1;
      runExec(accept(), { env, cwd, running, onClosed: () => (sessions -= 1) });
    });
    connection.on('tcpip', forwardToLoopback);
  });
  // Our own listener, so that stopping does not depend on what the other side still says.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    ssh.injectSocket(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    hostKey: host.publicKey,
    clientKey: client.privateKey,
    user,
    stop: () =>
      new Promise((resolve) => {
        for (const end of running) end();
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Lets in that one user by that one key; everything else is told what would do. */
function authenticate(connection: Connection, user: string, allowed: ParsedKey): void {
  const expected = allowed.getPublicSSH();
  connection.on('authentication', (context) => {
    if (context.method !== 'publickey' || context.username !== user) return context.reject(['publickey']);
    const { key, signature, blob, hashAlgo } = context;
    const known =
      key.algo === allowed.type && key.data.length === expected.length && timingSafeEqual(key.data, expected);
    if (!known) return context.reject(['publickey']);
    // Without a signature the client only asks whether this key would do.
    if (signature === undefined || blob === undefined) return context.accept();
    return allowed.verify(blob, signature, hashAlgo) === true
      ? context.accept()
      : context.reject(['publickey']);
  });
}
