import type { EngineId } from '../engines/ids.js';
import type { HealthAnswer } from './events.js';
import { quoteWord } from './shell-words.js';
import type { State } from './state.js';

/** Where a server is reached, and a line to try it with. */
export interface Serving {
  readonly port: number;
  /** As seen from the host itself: `http://127.0.0.1:30000`. */
  readonly url: string;
  /** For a shell on the host. */
  readonly curl: string;
}

/**
 * Where the server serves as its host sees it; null where no port is known, or a stranger answers there. The address is
 * the one that the log names, else the one where its port was found; one that stands for all of them (`0.0.0.0`, `::`) is
 * the host's own; a container's port is the one that is published.
 */
export function servingAt(state: State): Serving | null {
  const { target } = state;
  const { engine, port: named, readyPath, serverArgs } = state.reading.findings();
  const answer = answerOf(state);
  if (answer?.owned === false) return null;
  // Of a container the log names a port that is its own.
  const port = answer?.port ?? target.port ?? (target.container ? null : named);
  if (port === null) return null;
  const isNamed = !target.container && (named === null || named === port);
  const address = (isNamed ? addressOf(serverArgs?.host) : null) ?? addressOf(answer?.address);
  const isSecure = answer?.isSecure ?? isSet(serverArgs?.ssl_keyfile);
  const url = `${isSecure ? 'https' : 'http'}://${address ?? '127.0.0.1'}:${port}`;
  const key = isSet(serverArgs?.api_key) ? ' -H "Authorization: Bearer $API_KEY"' : '';
  const path = modelsPaths[engine] ?? answer?.path ?? readyPath ?? '/';
  // A certificate is of a name, and hardly ever of an address of the host's own.
  const unchecked = isSecure && /^(?:[\d.]+|\[.*\])$/.test(address ?? '127.0.0.1') ? 'k' : '';
  return { port, url, curl: `curl -s${unchecked}${key} ${quoteWord(`${url}${path}`)}` };
}

/** A port that only the command line names may be another machine's to open: until it answers, nothing is known of it. */
function answerOf({ health }: State): HealthAnswer | null {
  if (health?.answer.source === 'command' && health.answer.result.kind !== 'status') return null;
  return health?.answer ?? null;
}

/** What tells the models that are served; TGI tells its one by another path, and of a program of one's own nobody knows. */
const modelsPaths: Readonly<Partial<Record<EngineId, string>>> = {
  sglang: '/v1/models',
  vllm: '/v1/models',
  'llama.cpp': '/v1/models',
  trtllm: '/v1/models',
  lmdeploy: '/v1/models',
  ollama: '/v1/models',
  tgi: '/info',
};

/** Only what is an address or a name, for it goes into a line for a shell; null where that is no use or any will do. */
function addressOf(host: unknown): string | null {
  if (typeof host !== 'string' || !/^[\w.:-]+$/.test(host) || host.startsWith('-')) return null;
  if (host === '0.0.0.0' || host === '::') return null;
  return host.includes(':') ? `[${host}]` : host;
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined && value !== '';
