import type { Report } from './report.js';
import type { RunReader } from './run-reader.js';

/**
 * The program whose log this is where it measures a server and is none; null where a server speaks in the log as well, or
 * no such program does. Its own exceptions and end are no server's.
 */
export function clientOf({ evidence, phases }: RunReader): string | null {
  const { client, runStart, ready, ownDeath, hang } = evidence;
  const hasServer = phases.begun > 0 || [runStart, ready, ownDeath, hang].some(Boolean);
  return hasServer ? null : client;
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
