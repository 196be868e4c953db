import { profileOf } from '../engines/registry.js';
import type { Findings } from '../triage/findings.js';
import { type CommandPort, commandPort } from './command-port.js';
import { isOk } from './health.js';
import { modelPath } from './server-args.js';
import type { State } from './state.js';

/** What the probes should look at now; the runtime points them there. */
export interface WantedProbes {
  readonly health: {
    readonly port: number;
    readonly path: string;
    readonly source: 'given' | 'log' | 'command';
    /** Its container has published it: whoever listens there for it, it is the server's. */
    readonly published?: boolean;
  } | null;
  /** It is ready, and has answered so: that its port goes on answering is asked seldom. */
  readonly isReady: boolean;
  /** It says that it is ready, or was found by its port: somewhere it listens. */
  readonly isServing: boolean;
  /** Processes of the server's tree. */
  readonly pids: readonly number[];
  /** The model whose size on disk tells how far its weights are, and the process that reads it. */
  readonly model: { readonly path: string; readonly pid: number } | null;
}

/** Derived from the state, so that a port or a process that the log or the host reveals is probed at once. */
export function wantedProbes(state: State): WantedProbes {
  const { fact } = state.process;
  return {
    health: wantedHealth(state),
    isReady: isReadyByPort(state),
    isServing: isServing(state),
    pids: fact?.status === 'alive' ? fact.tree.map(({ pid }) => pid) : [],
    model: wantedModel(state),
  };
}

/** After READY process and log tell of the end; what the port says changes no verdict. */
function isReadyByPort({ verdict, health }: State): boolean {
  return verdict.outcome === 'ready' && !verdict.provisional && health !== null && isOk(health.answer);
}

function isServing(state: State): boolean {
  const { fact } = state.process;
  return fact?.status === 'alive' && (fact.foundBy === 'port' || state.reading.findings().ready !== null);
}

function wantedModel(state: State): WantedProbes['model'] {
  const { fact } = state.process;
  if (fact?.status !== 'alive' || state.verdict.outcome === 'ready') return null;
  const path = modelPath(state.reading.findings().serverArgs);
  return path === null ? null : { path, pid: fact.pid };
}

function wantedHealth(state: State): WantedProbes['health'] {
  const findings = state.reading.findings();
  const { fact } = state.process;
  const named = fact?.status === 'alive' ? commandPort(fact) : null;
  const path = readyPath(findings, named);
  const { port, container } = state.target;
  const ports = container?.ports ?? null;
  const published = ports === null ? {} : { published: true };
  if (port !== null) {
    const isPublished = ports !== null && [...ports.values()].includes(port);
    return { port, path, source: 'given', ...(isPublished ? { published: true } : {}) };
  }
  // A finished log's port may belong to anyone by now.
  if (fact?.status !== 'alive') return null;
  const told = findings.port ?? named?.port ?? null;
  if (told === null) return null;
  // Log and command line name the port in the container, where only what it publishes can be reached.
  const reached = ports === null ? told : ports.get(told);
  const source = findings.port === null ? 'command' : 'log';
  return reached === undefined ? null : { port: reached, path, source, ...published };
}

/** Where the log tells of no engine, that of the command line is asked as one whose version is not known. */
function readyPath({ engine, readyPath }: Findings, named: CommandPort | null): string {
  const isKnown = engine !== 'unknown' && engine !== 'python';
  if (isKnown || named === null) return readyPath ?? '/health';
  return profileOf(named.engine).readyPath.path;
}
