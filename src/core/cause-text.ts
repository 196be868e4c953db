import type { RootCause } from '../triage/report.js';
import { readHead } from './line-head.js';

/**
 * A root cause for people, on one line: `exception: message`; where it is no exception, its line without the time, the
 * rank and the like that loggers and collectors put in front. May hold raw log bytes.
 */
export function causeText({
  exception,
  message,
  line,
}: Pick<RootCause, 'exception' | 'message' | 'line'>): string {
  if (exception !== null && exception !== '') return message === '' ? exception : `${exception}: ${message}`;
  const text = (message === '' ? line : message).trim();
  return text.slice(readHead(text).end).trim() || text;
}
