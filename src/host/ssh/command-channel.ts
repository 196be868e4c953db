import { finished } from 'node:stream/promises';
import type { ClientChannel } from 'ssh2';
import type { Channel, Exit } from '../host.js';
import { inputOf, outputOf } from './streams.js';

/**
 * One session channel as a `Channel`. `linkIsDown` tells, at the channel's end, whether it went with the link;
 * `onClosed` is called once when the server has let go of its session slot, which for a closed channel may be
 * long after `exited`: sshd waits for the command.
 */
export function commandChannel(raw: ClientChannel, linkIsDown: () => boolean, onClosed: () => void): Channel {
  const stdout = outputOf(raw);
  const stderr = outputOf(raw.stderr);
  const stdin = inputOf(raw);
  let exit: Exit | null = null;
  let giveUp: () => void = () => {};

  raw.once('exit', (code: number | null, signal?: string) => {
    exit = { code, signal: signal ?? null, lost: false };
  });
  raw.on('error', () => {});
  const over = new Promise<void>((resolve) => {
    raw.once('close', () => {
      onClosed();
      resolve();
    });
  });
  // After our own close() nobody needs to read on, and sshd may keep the channel until the command ends.
  const closed = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  const ended = [stdout.stream, stderr.stream].map((stream) => finished(stream).catch(() => {}));

  return {
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    exited: Promise.race([closed, Promise.all([over, ...ended])]).then(
      () => exit ?? { code: null, signal: null, lost: linkIsDown() },
    ),
    close() {
      stdin.destroy();
      raw.end();
      raw.close();
      stdout.end();
      stderr.end();
      giveUp();
    },
  };
}
