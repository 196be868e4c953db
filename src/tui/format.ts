/** `7s`, `2:14`, `1:02:03`, from a hundred hours on `4d 6h`; milliseconds in. */
export function clock(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor(total / 60) % 60;
  const seconds = String(total % 60).padStart(2, '0');
  if (hours >= 100) return `${Math.floor(hours / 24)}d ${hours % 24}h`;
  if (hours > 0) return `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`;
  return minutes > 0 ? `${minutes}:${seconds}` : `${total}s`;
}

/**
 * `0.8s` under ten seconds, `13h 10m` from ten hours on, `387d` from a hundred days on, else as `clock`: up to seven
 * characters; seconds in.
 */
export function shortTime(seconds: number): string {
  if (seconds < 9.95) return `${Math.max(0, seconds).toFixed(1)}s`;
  const hours = Math.floor(seconds / 3600);
  if (hours >= 2400) return `${Math.floor(hours / 24)}d`;
  if (hours < 10 || hours >= 100) return clock(seconds * 1000);
  return `${hours}h ${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}m`;
}

/** `1,234,567`. */
export function grouped(count: number): string {
  return String(Math.trunc(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `97%`; a share from 0 to 1 in. */
export function percent(share: number): string {
  return `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%`;
}

/** MiB as GiB: `141`, `9.5`. */
export function gibibytes(mebibytes: number): string {
  const value = mebibytes / 1024;
  return value < 9.95 ? value.toFixed(1) : String(Math.round(value));
}
