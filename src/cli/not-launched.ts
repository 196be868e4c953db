import { cutText } from '../core/words.js';
import { exitCodes, FiredupError } from '../errors.js';
import type { Host } from '../host/host.js';
import { listNames } from '../runtime/actions/attempts.js';
import { commandLine } from './come-back.js';
import type { SshOptions } from './connection.js';
import type { EngineOptions } from './load-engines.js';
import type { ServerOptions } from './server-options.js';

/**
 * Nothing was launched on `host` under `name` (null: under no name at all), and nothing else says which server is meant:
 * what can be done next, be it for a target of the config or for a host.
 */
export async function notLaunched(
  host: Host,
  name: string | null,
  options: ServerOptions & SshOptions & EngineOptions,
): Promise<FiredupError> {
  const { via } = options;
  const isTarget = via !== undefined && (name === null || name === via.name);
  const names = name === null ? [] : await listNames(host);
  const others = names.length === 0 ? '' : ` There are: ${names.join(', ')}.`;
  if (isTarget) {
    return failure(
      `The target ${via.target} has not been started on ${host.label}.${others}`,
      via.launch === null
        ? `Give the target command: or log: in the config, or ${otherWays}.`
        : `Start it: ${startLine(host, options)} (${cutText(via.launch, 200)}); or ${otherWays}.`,
    );
  }
  const line = startLine(host, name === null ? options : { ...options, name });
  const start = via?.launch ? line : `${line} -- COMMAND`;
  return name === null
    ? failure(
        `Nothing was launched by firedup on ${host.label}: which server is meant?`,
        `Start one: ${start}; or ${otherWays}.`,
      )
    : failure(
        `There is no server "${name}" on ${host.label}.${others}`,
        names.length > 0 ? 'Choose one with --name.' : `Start it: ${start}; or ${otherWays}.`,
      );
}

const otherWays = 'name what runs by --log PATH, --pid PID or --port PORT';

const startLine = ({ label }: Host, options: ServerOptions & SshOptions & EngineOptions): string => {
  const { log: _log, pid: _pid, container: _container, ...rest } = options;
  return commandLine('launch', label, options, rest);
};

const failure = (message: string, hint: string): FiredupError =>
  new FiredupError('not-launched', message, { exitCode: exitCodes.usage, hint });
