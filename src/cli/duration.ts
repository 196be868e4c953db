import { usageError } from '../errors.js';

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90`, `10s`, `1.5m`, `30m`, `2h` as ms; a bare number is seconds. Throws a usage error that names `option`. */
export function parseDuration(text: string, option: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim());
  const value = Number.parseFloat(match?.[1] ?? '');
  const unitMs = unitsMs[match?.[2] ?? 's'];
  if (!match || unitMs === undefined || !Number.isFinite(value)) {
    throw usageError(`${option} takes a duration such as 90s, 10m or 1h, not "${text}".`);
  }
  return value * unitMs;
}
