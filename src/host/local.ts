import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { userInfo } from 'node:os';
import { connectionError, describeError } from '../errors.js';
import { hostClosed, interrupted } from './failures.js';
import type { Channel, Exit, Host } from './host.js';
import { onAbort } from './on-abort.js';

/** This machine. Commands run by `/bin/sh -c` in a session of their own, as sshd would start them. */
export function localHost(): Host {
  const channels = new Set<Channel>();
  let closed = false;

  return {
    label: 'local',
    kind: 'local',
    via: 'local',
    sessionsSeen: () => null,
    async exec(command, options = {}) {
      if (closed) throw hostClosed('local');
      if (options.signal?.aborted) throw interrupted('The command');
      const channel = await start(command);
      channels.add(channel);
      const off = onAbort(options.signal, () => channel.close());
      void channel.exited.then(() => {
        channels.delete(channel);
        off();
      });
      return channel;
    },
    async forward(port, address = '127.0.0.1') {
      if (closed) throw hostClosed('local');
      return connect(port, address);
    },
    onDown: () => () => {},
    async close() {
      closed = true;
      for (const channel of channels) channel.close();
    },
  };
}

async function start(command: string): Promise<Channel> {
  // Its own session: Ctrl-C on our terminal must not reach what runs on the host.
  // And with a home folder, which a service's environment may lack; else state and models are looked for below `/`.
  const env = { ...process.env, HOME: process.env.HOME || homeFolder() };
  const child = spawn('/bin/sh', ['-c', command], { stdio: 'pipe', detached: true, env });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw connectionError('exec-failed', `/bin/sh cannot be started: ${describeError(error)}`);
  }
  return channelOf(child);
}

function homeFolder(): string {
  try {
    return userInfo().homedir;
  } catch {
    // A user without an entry in the list of users, as in some containers.
    return '/';
  }
}

function channelOf(child: ChildProcessWithoutNullStreams): Channel {
  // EPIPE after the command's end is no fault of ours.
  child.stdin.on('error', () => {});
  let giveUp: () => void = () => {};
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, lost: false }));
    giveUp = () => resolve({ code: null, signal: null, lost: false });
  });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    close() {
      child.stdin.destroy();
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      giveUp();
    },
  };
}

const forwardLimitMs = 10_000;

function connect(port: number, address: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: address });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(
        connectionError(
          'forward-timeout',
          `${address}:${port} did not answer in ${forwardLimitMs / 1000} s.`,
        ),
      );
    }, forwardLimitMs);
    socket.once('close', () => clearTimeout(timer));
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeListener('error', refuse);
      // A reset reaches the owner as 'close'; without a listener of his own it must not end the process.
      socket.on('error', () => {});
      resolve(socket);
    });
    const refuse = (error: NodeJS.ErrnoException) =>
      reject(
        connectionError(
          error.code === 'ECONNREFUSED' ? 'forward-refused' : 'forward-failed',
          `Nothing answers on ${address}:${port}: ${error.message}`,
        ),
      );
    socket.once('error', refuse);
  });
}
