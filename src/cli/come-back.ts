import { quoteAll } from '../remote/quote.js';
import { type SshOptions, sshWords } from './connection.js';
import type { EngineOptions } from './load-engines.js';
import type { ServerOptions } from './server-options.js';

/** The command line that comes back to a watch, as it would be typed. */
export const comeBackCommand = (
  host: string,
  ssh: SshOptions,
  server: ServerOptions & EngineOptions,
): string => commandLine('watch', host, ssh, server);

/** `firedup COMMAND` on a server, as it would be typed: what the config says is left to the config. */
export function commandLine(
  command: 'watch' | 'launch',
  host: string,
  ssh: SshOptions,
  server: ServerOptions & EngineOptions,
): string {
  const { via } = ssh;
  const typed: SshOptions = via === undefined ? ssh : via.given;
  const said = <Key extends keyof (ServerOptions & EngineOptions)>(
    key: Key,
  ): (typeof server)[Key] | undefined =>
    via === undefined || via.given[key] !== undefined ? server[key] : undefined;
  const name = via === undefined || server.name !== via.name ? server.name : undefined;
  const word = (option: string, value: string | number | undefined): readonly string[] =>
    value === undefined ? [] : [option, String(value)];
  const words = [
    'firedup',
    command,
    via?.target ?? host,
    ...sshWords(typed),
    ...(typed.readOnly ? ['--read-only'] : []),
    ...word('--name', name),
    ...word('--log', said('log')),
    ...word('--pid', said('pid')),
    ...word('--port', said('port')),
    ...word('--container', said('container')),
    ...word('--engine', said('engine')),
    ...word('--config', said('config')),
  ];
  return quoteAll(words);
}
