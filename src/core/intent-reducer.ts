import { reduceDialog } from './dialogs.js';
import type { Effect } from './effects.js';
import { compileFilter, findMatch, stepOver } from './filter.js';
import type { Intent } from './intents.js';
import { panes } from './intents.js';
import { lastLogLines } from './last-lines.js';
import { connectNow } from './link.js';
import { suspectPid } from './report-facts.js';
import type { State, ViewState } from './state.js';

/** Folds what a key asked for. Whatever acts on the host goes through a dialog first and leaves as an effect. */
export function reduceIntent(state: State, intent: Intent): readonly [State, readonly Effect[]] {
  switch (intent.kind) {
    case 'ask-kill':
    case 'ask-relaunch':
    case 'confirm':
    case 'cancel':
    case 'apply-remedy':
    case 'edit':
    case 'edit-in-place':
    case 'next-signal':
    case 'toggle-near':
    case 'edit-text':
    case 'edit-done':
      return reduceDialog(state, intent);
    case 'dump':
      return [state, [{ type: 'dump', lines: lastLogLines(state, 40) }]];
    case 'copy':
      return [state, [{ type: 'copy', text: copyText(state) }]];
    case 'connect-now':
      return connectNow(state);
    case 'py-spy': {
      const pid = suspectPid(state);
      if (state.target.readOnly) return [refused(state, 'read-only: nothing is run on the host'), none];
      if (pid === null) return [refused(state, 'there is no running process to look at'), none];
      return [state, [{ type: 'py-spy', pid, startTicks: startOf(state, pid) }]];
    }
    case 'next-theme':
      return [nextTheme(state, intent.name), none];
    case 'leave':
      return [state, [{ type: 'leave' }]];
    case 'back':
      return goBack(state);
    default:
      return [{ ...state, view: reduceView(state, intent) }, none];
  }
}

/** The start of a member of the tree, so that its number is not taken for another's; empty where it is not known. */
function startOf({ process: { fact } }: State, pid: number): string {
  if (fact?.status !== 'alive') return '';
  return pid === fact.pid
    ? fact.startTicks
    : (fact.tree.find((member) => member.pid === pid)?.startTicks ?? '');
}

function nextTheme(state: State, name: string | undefined): State {
  const next = withView(state, { theme: state.view.theme + 1 });
  if (name === undefined) return next;
  return { ...next, notice: { at: state.now, level: 'info', text: `theme ${name}` } };
}

const none: readonly Effect[] = [];

const refused = (state: State, text: string): State => ({
  ...state,
  notice: { at: state.now, level: 'warning', text },
});

/** `q`: out of what is open; at the top it leaves. */
function goBack(state: State): readonly [State, readonly Effect[]] {
  const { view } = state;
  if (view.overlay === 'history' && view.isOpened) return [withView(state, closedOne), none];
  if (view.overlay !== null) return [withView(state, { overlay: null, ...closedOne }), none];
  if (view.zoom) return [withView(state, { zoom: false }), none];
  return [state, [{ type: 'leave' }]];
}

/** The list again, at its top. */
const closedOne = { overlayTop: 0, isOpened: false };

const withView = (state: State, change: Partial<ViewState>): State => ({
  ...state,
  view: { ...state.view, ...change },
});

function copyText(state: State): string {
  const { rootCause } = state.reading.findings().death ? state.reading.report() : { rootCause: null };
  return rootCause ? `${rootCause.line}\n` : `${lastLogLines(state, 40).join('\n')}\n`;
}

function reduceView(state: State, intent: Intent): ViewState {
  const { view } = state;
  switch (intent.kind) {
    case 'edit-filter':
      return {
        ...view,
        focus: 'log',
        overlay: null,
        ...withoutCard(state),
        filter: { ...view.filter, editing: true },
      };
    case 'filter-text':
      return { ...view, filter: { ...view.filter, text: intent.text, ...compileFilter(intent.text) } };
    case 'filter-done':
      return { ...view, filter: { ...view.filter, editing: false } };
    case 'filter-clear':
      return clearFilter(state);
    case 'toggle-filter-mode':
      return {
        ...view,
        filter: { ...view.filter, mode: view.filter.mode === 'filter' ? 'highlight' : 'filter' },
      };
    case 'match':
      return { ...view, anchor: findMatch(state, bottom(state), intent.direction) ?? view.anchor };
    case 'toggle':
      return toggle(state, intent.what);
    case 'scroll':
      return scroll(state, intent.lines);
    case 'scroll-block':
      return intent.block === 'overlay'
        ? { ...view, overlayTop: intent.top }
        : { ...view, phasesTop: intent.top };
    case 'scroll-sideways':
      return { ...view, column: Math.max(0, view.column + intent.columns) };
    case 'scroll-to':
      return scrollTo(state, intent.end);
    case 'overlay':
      return openOverlay(view, intent.overlay);
    case 'focus':
      return { ...view, focus: intent.pane };
    case 'focus-next':
      return { ...view, focus: panes[(panes.indexOf(view.focus) + 1) % panes.length] ?? 'log' };
    case 'choose':
      return { ...view, chosen: intent.id };
    case 'open':
      if (view.overlay === 'history') return { ...view, overlayTop: 0, isOpened: !view.isOpened };
      return state.verdict.outcome === 'crashed' && view.cardHidden && view.overlay === null
        ? { ...view, cardHidden: false }
        : { ...view, zoom: !view.zoom };
    default:
      return view;
  }
}

/** The key of an overlay closes it too. `t` shows all of the card; behind it the standing one is back again. */
function openOverlay(view: ViewState, overlay: NonNullable<ViewState['overlay']>): ViewState {
  if (view.overlay === overlay) return { ...view, overlay: null, ...closedOne };
  const cardHidden = overlay === 'triage' ? false : view.cardHidden;
  return { ...view, overlay, ...closedOne, chosen: null, cardHidden };
}

/** Whoever looks for something in the log wants to see it. A crash that is still to come has its card all the same. */
const withoutCard = ({ verdict, view }: State): Pick<ViewState, 'cardHidden'> => ({
  cardHidden: view.cardHidden || verdict.outcome === 'crashed',
});

/** Esc: the filter first; where there is none, the card that stands over the log. */
function clearFilter(state: State): ViewState {
  const { view } = state;
  const { text, editing, mode } = view.filter;
  return {
    ...view,
    ...(text === '' && !editing ? withoutCard(state) : {}),
    filter: { text: '', editing: false, mode, pattern: null, error: null },
  };
}

function toggle(state: State, what: Extract<Intent, { kind: 'toggle' }>['what']): ViewState {
  const { view } = state;
  switch (what) {
    case 'errors-only':
      return { ...view, ...withoutCard(state), errorsOnly: !view.errorsOnly };
    case 'milestones-only':
      return { ...view, ...withoutCard(state), milestonesOnly: !view.milestonesOnly };
    case 'follow':
      return { ...view, anchor: view.anchor === null ? bottom(state) : null };
    case 'wrap':
      return { ...view, wrap: !view.wrap, column: 0 };
    case 'zoom':
      return { ...view, zoom: !view.zoom };
    case 'comparison':
      return { ...view, overlayTop: 0, compareWith: view.compareWith === 'good' ? 'previous' : 'good' };
    case 'mouse':
      return { ...view, mouse: !view.mouse };
  }
}

/** Sequence number of the lowest line shown. */
const bottom = (state: State): number => state.view.anchor ?? state.log.ring.end - 1;

function scroll(state: State, lines: number): ViewState {
  const { view } = state;
  if (state.log.ring.end === 0) return view;
  const from = Math.max(bottom(state), state.log.ring.start);
  const reached = stepOver(state, from, -lines);
  // At the newest line again: follow it, as `less +F` does.
  const isLowest = lines > 0 && stepOver(state, reached, -1) === reached;
  return { ...view, anchor: isLowest ? null : reached };
}

function scrollTo({ view, log }: State, end: 'top' | 'bottom'): ViewState {
  return { ...view, anchor: end === 'bottom' || log.ring.end === 0 ? null : log.ring.start };
}
