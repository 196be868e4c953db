import { earlierRuns, earlierSeconds } from '../earlier-times.js';
import { launchEta } from '../eta.js';
import { phaseSeconds } from '../phase-times.js';
import type { State } from '../state.js';
import type { TriageCard } from '../view-models/triage-card.js';
import { clockText, durationText } from '../words.js';
import { selectActivity } from './activity.js';
import { etaText } from './eta-text.js';

type Fact = TriageCard['known'][number];

/** What is known so far of a launch that is under way, besides its phase and process: its pace, and what moves. */
export function loadingFacts(state: State): readonly Fact[] {
  const { phases, quietLimitMs } = state.reading.findings();
  const active = phases.findLast(({ status }) => status === 'active') ?? null;
  const seconds = active === null ? null : phaseSeconds(active, state);
  const before = active === null ? null : earlierSeconds(earlierRuns(state), active);
  const eta = launchEta(state);
  const moves = selectActivity(state);
  const { lastAt } = state.log;
  const quietMs = lastAt === null ? null : Math.max(0, state.now - lastAt);
  const limit = durationText(quietLimitMs / state.target.timeScale);
  return [
    ...(seconds === null ? [] : [{ label: 'so far', text: soFarText(seconds, before) }]),
    {
      label: 'left',
      text:
        eta === null
          ? 'not known: no earlier launch tells it, nor a progress bar in this phase'
          : etaText(eta),
    },
    ...(moves === '' ? [] : [{ label: 'moves', text: moves }]),
    {
      label: 'log',
      text: `${quietMs === null ? 'nothing new yet' : `quiet for ${durationText(quietMs)}`}; up to ${limit} is normal in this phase`,
    },
  ];
}

const soFarText = (seconds: number, before: number | null): string =>
  `${clockText(1000 * seconds)} in this phase${before === null ? '' : `, which took ${clockText(1000 * before)} last time`}`;
