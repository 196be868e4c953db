import { redactArgv } from '../ingest/redact.js';
import type { HostReport } from './host-report.js';

/** A process for people: pid, whose, and its command line in short, secrets redacted. */
export function processText({ processes, user }: HostReport, pid: number): string {
  const known = processes.get(pid);
  const command = redactArgv(known?.argv ?? [])
    .join(' ')
    .trim();
  const whose = known === undefined || known.owner === '' || known.owner === user ? '' : ` of ${known.owner}`;
  return command === '' ? `pid ${pid}${whose}` : `pid ${pid}${whose} (${short(command)})`;
}

const short = (text: string): string => (text.length > 90 ? `${text.slice(0, 89)}…` : text);
