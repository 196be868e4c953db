import { earlierRuns, earlierSeconds } from '../earlier-times.js';
import { launchEta } from '../eta.js';
import { noticeNow } from '../notice.js';
import { launchTookMs, phaseSeconds } from '../phase-times.js';
import { isEndedByUs } from '../process.js';
import { runPhases } from '../run-phases.js';
import { laggingRanks } from '../stall.js';
import type { State } from '../state.js';
import { actionUnderWay, standingVerdict } from '../under-way.js';
import type { OverlayModel } from '../view-models/overlay.js';
import type { PhaseRow, ScreenModel, StatusModel } from '../view-models/screen.js';
import { selectActivity } from './activity.js';
import { selectDialog } from './dialog.js';
import { etaText } from './eta-text.js';
import { selectGpus } from './gpus.js';
import { selectHeader } from './header.js';
import { selectArguments, selectHistory } from './history.js';
import { selectLog } from './log.js';
import { readySummary } from './ready-facts.js';
import { selectCard } from './triage.js';

/** State → what the screen shows of it. No colours, no widths; called once a frame, so it looks only at what is shown. */
export function selectScreen(state: State): ScreenModel {
  return {
    header: selectHeader(state),
    phases: selectPhases(state),
    gpus: selectGpus(state),
    log: selectLog(state),
    status: selectStatus(state),
    focus: state.view.focus,
    zoom: state.view.zoom,
    overlay: selectOverlay(state),
    card: hasCard(state) ? selectCard(state) : null,
    dialog: selectDialog(state),
    notice: state.dialog ? null : noticeNow(state),
    theme: state.view.theme,
    mouse: state.view.mouse,
    phasesTop: state.view.phasesTop,
  };
}

/** Whether the card stands in the lower pane. */
export const hasCard = ({ verdict, view }: State): boolean =>
  verdict.outcome === 'crashed' && !view.cardHidden && !view.filter.editing;

export function selectPhases(state: State): readonly PhaseRow[] {
  const phases = runPhases(state);
  const end = endOf(state);
  const earlier = earlierRuns(state);
  const behind = end === null ? slowestRanks(state) : null;
  return phases.map((phase) => ({
    id: phase.id,
    title: phase.title,
    model: phase.model,
    status: end !== null && phase.status === 'active' ? end : phase.status,
    seconds: phaseSeconds(phase, state),
    earlierSeconds: earlierSeconds(earlier, phase),
    progress: phase.progress,
    detail: phase.detail,
    behind: phase.status === 'active' ? behind : null,
  }));
}

/** What became of the phase that was under way when it ended; null while it goes on. */
function endOf(state: State): 'failed' | 'stopped' | null {
  const { outcome } = standingVerdict(state);
  if (outcome === 'crashed') return 'failed';
  return outcome === 'stopped' || isEndedByUs(state) ? 'stopped' : null;
}

/** Some engines let one rank alone print a line: where most are behind, that says nothing. */
function slowestRanks(state: State): string | null {
  const names = laggingRanks(state);
  return names.length === 0 || names.length * 2 > state.reading.findings().ranks.length
    ? null
    : names.join(', ');
}

export function selectStatus(state: State): StatusModel {
  const { verdict, log, now } = state;
  const ours = actionUnderWay(state);
  const eta = ours ? null : launchEta(state);
  const elapsedMs = launchTookMs(state);
  return {
    outcome: verdict.outcome,
    word: statusWord(state),
    provisional: verdict.provisional,
    // Who says so, the witnesses do: here it is worth more where it is.
    summary: !ours && verdict.outcome === 'ready' ? readySummary(state) : verdict.summary,
    evidence: verdict.evidence,
    elapsedMs,
    beat: Math.floor((ours ? now - ours.startedAt : (elapsedMs ?? 0)) / 1000),
    eta: eta ? etaText(eta) : null,
    etaMs: eta,
    // While we end a server, or start it anew, how far it had come is no progress.
    progress: ours ? null : launchProgress(state),
    activity: ours ? '' : selectActivity(state),
    quietMs: ours || log.lastAt === null ? null : Math.max(0, now - log.lastAt),
  };
}

/** While a kill or relaunch is under way, that is what is going on. */
function statusWord(state: State): string {
  const ours = actionUnderWay(state);
  if (!ours) return state.verdict.outcome.toUpperCase();
  return ours.kind === 'kill' ? 'STOPPING' : 'RELAUNCHING';
}

/** Share of the phases that are done, the active ones by their own progress; null before any is known. */
function launchProgress(state: State): number | null {
  if (state.verdict.outcome === 'ready') return 1;
  const phases = state.reading.findings().phases.filter(({ status }) => status !== 'skipped');
  if (phases.every(({ status }) => status === 'pending')) return null;
  const done = phases.reduce((sum, phase) => {
    if (phase.status === 'done') return sum + 1;
    return phase.status === 'active' ? sum + (phase.progress ?? 0) : sum;
  }, 0);
  return phases.length === 0 ? null : done / phases.length;
}

function selectOverlay(state: State): OverlayModel | null {
  const { overlay, overlayTop: top } = state.view;
  switch (overlay) {
    case null:
      return null;
    case 'help':
      return { kind: 'help', top };
    case 'triage':
      return { kind: 'triage', top, card: selectCard(state) };
    case 'history':
      return selectHistory(state);
    case 'arguments':
      return selectArguments(state);
  }
}
