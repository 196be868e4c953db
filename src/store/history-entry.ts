import { z } from 'zod';
import { phaseIds } from '../triage/report.js';

/** How one attempt went, as it is kept on this machine. Times in ms since the epoch. */
export const historyEntry = z.object({
  schema: z.literal(1),
  host: z.string(),
  name: z.string(),
  /** Number of the launch by us; null for a server that someone else started. */
  attempt: z.number().int().positive().nullable(),
  /** The launch's id, which makes an entry the later word on the same attempt. */
  id: z.string().nullable(),
  outcome: z.enum(['ready', 'crashed', 'loading', 'stalled', 'stopped', 'unknown']),
  /** Root cause in one line; null where none is known. */
  cause: z.string().nullable(),
  startedAt: z.number().nullable(),
  readyAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  command: z.string(),
  log: z.string().nullable(),
  /** What was changed against the attempt before, in words. */
  change: z.string().nullable(),
  phases: z.array(
    z.object({
      id: z.enum(phaseIds),
      model: z.enum(['target', 'draft']).nullable(),
      seconds: z.number().nullable(),
    }),
  ),
  /** At most 40, as they stood when the outcome was known. */
  lastLines: z.array(z.string()),
});

export type HistoryEntry = Readonly<z.infer<typeof historyEntry>>;
