import type { Trace } from './trace.js';

/** A stretch of time in which nothing could be heard (seconds of the trace). */
export interface Outage {
  readonly from: number;
  readonly until: number;
}

/** After the link is up again, or we are awake, the witnesses need a moment (seconds). */
const lookAgainSeconds = 75;

/** When nothing could be heard (seconds): while the link was down, while firedup slept, and a moment longer. */
export function outagesOf({ entries }: Trace, endsAt: number): readonly Outage[] {
  const outages: Outage[] = [];
  let downAt: number | null = null;
  for (const entry of entries) {
    if (entry.type === 'pause') outages.push({ from: entry.t, until: entry.until + lookAgainSeconds });
    if (entry.type !== 'link') continue;
    if (entry.link.status !== 'up') downAt ??= entry.t;
    else if (downAt !== null) {
      outages.push({ from: downAt, until: entry.t + lookAgainSeconds });
      downAt = null;
    }
  }
  if (downAt !== null) outages.push({ from: downAt, until: endsAt });
  return outages;
}

/** Whether what is said from `from` until `until` was all said while nothing could be heard. */
export function isExcused(from: number, until: number, outages: readonly Outage[]): boolean {
  return outages.some((each) => each.from <= from && until <= each.until);
}
