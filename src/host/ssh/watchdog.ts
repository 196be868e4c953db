/** How a server is made to say something, and how long it may be silent. */
export interface AliveLimits {
  readonly intervalSeconds: number;
  /** For ssh itself, which gives up after one interval more. */
  readonly countMax: number;
  readonly silentMs: number;
}

/**
 * `ServerAliveInterval` and `ServerAliveCountMax` of ssh_config make the limits tighter, never wider: they are mostly set
 * to keep a NAT open, and a dead link must show within 10 s. Interval 0 (ssh's default) means ours.
 */
export function aliveLimits(intervalSeconds: number, countMax: number): AliveLimits {
  const own = intervalSeconds > 0 ? intervalSeconds : Number.POSITIVE_INFINITY;
  const interval = Math.min(2, own);
  const wanted = Number.isFinite(own) ? own * Math.max(1, countMax) * 1000 : Number.POSITIVE_INFINITY;
  const silentMs = Math.min(watchdogLimits.silentMs, Math.max(leastSilentMs, wanted));
  return {
    intervalSeconds: interval,
    silentMs,
    countMax: Math.max(1, Math.ceil(silentMs / 1000 / interval) - 1),
  };
}

// Below it a busy server or a short stall of the network would be called dead.
const leastSilentMs = 3000;

/** When a link that says nothing is given up. */
export interface WatchdogLimits {
  readonly silentMs: number;
  /** A look that comes so much too late says that we slept, not that the link is dead. */
  readonly sleptMs: number;
}

export const watchdogLimits: WatchdogLimits = { silentMs: 8000, sleptMs: 2000 };

/** One look at the link. `monoMs` is a steady clock, `wallMs` the calendar's: only the latter sees a suspended machine. */
export interface LinkLook {
  readonly monoMs: number;
  readonly wallMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** State between looks; null before the first. */
export interface LinkWatch {
  readonly last: LinkLook;
  /** When bytes last came in, and how much we had sent by then. */
  readonly heardMs: number;
  readonly sentThen: number;
}

/**
 * Pure: folds one look into the watch. `dead` when nothing was received for `silentMs`, stretched by what a slow
 * uplink needs to carry our own unanswered bytes. Not on ssh2's keepalive count: that is reset by replies only
 * and kills a link that is busy with one download.
 */
export function lookAtLink(
  watch: LinkWatch | null,
  look: LinkLook,
  periodMs: number,
  limits: WatchdogLimits = watchdogLimits,
): { readonly watch: LinkWatch; readonly dead: boolean } {
  const heard = { last: look, heardMs: look.monoMs, sentThen: look.bytesOut };
  if (watch === null || look.bytesIn !== watch.last.bytesIn) return { watch: heard, dead: false };
  const late = Math.max(look.monoMs - watch.last.monoMs, look.wallMs - watch.last.wallMs) - periodMs;
  if (late > limits.sleptMs) return { watch: heard, dead: false };
  const unansweredBytes = look.bytesOut - watch.sentThen;
  const upload = Math.min(maxUploadMs, (unansweredBytes / slowestUplinkBytesPerSecond) * 1000);
  return {
    watch: { ...watch, last: look },
    dead: look.monoMs - watch.heardMs >= limits.silentMs + upload,
  };
}

/** Looks at a link until it is stopped or dead. Returns what stops it. */
export function watchLink(
  bytes: () => { readonly bytesIn: number; readonly bytesOut: number },
  onDead: (silentMs: number) => void,
  limits: WatchdogLimits = watchdogLimits,
): () => void {
  let watch: LinkWatch | null = null;
  const timer = setInterval(() => {
    const { bytesIn, bytesOut } = bytes();
    const look = { monoMs: performance.now(), wallMs: Date.now(), bytesIn, bytesOut };
    const next = lookAtLink(watch, look, periodMs, limits);
    watch = next.watch;
    if (!next.dead) return;
    clearInterval(timer);
    onDead(look.monoMs - watch.heardMs);
  }, periodMs);
  return () => clearInterval(timer);
}

const periodMs = 250;
const slowestUplinkBytesPerSecond = 16 * 1024;
// Our pings alone must not stretch the limit noticeably: 20 s are for real uploads.
const maxUploadMs = 20_000;
