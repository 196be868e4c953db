import { type Intent, panes } from '../core/intents.js';

/**
 * Where keys mean something of their own. In `filter`, `edit` and `answer` letters are text; in `login` they are
 * nothing, since whoever types an answer may not have seen that nobody asks any more.
 */
export type KeyContext =
  | 'main'
  | 'overlay'
  | 'filter'
  | 'kill'
  | 'relaunch'
  /** A launch under way waits for a word on what is in its way. */
  | 'asked'
  | 'edit'
  | 'running'
  | 'answer'
  | 'login';

/** What the screen does itself, without asking the fold. */
export type LocalAction =
  | { readonly kind: 'suspend' }
  | { readonly kind: 'redraw' }
  /** Hands the typed line to whoever asked; it is a secret, and no intent. */
  | { readonly kind: 'answer' };

export type KeyAction = Intent | LocalAction;

export interface PageSize {
  /** Rows of the pane or overlay that is scrolled. */
  readonly rows: number;
  readonly columns: number;
}

export interface KeyRow {
  /** As `Press` names them; all do the same. */
  readonly keys: readonly string[];
  readonly contexts: readonly KeyContext[];
  readonly act: (page: PageSize, key: string) => KeyAction;
  /** For `?` and the docs. */
  readonly help: string;
  readonly group: KeyGroup;
  /** Short word for the key line; absent where there is no room for it. */
  readonly footer?: string;
  /** Harmless and good to hold down: obeyed in bursts too. */
  readonly repeats?: true;
}

export const keyGroups = ['Server', 'Find', 'Move', 'View', 'Dialog', 'Leave'] as const;

export type KeyGroup = (typeof keyGroups)[number];

const look: readonly KeyContext[] = ['main', 'overlay'];

const asking: readonly KeyContext[] = ['kill', 'relaunch', 'asked'];

/** Where there may be more than fits. */
const longer: readonly KeyContext[] = [...look, ...asking, 'running'];

const everywhere: readonly KeyContext[] = [
  ...look,
  ...asking,
  'filter',
  'edit',
  'running',
  'answer',
  'login',
];

const fixed = (action: KeyAction) => (): KeyAction => action;

const half = (page: PageSize): number => Math.max(1, Math.floor(page.rows / 2));

const whole = (page: PageSize): number => Math.max(1, page.rows - 1);

/** The one table of keys: `?`, the key line and docs/keys.md are drawn from it. Its order is the key line's. */
export const keymap: readonly KeyRow[] = [
  key('K', look, 'Server', 'kill the server (asks)', { kind: 'ask-kill' }, 'kill'),
  key('R', look, 'Server', 'relaunch it (asks)', { kind: 'ask-relaunch' }, 'relaunch'),
  key('D', look, 'Server', 'dump the last 40 log lines to a file', { kind: 'dump' }, 'dump'),
  key('a', look, 'Server', "put the remedy's change into the relaunch form", { kind: 'apply-remedy' }),
  key('p', look, 'Server', 'py-spy dump of a lagging rank', { kind: 'py-spy' }),
  key('c', look, 'Server', 'connect now, or log in again', { kind: 'connect-now' }),
  key('/', ['main'], 'Find', 'filter as you type: PATTERN !NOT @RANK', { kind: 'edit-filter' }, 'filter'),
  key('&', ['main'], 'Find', 'filter, or only highlight', { kind: 'toggle-filter-mode' }),
  two('n', 'N', ['main'], 'Find', 'next match, the one before', (_page, sign) => ({
    kind: 'match',
    direction: sign,
  })),
  key('e', ['main'], 'Find', 'errors only', { kind: 'toggle', what: 'errors-only' }, 'errors', true),
  key(
    'o',
    ['main'],
    'Find',
    'milestones only',
    { kind: 'toggle', what: 'milestones-only' },
    'milestones',
    true,
  ),
  key('x', ['main'], 'Find', 'fold copies, bars and tracebacks', { kind: 'toggle', what: 'folds' }),
  key('i', ['main'], 'Find', 'time stamps without date', { kind: 'toggle', what: 'stamps' }),
  key('esc', ['main'], 'Find', 'clear the filter, or put the card away', { kind: 'filter-clear' }),
  key(
    'f',
    ['main'],
    'Move',
    'follow the log, or hold it',
    { kind: 'toggle', what: 'follow' },
    'follow',
    true,
  ),
  key(['j', 'down'], longer, 'Move', 'a line down', { kind: 'scroll', lines: 1 }, undefined, true),
  key(['k', 'up'], longer, 'Move', 'a line up', { kind: 'scroll', lines: -1 }, undefined, true),
  two('ctrl-d', 'ctrl-u', look, 'Move', 'half a page down, up', (page, sign) => ({
    kind: 'scroll',
    lines: sign * half(page),
  })),
  two('page-down', 'page-up', look, 'Move', 'a page down, up', (page, sign) => ({
    kind: 'scroll',
    lines: sign * whole(page),
  })),
  key(['g', 'home'], look, 'Move', 'to the top', { kind: 'scroll-to', end: 'top' }, undefined, true),
  key(
    ['G', 'end'],
    look,
    'Move',
    'to the end, and follow',
    { kind: 'scroll-to', end: 'bottom' },
    undefined,
    true,
  ),
  key('M', ['main'], 'Move', 'mark the lowest line, or the one found', { kind: 'mark' }),
  key("'", ['main'], 'Move', 'to the mark above', { kind: 'to-mark' }, undefined, true),
  two(']', '[', ['main'], 'Move', 'to the folded row below, above', (_page, sign) => ({
    kind: 'choose-fold',
    direction: sign,
  })),
  key('v', look, 'Move', 'to the line of the verdict', { kind: 'to-evidence' }),
  two('right', 'left', ['main'], 'Move', 'to the right, to the left', (_page, sign) => ({
    kind: 'scroll-sideways',
    columns: sign * 8,
  })),
  key('t', look, 'View', 'triage: all of the card', { kind: 'overlay', overlay: 'triage' }, 'triage'),
  key('h', look, 'View', 'attempt history', { kind: 'overlay', overlay: 'history' }, 'history'),
  key('s', look, 'View', 'server arguments', { kind: 'overlay', overlay: 'arguments' }, 'arguments'),
  key(
    ['left', 'right', 'tab'],
    ['overlay'],
    'View',
    'arguments: compare with the previous or the last good attempt',
    {
      kind: 'toggle',
      what: 'comparison',
    },
  ),
  key('w', ['main'], 'View', 'wrap long lines', { kind: 'toggle', what: 'wrap' }, 'wrap', true),
  key('z', ['main'], 'View', 'zoom the pane', { kind: 'toggle', what: 'zoom' }, 'zoom'),
  key(['tab', 'shift-tab'], ['main'], 'View', 'next pane', { kind: 'focus-next' }),
  {
    keys: panes.map((_, index) => String(index + 1)),
    contexts: ['main'],
    group: 'View',
    help: 'phases, GPUs, log',
    act: (_, name) => ({ kind: 'focus', pane: panes[Number(name) - 1] ?? 'log' }),
  },
  key('enter', look, 'View', 'open what is folded', { kind: 'open' }),
  key('y', look, 'View', 'copy what is in front', { kind: 'copy' }, 'copy'),
  key('m', look, 'View', 'mouse on or off', { kind: 'toggle', what: 'mouse' }, 'mouse'),
  key('T', look, 'View', 'next theme', { kind: 'next-theme' }, 'theme'),
  key('ctrl-l', everywhere, 'View', 'draw everything again', {
    kind: 'redraw',
  }),
  key('y', asking, 'Dialog', 'do it', { kind: 'confirm' }, 'do it'),
  key('e', ['relaunch'], 'Dialog', 'edit what is run', { kind: 'edit' }, 'edit'),
  key('s', asking, 'Dialog', 'TERM, INT or KILL first', { kind: 'next-signal' }),
  {
    keys: Array.from({ length: 9 }, (_, index) => String(index + 1)),
    contexts: asking,
    group: 'Dialog',
    help: 'end that one too',
    act: (_, name) => ({ kind: 'toggle-near', number: Number(name) }),
  },
  key(['enter', 'esc', 'n', 'q'], asking, 'Dialog', 'cancel', { kind: 'cancel' }, 'cancel'),
  key(['esc', 'enter', 'q'], ['running'], 'Dialog', 'close', { kind: 'cancel' }, 'close'),
  key(['up', 'ctrl-p'], ['filter'], 'Find', 'an earlier filter', { kind: 'filter-recall', direction: -1 }),
  key(['down', 'ctrl-n'], ['filter'], 'Find', 'a later one', { kind: 'filter-recall', direction: 1 }),
  key('enter', ['filter'], 'Find', 'keep the filter', { kind: 'filter-done' }, 'keep'),
  key('esc', ['filter'], 'Find', 'clear the filter', { kind: 'filter-clear' }, 'clear'),
  key('enter', ['edit'], 'Dialog', 'take it', { kind: 'edit-done' }, 'take it'),
  key('esc', ['edit'], 'Dialog', 'cancel', { kind: 'cancel' }, 'cancel'),
  key('enter', ['answer'], 'Dialog', 'answer the question', { kind: 'answer' }, 'answer'),
  key('esc', ['answer', 'login'], 'Dialog', 'leave it unanswered', { kind: 'cancel' }, 'close'),
  key('?', ['main', 'overlay'], 'Leave', 'help', { kind: 'overlay', overlay: 'help' }, 'help'),
  key('esc', ['overlay'], 'Leave', 'back', { kind: 'back' }, 'back'),
  key('q', look, 'Leave', 'back, and at the top leave (the server goes on)', { kind: 'back' }, 'leave'),
  key('ctrl-c', everywhere, 'Leave', 'leave (the server goes on)', { kind: 'leave' }),
  key('ctrl-z', everywhere, 'Leave', 'suspend; `fg` comes back', { kind: 'suspend' }),
];

function key(
  keys: string | readonly string[],
  contexts: readonly KeyContext[],
  group: KeyGroup,
  help: string,
  action: KeyAction,
  footer?: string,
  repeats?: true,
): KeyRow {
  return {
    keys: typeof keys === 'string' ? [keys] : keys,
    contexts,
    group,
    help,
    act: fixed(action),
    ...(footer === undefined ? {} : { footer }),
    ...(repeats === undefined ? {} : { repeats }),
  };
}

/** A key and its opposite: `act` gets 1 for the first and -1 for the second. */
function two(
  first: string,
  second: string,
  contexts: readonly KeyContext[],
  group: KeyGroup,
  help: string,
  act: (page: PageSize, sign: 1 | -1) => KeyAction,
): KeyRow {
  return {
    keys: [first, second],
    contexts,
    group,
    help,
    act: (page, name) => act(page, name === first ? 1 : -1),
    repeats: true,
  };
}
