import type { ContainerPlace } from '../../core/process-fact.js';
import { exitCodes, FiredupError, usageError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { decodeHex } from './remote-text.js';
import { type Answer, runScript } from './run-script.js';

/** What the engine says of a container (`inspect`, as Docker 20.10 to 28 and Podman 4 write it). */
export interface Container extends ContainerPlace {
  readonly id: string;
  readonly image: string;
  readonly status: string;
  readonly running: boolean;
  /** On the host; 0 where none runs. */
  readonly pid: number;
  /** As the engine writes it; with the id it names the run. */
  readonly started: string;
  readonly restartPolicy: string;
  /** Entrypoint and command. */
  readonly command: readonly string[];
  /** Ports in the container → ports of the host; null where it has the host's network. */
  readonly ports: ReadonlyMap<number, number> | null;
  /** What `docker inspect` prints of it, and of its image's configuration. */
  readonly inspected: Json;
  readonly imageConfig: Json;
}

/** What engines take for a name. */
const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

/** Throws a usage error for what is no name (or id) of a container. */
export function requireContainerName(name: string): void {
  if (namePattern.test(name)) return;
  throw usageError(
    `--container takes the name or id of a container, not ${JSON.stringify(name)}.`,
    'It begins with a letter or digit; letters, digits, _ . and - may follow.',
  );
}

/**
 * Finds a container by its name or id, with docker or podman, whichever has it. Rejects with `FiredupError`:
 * `no-container` (with those that run), `no-container-engine`, `container-denied`, `container-engine-down`, and what
 * `runScript` does.
 */
export async function lookAtContainer(host: Host, name: string, signal?: AbortSignal): Promise<Container> {
  requireContainerName(name);
  const answers = await runScript(host, 'container-look', [name], signal === undefined ? {} : { signal });
  const engine = answers.find(({ key }) => key === 'engine')?.words[0];
  const json = answers.find(({ key }) => key === 'inspect')?.words[0];
  // An engine that knew it, and then did not tell of it, has not said that it does not run.
  if (engine === undefined || json === undefined || text(record(list(parse(json))[0]).Id) === '')
    throw notFound(host, name, answers);
  const image = answers.find(({ key }) => key === 'image')?.words[0] ?? '';
  return readContainer(name, engine === 'podman' ? 'podman' : 'docker', parse(json), parse(image));
}

function notFound(host: Host, name: string, answers: readonly Answer[]): FiredupError {
  const why = answers.find(({ key }) => key === 'end')?.words[0];
  const [engine = 'docker', hex = ''] = answers.find(({ key }) => key === 'failed')?.words ?? [];
  const failure = (code: string, message: string, hint: string): FiredupError =>
    new FiredupError(code, message, { exitCode: exitCodes.usage, hint });
  switch (why) {
    case 'none':
      return failure(
        'no-container-engine',
        `There is neither docker nor podman on ${host.label}.`,
        'Is it on the PATH of a login without a terminal? Watch the server by --log, --pid or --port.',
      );
    case 'missing': {
      const names = answers
        .filter(({ key }) => key === 'runs')
        .map(({ words: [by = '', word = ''] }) => `${decodeHex(word)}${by === engine ? '' : ` (${by})`}`);
      return failure(
        'no-container',
        `There is no container ${name} on ${host.label}.`,
        names.length === 0 ? 'None runs there.' : `These run: ${names.join(', ')}.`,
      );
    }
    case 'denied':
      return failure(
        'container-denied',
        `This user may not use ${engine} on ${host.label}: permission denied on its socket.`,
        'Log in as a member of the group docker (sudo usermod -aG docker USER, then a new login), or as the user who runs it; firedup never uses sudo.',
      );
    case 'daemon':
      return failure(
        'container-engine-down',
        `The ${engine} daemon on ${host.label} does not answer.`,
        `Its words: ${decodeHex(hex)}`,
      );
    default:
      return failure(
        'container-unknown',
        `${engine} on ${host.label} does not tell of ${name}: ${decodeHex(hex) || 'no answer'}`,
        `Try ${engine} inspect ${name} there.`,
      );
  }
}

const parse = (hex: string): unknown => {
  try {
    return JSON.parse(decodeHex(hex));
  } catch {
    return null;
  }
};

/** Any JSON; only what is a record or a list of it is looked into. */
export type Json = Readonly<Record<string, unknown>>;

export const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
export const texts = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : list(value).map(text).filter(Boolean);

/** `inspected`: what `docker inspect NAME` prints, a list of one. */
export function readContainer(
  name: string,
  engine: ContainerPlace['engine'],
  inspected: unknown,
  imageConfig: unknown = null,
): Container {
  const all = record(list(inspected)[0]);
  const [state, config, host] = [record(all.State), record(all.Config), record(all.HostConfig)];
  const pid = Number(text(state.Pid)) || 0;
  const entrypoint = texts(config.Entrypoint);
  const command = texts(config.Cmd);
  return {
    engine,
    name,
    id: text(all.Id),
    image: text(config.Image) || text(all.ImageName) || text(all.Image),
    status: text(state.Status),
    running: state.Running === true && pid > 0,
    pid,
    started: text(state.StartedAt),
    restartPolicy: text(record(host.RestartPolicy).Name) || 'no',
    command: [...entrypoint, ...command],
    ports: host.NetworkMode === 'host' ? null : portsOf(all, host),
    inspected: all,
    imageConfig: record(imageConfig),
  };
}

/** What runs says which port of the host was chosen (`-p 8000`); the configuration, what was asked for. */
function portsOf(all: Json, host: Json): ReadonlyMap<number, number> {
  const ports = new Map<number, number>();
  for (const bindings of [record(host.PortBindings), record(record(all.NetworkSettings).Ports)]) {
    for (const [inner, bound] of Object.entries(bindings)) {
      const [number = '', protocol = 'tcp'] = inner.split('/');
      const hostPort = Number(text(record(list(bound)[0]).HostPort));
      if (protocol === 'tcp' && hostPort > 0) ports.set(Number(number), hostPort);
    }
  }
  return ports;
}
