import type { Eta } from '../eta.js';
import { clockText } from '../words.js';

/** `≈ 6–8 min left, as in 3 earlier launches`; coarse while there is much left, for it is an estimate. */
export function etaText({ lowMs, highMs, of, reason }: Eta): string {
  const [low, high] = [roughText(lowMs), roughText(highMs)];
  return `≈ ${low === high ? high : `${low}–${high}`} left${of === 'phase' ? ' in this phase' : ''}, ${reason}`;
}

/** To 5 s below two minutes, to 15 s below ten, else to minutes. */
function roughText(ms: number): string {
  const stepMs = ms < 120_000 ? 5000 : ms < 600_000 ? 15_000 : 60_000;
  return clockText(Math.max(5000, Math.round(ms / stepMs) * stepMs));
}
