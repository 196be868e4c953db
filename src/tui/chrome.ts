import type { ScreenModel } from '../core/view-models/screen.js';

/** What Ink draws: the model without the log's lines, with times as coarse as they are shown. */
export interface Chrome extends Omit<ScreenModel, 'log'> {
  readonly filter: ScreenModel['log']['filter'];
  readonly slow: ScreenModel['log']['slow'];
  readonly isOld: boolean;
}

/**
 * The part of `model` that the frame is drawn from. Whatever is the same as in `previous` is the same object,
 * so that nothing is drawn again when nothing shown has changed: new log lines alone give `previous` itself.
 */
export function chromeOf(model: ScreenModel, previous: Chrome | null): Chrome {
  const { log, status, phases, ...rest } = model;
  const next: Chrome = {
    ...rest,
    status: {
      ...status,
      elapsedMs: status.elapsedMs === null ? null : wholeSeconds(status.elapsedMs),
      quietMs: status.quietMs === null ? null : wholeSeconds(status.quietMs),
    },
    phases: phases.map((phase) =>
      phase.status === 'active' && phase.seconds !== null
        ? { ...phase, seconds: Math.floor(phase.seconds) }
        : phase,
    ),
    filter: log.filter,
    slow: log.slow,
    isOld: log.isOld,
  };
  return keepEqual(previous, next);
}

const wholeSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** `next`, with every part that equals its counterpart in `previous` replaced by that. Plain data only. */
export function keepEqual<T>(previous: unknown, next: T): T {
  if (Object.is(previous, next)) return next;
  if (typeof next !== 'object' || next === null || typeof previous !== 'object' || previous === null)
    return next;
  if (next instanceof RegExp) return String(previous) === String(next) ? (previous as T) : next;
  if (Array.isArray(next) !== Array.isArray(previous)) return next;
  const old = previous as Record<string, unknown>;
  const keys = Object.keys(next);
  const merged: Record<string, unknown> = {};
  let same = keys.length === Object.keys(old).length;
  for (const key of keys) {
    const value = keepEqual(old[key], (next as Record<string, unknown>)[key]);
    merged[key] = value;
    if (value !== old[key] || !(key in old)) same = false;
  }
  if (same) return previous as T;
  return (Array.isArray(next) ? Object.values(merged) : merged) as T;
}
