/** Bytes that a `+` on the stdin of `follow.sh` asks for. */
export const pullUnit = 16 * 1024;

/** How much is asked for ahead of what has come, at least and at most (bytes). */
const leastWindow = pullUnit;
const mostWindow = 2 * 1024 * 1024;

/** A request is for no more than this (bytes), so that the next one is on its way while it is answered. */
const mostAtOnce = 512 * 1024;

/** What may stand on the link before an answer of others (ms): below the first more is asked for, above the second less. */
const growBelowMs = 50;
const shrinkAboveMs = 150;

/** After so long (ms) the link is measured anew: it may be another one by now. */
const measureAgainMs = 30_000;

/** How much of a log is asked for ahead; see `createPull`. */
export interface Pull {
  /** Bytes that may come before the first `took`. */
  readonly firstBytes: number;
  /**
   * So many bytes have come by `now` (ms); `isBehind`: the host has more of them at once. Returns how many
   * `pullUnit`s to ask for, mostly 0.
   */
  took(bytes: number, isBehind: boolean, now: number): number;
}

/**
 * Asks for a log in pieces: as much ahead as fills the link, and no more, for whatever else the link carries waits
 * behind it. A request that is answered later than the fastest one shows a queue; the window of bytes ahead is doubled
 * while there is none and halved where it grows (as LEDBAT, RFC 6817, keeps out of the way of others).
 */
export function createPull(): Pull {
  let window = leastWindow;
  let asked = window;
  let taken = 0;
  /** Requests that are not answered yet: the first byte that each is for. */
  let open: { readonly at: number; readonly first: number }[] = [];
  let fastestMs = Number.POSITIVE_INFINITY;
  /** What was asked for before shows nothing of the last change. */
  let settledAt = Number.NEGATIVE_INFINITY;
  let measuredSince: number | null = null;

  const answered = (at: number, now: number): void => {
    const tookMs = now - at;
    fastestMs = Math.min(fastestMs, tookMs);
    if (at < settledAt) return;
    const queueMs = tookMs - fastestMs;
    if (queueMs >= growBelowMs && queueMs <= shrinkAboveMs) return;
    const next = queueMs < growBelowMs ? window * 2 : window / 2;
    window = Math.min(mostWindow, Math.max(leastWindow, next));
    settledAt = now + tookMs;
  };
  const measureAgain = (now: number): void => {
    measuredSince ??= now;
    if (now - measuredSince < measureAgainMs) return;
    measuredSince = now;
    window = leastWindow;
    fastestMs = Number.POSITIVE_INFINITY;
    open = [];
  };

  return {
    firstBytes: window,
    took(bytes, isBehind, now) {
      taken += bytes;
      measureAgain(now);
      // What comes while the host has nothing more in store comes when it is written.
      if (!isBehind) open = [];
      for (let next = open[0]; next && taken >= next.first; next = open[0]) {
        open.shift();
        answered(next.at, now);
      }
      const room = window - (asked - taken);
      if (room < Math.max(pullUnit, Math.min(mostAtOnce, window / 4))) return 0;
      const units = Math.floor(room / pullUnit);
      if (isBehind) open.push({ at: now, first: asked + 1 });
      asked += units * pullUnit;
      return units;
    },
  };
}
