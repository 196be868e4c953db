import type { Evidence, State } from './state.js';
import { durationText } from './words.js';

/** Telemetry older than this proves nothing about the present (ms). */
const staleTelemetryMs = 10_000;

/** How long nothing may have moved, besides the quiet log, before it is called a stall (ms). */
const stillMs = 60_000;

export type Quiet =
  /** Something happened within this phase's own normal. */
  | { readonly kind: 'normal' }
  /** Quiet for longer than normal, but something moves, or nothing can be seen of it. */
  | { readonly kind: 'slow'; readonly text: string }
  | { readonly kind: 'stalled'; readonly evidence: readonly Evidence[] };

/**
 * Tells a slow launch from a hung one (contract, rule 5): the log is quiet for longer than this phase's normal
 * **and** nothing else moves, or the engine itself says that it hangs. Without fresh telemetry it is never a stall.
 */
export function judgeQuiet(state: State): Quiet {
  const findings = state.reading.findings();
  const { timeScale } = state.target;
  const quietMs = state.now - lastSign(state);
  const limitMs = findings.quietLimitMs / timeScale;
  const stillForMs = state.now - Math.max(state.activity.movedAt ?? 0, state.listeningSince);
  const isSilent = quietMs > limitMs;
  if (findings.hang && quietMs > Math.min(limitMs, stillMs / timeScale)) {
    return { kind: 'stalled', evidence: [quoteHang(findings.hang), ...lagging(state)] };
  }
  if (!isSilent) return { kind: 'normal' };
  const quietFor = `log quiet for ${durationText(quietMs)}, normal in this phase is up to ${durationText(limitMs)}`;
  const { at } = state.activity;
  if (at === null || state.now - at > staleTelemetryMs) {
    return { kind: 'slow', text: `${quietFor}; nothing is known of disk, GPU and CPU` };
  }
  if (stillForMs < stillMs / timeScale) return { kind: 'slow', text: `${quietFor}, but something moves` };
  return {
    kind: 'stalled',
    evidence: [
      { witness: 'quiet', text: quietFor, lineNumber: null },
      { witness: 'process', text: stillness(state, stillForMs), lineNumber: null },
      ...lagging(state),
    ],
  };
}

/** Last time that the launch itself gave a sign (a log byte, a new process), or that we began to listen for one. */
function lastSign(state: State): number {
  return Math.max(state.log.lastAt ?? 0, state.process.aliveSince ?? 0, state.listeningSince);
}

function quoteHang(hang: { readonly line: string; readonly lineNumber: number }): Evidence {
  return { witness: 'log', text: hang.line, lineNumber: hang.lineNumber };
}

function stillness(state: State, stillForMs: number): string {
  const { cores } = state.activity;
  return `nothing moved for ${durationText(stillForMs)}: no disk reads, no memory growth, CPU ${cores.toFixed(1)} cores`;
}

/** The ranks that have not printed what the others have. */
function lagging(state: State): readonly Evidence[] {
  const { ranks } = state.reading.findings();
  const furthest = Math.max(0, ...ranks.map((rank) => rank.step));
  const behind = ranks.filter((rank) => rank.step < furthest).map((rank) => rank.rank);
  if (behind.length === 0 || behind.length === ranks.length) return [];
  return [{ witness: 'log', text: `behind the others: ${behind.join(', ')}`, lineNumber: null }];
}
