import { quoteAll } from '../remote/quote.js';
import type { ServerOptions } from './choose-server.js';
import { type SshOptions, sshWords } from './connection.js';
import type { EngineOptions } from './load-engines.js';

/** The command line that comes back to a watch, as it would be typed. */
export function comeBackCommand(
  host: string,
  ssh: SshOptions,
  server: ServerOptions & EngineOptions,
): string {
  const words = [
    'firedup',
    'watch',
    host,
    ...sshWords(ssh),
    ...(ssh.readOnly ? ['--read-only'] : []),
    ...(server.name === undefined ? [] : ['--name', server.name]),
    ...(server.log === undefined ? [] : ['--log', server.log]),
    ...(server.pid === undefined ? [] : ['--pid', String(server.pid)]),
    ...(server.port === undefined ? [] : ['--port', String(server.port)]),
    ...(server.engine === undefined ? [] : ['--engine', server.engine]),
    ...(server.config === undefined ? [] : ['--config', server.config]),
  ];
  return quoteAll(words);
}
