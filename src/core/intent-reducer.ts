import { textToCopy } from './copy-text.js';
import { reduceDialog } from './dialogs.js';
import type { Effect } from './effects.js';
import { type Intent, panes } from './intents.js';
import { lastLogLines } from './last-lines.js';
import { connectNow } from './link.js';
import { reduceLogView, toggleFold, toggleLogView } from './log-view.js';
import { noConnection, told } from './notice.js';
import { suspectPid } from './report-facts.js';
import type { State } from './state.js';
import { withView } from './view-change.js';
import type { ViewState } from './view-state.js';

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
      return dump(state);
    case 'copy':
      return copy(state);
    case 'connect-now':
      return connectNow(state);
    case 'py-spy': {
      const pid = suspectPid(state);
      if (state.target.readOnly) return [refused(state, 'read-only: nothing is run on the host'), none];
      if (state.link.status !== 'up') return [refused(state, noConnection), none];
      if (pid === null) return [refused(state, 'there is no running process to look at'), none];
      return [state, [{ type: 'py-spy', pid, startTicks: startOf(state, pid) }]];
    }
    case 'next-theme':
      return [nextTheme(state, intent.name), none];
    case 'leave':
      return [state, [{ type: 'leave', back: false }]];
    case 'back':
      return goBack(state);
    case 'edit-filter':
    case 'filter-text':
    case 'filter-recall':
    case 'filter-done':
    case 'filter-clear':
    case 'toggle-filter-mode':
    case 'match':
    case 'scroll':
    case 'scroll-sideways':
    case 'scroll-to':
    case 'scroll-log':
    case 'choose-line':
    case 'mark':
    case 'to-mark':
    case 'to-evidence':
      return [reduceLogView(state, intent), none];
    case 'open':
      return [open(state, intent), none];
    case 'toggle': {
      const toggled = toggleLogView(state, intent.what);
      if (toggled !== null) return [toggled, none];
      return [withMouseNotice({ ...state, view: toggle(state.view, intent.what) }, intent.what), none];
    }
    default:
      return [{ ...state, view: reduceView(state, intent) }, none];
  }
}

/** What the wheel, clicks and selecting do from now on: nobody would guess it. */
function withMouseNotice(state: State, what: Extract<Intent, { kind: 'toggle' }>['what']): State {
  if (what !== 'mouse') return state;
  const text = state.view.mouse
    ? 'mouse on: wheel and click act on the pane under them; Shift selects text'
    : 'mouse off: the terminal selects text, the wheel moves as arrow keys do';
  return told(state, text);
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
  return told(next, `theme ${name}`);
}

const none: readonly Effect[] = [];

function dump(state: State): readonly [State, readonly Effect[]] {
  const lines = lastLogLines(state, 40);
  if (lines.length === 0) return [refused(state, 'there is no line to dump: the log is empty'), none];
  return [state, [{ type: 'dump', lines }]];
}

const refused = (state: State, text: string): State => told(state, text, 'warning');

/** `q`: out of what is open; at the top it leaves. */
function goBack(state: State): readonly [State, readonly Effect[]] {
  const { view } = state;
  if (view.overlay === 'history' && view.isOpened) return [withView(state, closedOne), none];
  if (view.overlay !== null) return [withView(state, { overlay: null, ...closedOne }), none];
  if (view.zoom) return [withView(state, { zoom: false }), none];
  return [state, [{ type: 'leave', back: true }]];
}

/** The list again, at its top. */
const closedOne = { overlayTop: 0, isOpened: false };

function copy(state: State): readonly [State, readonly Effect[]] {
  const text = textToCopy(state);
  if (text === null) return [refused(state, 'there is nothing to copy here'), none];
  return [state, [{ type: 'copy', ...text }]];
}

function reduceView(state: State, intent: Intent): ViewState {
  const { view } = state;
  switch (intent.kind) {
    case 'scroll-block':
      return intent.block === 'overlay'
        ? { ...view, overlayTop: intent.top }
        : { ...view, phasesTop: intent.top };
    case 'overlay':
      return openOverlay(view, intent.overlay);
    case 'focus':
      return { ...view, focus: intent.pane };
    case 'focus-next':
      return { ...view, focus: panes[(panes.indexOf(view.focus) + 1) % panes.length] ?? 'log' };
    case 'choose':
      return { ...view, chosen: intent.id };
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

function toggle(view: ViewState, what: Extract<Intent, { kind: 'toggle' }>['what']): ViewState {
  switch (what) {
    case 'zoom':
      return { ...view, zoom: !view.zoom };
    case 'comparison':
      return { ...view, overlayTop: 0, compareWith: view.compareWith === 'good' ? 'previous' : 'good' };
    case 'mouse':
      return { ...view, mouse: !view.mouse };
    default:
      return view;
  }
}

/** Enter: into what is folded, from the general to the special. */
function open(state: State, { rows = 50, fold = null }: Extract<Intent, { kind: 'open' }>): State {
  const { view } = state;
  const isCrashed = state.verdict.outcome === 'crashed';
  if (view.overlay === 'history') return withView(state, { overlayTop: 0, isOpened: !view.isOpened });
  if (view.overlay === 'triage' || (isCrashed && view.overlay === null && !view.cardHidden)) {
    return reduceLogView(state, { kind: 'to-evidence' });
  }
  if (view.overlay !== null) return state;
  if (view.focus === 'log' && fold !== null) return toggleFold(state, fold, rows);
  return withView(state, isCrashed ? { cardHidden: false } : { zoom: !view.zoom });
}
