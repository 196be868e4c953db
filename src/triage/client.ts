import type { Report } from './report.js';
import type { RunReader } from './run-reader.js';

/**
 * The program whose log this is where it measures a server and is none; null where a server speaks in the log as well, or
 * no such program does. Its own exceptions and end are no server's. What it quotes of a server's start, to show what it
 * waits for, is of one that it has measured since.
 */
export function clientOf({ evidence, phases }: RunReader): string | null {
  const { client, runStart, ready, ownDeath, hang, ended } = evidence;
  if (client === null || [ready, ownDeath, hang].some(Boolean)) return null;
  const hasStart = phases.begun > 0 || runStart !== null;
  const isQuoted = ended === null && client.lineNumber > Math.max(phases.lastLine, runStart?.lineNumber ?? 0);
  return hasStart && !isQuoted ? null : client.name;
}

/** Nothing is known of a server: what its client says, and how that ends, is no verdict. */
export function reportOfClient(reader: RunReader, lines: number, bytes: number): Report {
  return {
    schema: 1,
    engine: 'unknown',
    engineVersion: null,
    outcome: 'unknown',
    phase: null,
    phaseModel: null,
    phases: [],
    rootCause: null,
    consequences: [],
    suspicions: reader.evidence.suspicions,
    remedies: [],
    serverArgs: null,
    lines,
    bytes,
  };
}
