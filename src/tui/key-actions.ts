import { type Edit, editLine, type InputLine, inputLine } from './input-line.js';
import type { Press } from './key-input.js';
import { type KeyAction, type KeyContext, type KeyRow, keymap, type PageSize } from './keymap.js';

export interface KeyState {
  readonly context: KeyContext;
  readonly page: PageSize;
  /** The line being typed in `filter`, `edit` and `answer`. */
  readonly input: InputLine;
  /** Time since the press before this one. */
  readonly sinceLastPressMs: number;
}

export interface KeyResult {
  readonly actions: readonly KeyAction[];
  readonly input: InputLine;
}

/**
 * What a press means here. Pure. A paste goes into inputs only; a burst of characters is obeyed only if every
 * one of them is harmless, and never confirms anything.
 */
export function keyActions(press: Press, state: KeyState): KeyResult {
  const typing = typingContexts.includes(state.context);
  switch (press.kind) {
    case 'paste':
      return typing ? edited(state, [{ kind: 'insert', text: firstLine(press.text) }]) : nothing(state);
    case 'burst':
      return typing ? typedBurst(press.text, state) : calmBurst(press.text, state);
    case 'key':
      return typing
        ? typedKey(press.name, state)
        : { ...nothing(state), actions: boundAction(press.name, state) };
    case 'wheel':
      return { ...nothing(state), actions: typing ? [] : [{ kind: 'scroll', lines: press.lines }] };
    case 'click':
      return nothing(state);
  }
}

const typingContexts: readonly KeyContext[] = ['filter', 'edit', 'answer'];

/**
 * Nobody reads a question and answers it so fast: these are pieces of a paste on a terminal without brackets.
 */
const fastestAnswerMs = 25;

/** The row that answers to `name` in `context`. */
export function bindingFor(name: string, context: KeyContext): KeyRow | undefined {
  return keymap.find((row) => row.contexts.includes(context) && row.keys.includes(name));
}

function boundAction(name: string, state: KeyState): readonly KeyAction[] {
  const row = bindingFor(name, state.context);
  if (row === undefined) return [];
  const action = row.act(state.page, name);
  return action.kind === 'confirm' && state.sinceLastPressMs < fastestAnswerMs ? [] : [action];
}

function calmBurst(text: string, state: KeyState): KeyResult {
  if (state.context === 'main' && text.startsWith('/')) {
    const opened = { ...state, context: 'filter', input: inputLine('') } as const;
    const rest = typedBurst(text.slice(1), opened);
    return { ...rest, actions: [{ kind: 'edit-filter' }, ...rest.actions] };
  }
  const names = [...text];
  if (!names.every((name) => bindingFor(name, state.context)?.repeats === true)) return nothing(state);
  return { ...nothing(state), actions: names.flatMap((name) => boundAction(name, state)) };
}

/** Fast typing may bring the Enter along: it ends a filter or an answer, but only a key of its own takes an edit. */
function typedBurst(text: string, state: KeyState): KeyResult {
  const [line = '', ...more] = text.split(/[\r\n]/);
  const result = edited(state, [{ kind: 'insert', text: line }]);
  const end = endings[state.context];
  const ended = more.length === 1 && more[0] === '' && end !== undefined;
  return ended ? { ...result, actions: [...result.actions, end] } : result;
}

const endings: Readonly<Partial<Record<KeyContext, KeyAction>>> = {
  filter: { kind: 'filter-done' },
  answer: { kind: 'answer' },
};

function typedKey(name: string, state: KeyState): KeyResult {
  const edit = edits[name];
  if (edit !== undefined) return edited(state, [{ kind: edit }]);
  const actions = boundAction(name, state);
  if (actions.length > 0 || [...name].length > 1) return { ...nothing(state), actions };
  return edited(state, [{ kind: 'insert', text: name }]);
}

const edits: Readonly<Record<string, Exclude<Edit['kind'], 'insert'>>> = {
  left: 'left',
  right: 'right',
  home: 'home',
  end: 'end',
  backspace: 'erase',
  'ctrl-a': 'home',
  'ctrl-e': 'end',
  'ctrl-b': 'left',
  'ctrl-f': 'right',
  'ctrl-u': 'erase-before',
  'ctrl-k': 'erase-after',
  'ctrl-w': 'erase-word',
};

function edited(state: KeyState, changes: readonly Edit[]): KeyResult {
  const input = changes.reduce(editLine, state.input);
  // An answer is nobody's business before Enter.
  if (input.text === state.input.text || state.context === 'answer') return { actions: [], input };
  const kind = state.context === 'filter' ? 'filter-text' : 'edit-text';
  return { actions: [{ kind, text: input.text }], input };
}

const nothing = (state: KeyState): KeyResult => ({ actions: [], input: state.input });

const firstLine = (text: string): string => text.split(/[\r\n]/).find((line) => line.trim() !== '') ?? '';
