import { usageError } from '../errors.js';

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** How a duration is written, for "--timeout takes …". */
export const durationForm = 'a duration such as 90s, 10m or 1h';

/** `90`, `10s`, `1.5m`, `30m`, `2h` as ms; a bare number is seconds. Null for anything else. */
export function durationMs(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim());
  const value = Number.parseFloat(match?.[1] ?? '');
  const unitMs = unitsMs[match?.[2] ?? 's'];
  return unitMs === undefined || !Number.isFinite(value * unitMs) ? null : value * unitMs;
}

/** The same; throws a usage error that names `option`. */
export function parseDuration(text: string, option: string): number {
  const ms = durationMs(text);
  if (ms === null) throw usageError(`${option} takes ${durationForm}, not "${text}".`);
  return ms;
}
