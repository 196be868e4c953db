import type { Findings } from '../triage/findings.js';
import { logEvidence } from './evidence.js';
import type { Evidence } from './state.js';

/**
 * What the log says of the end of a server that had been ready, where it is known to have ended and its status is not: an
 * exception that nobody caught and nothing came after, or the shell's word that a signal has ended it. Null: nothing.
 */
export function loggedDeath(findings: Findings): Evidence | null {
  const { uncaught } = findings;
  if (uncaught !== null) return logEvidence({ ...uncaught, logMs: null, at: null });
  return shellsWord(findings);
}

/** The shell's or a supervisor's word alone. Who was terminated was asked to. */
export function shellsWord({ ended }: Findings): Evidence | null {
  if (ended === null || /\bterminated\b(?! by signal)/i.test(ended.line)) return null;
  return logEvidence({ ...ended, logMs: null, at: null });
}
