import type { HistoryEntry } from './history.js';
import { phaseWords } from './phase-title.js';

/**
 * What came of the change that `entry` was launched with, after the fault of `previous`. Only an attempt that was ready is
 * one that it helped: another may have done away with that fault and died of the next. Null where that cannot be told.
 */
export function helpWords(entry: HistoryEntry, previous: HistoryEntry | null): string | null {
  if (entry.helped === null) return null;
  if (!entry.helped) return 'did not help';
  if (entry.readyAt !== null || entry.outcome === 'ready') return 'helped';
  const [then, now] = [previous?.reached, entry.reached].map((phase) => phase && phaseWords(phase));
  if (!then || !now) return 'got further';
  return then === now ? `got past it: another fault in ${now}` : `got further: ${then} → ${now}`;
}

/** The same with the remedy that was taken: `helped: Allow the longer context length`. */
export function helpText(entry: HistoryEntry, previous: HistoryEntry | null): string | null {
  const words = helpWords(entry, previous);
  if (words === null || entry.remedy === null) return words;
  return words.includes(':') ? `${words} (${entry.remedy.title})` : `${words}: ${entry.remedy.title}`;
}
