/**
 * A log's time stamp as ms, read as UTC; only differences mean something. Takes `2026-02-22 23:29:22[.123]`, ISO 8601,
 * vLLM's `02-22 23:29:22` (no year: 2000) and `23:29:22` (no day). Null where `stamp` is none of them.
 */
export function stampMs(stamp: string | null): number | null {
  if (stamp === null) return null;
  const match = /(?:(?:(\d{4})-)?(\d\d)-(\d\d)[T ])?(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,3}))?/.exec(stamp);
  if (match === null) return null;
  const [, year = '2000', month = '01', day = '01', hours, minutes, seconds, fraction = ''] = match;
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds),
    Number(fraction.padEnd(3, '0')),
  );
}

/** Whether the dotted version `left` is `right` or later; parts that are no numbers end the comparison. */
export function isAtLeast(left: string, right: string): boolean {
  const a = parts(left);
  const b = parts(right);
  for (let i = 0; i < b.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function parts(version: string): number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
}
