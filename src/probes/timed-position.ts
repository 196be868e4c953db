import type { TimedLine } from './timed-lines.js';

/** How far back (µs) what comes is compared: two outputs of one container may be written out of order. */
const overlapUs = 1_000_000;

/** Most lines that are kept for that. */
const mostKept = 20_000;

/** Where we stand in a log whose lines have times instead of offsets. */
export interface TimedPosition {
  /** From when on the next reading must begin (ISO); null: nothing was read yet. */
  since(): string | null;
  /** A new reading begins at `since()`: what is known comes again. */
  resume(): void;
  /** `known`: it was read before. `gap`: nothing of what was read came again, so lines before it may be lost. */
  take(line: TimedLine): 'new' | 'known' | 'gap';
}

/**
 * Each line is known by its time (ns) and its bytes, and counted: equal ones come as often as they were written.
 */
export function createTimedPosition(): TimedPosition {
  let kept: { readonly us: number; readonly key: string }[] = [];
  let lastUs = 0;
  /** While what is known comes again: how often each line still may. */
  let awaited: {
    readonly counts: Map<string, number>;
    readonly fromUs: number;
    readonly toUs: number;
  } | null = null;
  let isProved = true;

  const keep = (us: number, key: string): void => {
    lastUs = Math.max(lastUs, us);
    kept.push({ us, key });
    // Now and then, so that a line costs little.
    if (
      kept.length >= 2 * mostKept ||
      (kept.length % 1024 === 0 && (kept[0]?.us ?? 0) < lastUs - overlapUs)
    ) {
      kept = kept.slice(-mostKept).filter((one) => one.us >= lastUs - overlapUs);
    }
  };
  const firstUs = (): number => kept.reduce((first, { us }) => Math.min(first, us), lastUs);

  return {
    since() {
      // Whole milliseconds, rounded down: what comes from before the kept lines is known by its time.
      return kept.length === 0 ? null : new Date(Math.floor(firstUs() / 1000)).toISOString();
    },
    resume() {
      isProved = kept.length === 0;
      awaited = null;
      if (isProved) return;
      const counts = new Map<string, number>();
      for (const { key } of kept) counts.set(key, (counts.get(key) ?? 0) + 1);
      awaited = { counts, fromUs: firstUs(), toUs: lastUs + overlapUs };
    },
    take(line) {
      const key = keyOf(line);
      if (awaited !== null) {
        if (line.us < awaited.fromUs) return 'known';
        const left = awaited.counts.get(key) ?? 0;
        if (left > 0) {
          awaited.counts.set(key, left - 1);
          isProved = true;
          return 'known';
        }
      }
      const isGap = !isProved;
      isProved = true;
      // Beyond the last one nothing known can come any more.
      if (awaited !== null && line.us > awaited.toUs) awaited = null;
      keep(line.us, key);
      return isGap ? 'gap' : 'new';
    },
  };
}

const keyOf = ({ stamp, bytes }: TimedLine): string =>
  `${stamp} ${bytes.length} ${bytes.toString('latin1', 0, 200)}`;
