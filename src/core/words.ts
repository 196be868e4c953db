/** `0:42`, `12:07`, `1:02:03`. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** `8 s`, `2 min`, `1.5 h`, `3 days`: how long, in words for a sentence. */
export function durationText(ms: number): string {
  if (ms < 90_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 5_400_000) return `${Math.round(ms / 60_000)} min`;
  const hours = ms / 3_600_000;
  return hours < 48 ? `${hours.toFixed(1)} h` : `${Math.round(hours / 24)} days`;
}

/** `1.2 GB/s`, `340 MB/s`: decimal, as disks are sold. */
export function rateText(bytesPerSecond: number): string {
  if (bytesPerSecond >= 1e9) return `${(bytesPerSecond / 1e9).toFixed(1)} GB/s`;
  return `${Math.round(bytesPerSecond / 1e6)} MB/s`;
}

/** Of several lines the first, and how many follow: `make clean (and 3 more lines)`. */
export function firstLineOf(text: string): string {
  const [first = '', ...more] = text.trimEnd().split('\n');
  if (more.length === 0) return text;
  return `${first} (and ${more.length} more ${more.length === 1 ? 'line' : 'lines'})`;
}

/** Several lines as one, with `↵` where one ended; what follows the last is none. */
export const oneLine = (text: string): string => text.trimEnd().replaceAll('\n', '↵');

/** `187 MB`, `3 kB`: decimal. */
export function sizeText(bytes: number): string {
  return bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.round(bytes / 1e3)} kB`;
}

/** At most `most` characters of a text; `…` is the last of them where more followed. */
export const cutText = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
