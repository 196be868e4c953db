import { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Channel, Exit } from '../../host.js';
import { ForwardedStream } from '../forwarded-stream.js';
import type { SshTransport } from '../ssh-host.js';
import { ChannelRefused, type MasterClient, openClient } from './client.js';
import type { Master } from './master.js';

/** The channels of a system ssh's connection, each an `ssh` process on its control socket. */
export function systemTransport(master: Master): SshTransport {
  return {
    via: 'ssh',
    loss: master.loss,
    onDown: master.onDown,
    async openSession(command, onClosed) {
      // The name is never resolved: the master's connection is used, or none.
      const client = await openClient(master, ['--', 'firedup', command]);
      return channelOf(client, master, onClosed);
    },
    // Each is a process of its own.
    ordered: false,
    isSlotRefusal: (error) =>
      error instanceof ChannelRefused && /Session open refused by peer/.test(error.log),
    async openForward(port, address) {
      const before = master.said();
      const place = `${address.includes(':') ? `[${address}]` : address}:${port}`;
      try {
        return streamOf(await openClient(master, ['-W', place, '--', 'firedup']));
      } catch (error) {
        // Which of the two it was only the master says.
        for (let waited = 0; waited < 200 && master.said() === before; waited += 20) await pause(20);
        const prohibited = /administratively prohibited/.test(master.saidSince(before)) ? 1 : 2;
        throw Object.assign(error instanceof Error ? error : new Error(String(error)), {
          reason: prohibited,
        });
      }
    },
    close: master.close,
  };
}

function channelOf(client: MasterClient, master: Master, onClosed: () => void): Channel {
  const { stdin, stdout, stderr } = client;
  let giveUp: () => void = () => {};
  // After our own close() nobody needs to read on, and the command may live for long.
  const gaveUp = new Promise<Exit>((resolve) => {
    giveUp = () => resolve({ code: null, signal: null, lost: false });
  });
  const ended = [stdout.stream, stderr.stream].map((stream) => finished(stream).catch(() => {}));
  const exit = client.closed.then(({ code, log }) => {
    onClosed();
    return exitOf(code, log, master);
  });
  return {
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    exited: Promise.race([gaveUp, Promise.all([exit, ...ended]).then(([found]) => found)]),
    close() {
      stdin.destroy();
      client.kill();
      giveUp();
    },
  };
}

/** 255 may be the command's own, or ssh's word for everything else: its log tells. */
async function exitOf(code: number | null, log: string, master: Master): Promise<Exit> {
  if (code !== null && code !== 255) return { code, signal: null, lost: false };
  if (/Received exit status from master 255/.test(log)) return { code: 255, signal: null, lost: false };
  // The master may be on its way out: it tells by its end whether the link has gone.
  for (let waited = 0; waited < lossMs && master.loss() === null; waited += 20) await pause(20);
  // While it lives, the command was killed by a signal: which one ssh does not pass on.
  return { code: null, signal: null, lost: master.loss() !== null };
}

const lossMs = 400;

function streamOf(client: MasterClient): Duplex {
  client.stderr.stream.resume();
  const pipes = Duplex.from({ readable: client.stdout.stream, writable: client.stdin });
  return new ForwardedStream(
    Object.assign(pipes, {
      close() {
        pipes.destroy();
        client.kill();
      },
    }),
  );
}
