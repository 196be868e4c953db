import type { State } from '../state.js';

/** How old everything on screen is while the connection is away (ms); null while it stands, or before anything came. */
export function dataAgeMs({ link, activity, gpus, log, now }: State): number | null {
  if (link.status === 'up' || link.status === 'connecting') return null;
  const last = Math.max(activity.at ?? 0, gpus?.goodAt ?? 0, log.lastAt ?? 0);
  return last === 0 ? null : Math.max(0, now - last);
}
