import { cutText } from '../core/words.js';
import { redactArgv } from '../ingest/redact.js';
import type { HostReport } from './host-report.js';

/** A process for people: pid, whose, and its command line in short, secrets redacted. */
export function processText({ processes, user }: HostReport, pid: number): string {
  const known = processes.get(pid);
  const command = redactArgv(known?.argv ?? [])
    .join(' ')
    .trim();
  const whose = known === undefined || known.owner === '' || known.owner === user ? '' : ` of ${known.owner}`;
  return command === '' ? `pid ${pid}${whose}` : `pid ${pid}${whose} (${cutText(command, 90)})`;
}
