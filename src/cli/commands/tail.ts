import { exitCodes } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { chooseServer, type Server } from '../choose-server.js';
import { askingOnTerminal, connectAgain, connectFirst, hostSpec, type SshOptions } from '../connection.js';
import { followLog } from '../follow-log.js';
import { isDumb } from '../is-interactive.js';
import { requireLog } from '../look-at-server.js';
import { watchReader } from '../reader-gone.js';
import { remark } from '../remark.js';
import type { ServerOptions } from '../server-options.js';
import { rawOutput, terminalOutput } from '../tail-output.js';

export interface TailOptions extends SshOptions, ServerOptions {
  /** How many last lines of what is there already; `all` begins at the first byte. */
  readonly lines: number | 'all';
  readonly untilExit?: boolean;
}

/**
 * `firedup tail`: the log to stdout as it grows, across rotations and lost connections; nothing else goes there. Raw
 * bytes into a pipe or a file, sanitised on a terminal.
 */
export async function tail(label: string, options: TailOptions): Promise<void> {
  const spec = hostSpec(label, options);
  const host = await connectFirst(spec);
  const { server, log } = await findServer(host, options).catch(async (error: unknown) => {
    await host.close();
    throw error;
  });
  const stop = new AbortController();
  const interrupt = (): void => {
    process.exitCode = exitCodes.interrupted;
    stop.abort();
  };
  // Once: a second one ends us the hard way.
  for (const signal of stopSignals) process.once(signal, interrupt);
  const stopLooking = watchReader(process.stdout.fd, interrupt);
  await followLog({
    host,
    connect: connectAgain(spec),
    asking: askingOnTerminal(),
    label,
    log,
    server,
    lastLines: options.lines,
    untilExit: options.untilExit === true,
    output: process.stdout.isTTY
      ? terminalOutput(process.stdout, !isDumb(process.env))
      : rawOutput(process.stdout),
    remark,
    signal: stop.signal,
  });
  stopLooking();
  // What a reader that does not read has left in the pipe would hold us.
  if (stop.signal.aborted) process.exit(exitCodes.interrupted);
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function findServer(
  host: Host,
  options: TailOptions,
): Promise<{ readonly server: Server; readonly log: string }> {
  const server = await chooseServer(host, options);
  return { server, log: await requireLog(host, server) };
}
