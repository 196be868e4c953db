import { type Edit, editLine, type InputLine } from './input-line.js';
import { characterName, type Press } from './key-input.js';
import { type KeyAction, type KeyContext, type KeyRow, keymap, type PageSize } from './keymap.js';

export interface KeyState {
  readonly context: KeyContext;
  readonly page: PageSize;
  /** The line being typed in `filter`, `edit` and `answer`. */
  readonly input: InputLine;
  /** Time since the press before this one. */
  readonly sinceLastPressMs: number;
  /** Time since several characters came in one piece, and no single key since. */
  readonly sinceBurstMs: number;
}

export interface KeyResult {
  readonly actions: readonly KeyAction[];
  readonly input: InputLine;
}

/**
 * What a press means here. Pure. A paste goes into inputs only, and so does a burst: outside of them it is `burstKeys`
 * who tells what is to be made of it.
 */
export function keyActions(press: Press, state: KeyState): KeyResult {
  const typing = isTyping(state.context);
  switch (press.kind) {
    case 'paste':
      return typing ? edited(state, [{ kind: 'insert', text: firstLine(press.text) }]) : nothing(state);
    case 'burst':
      return typing ? typedBurst(press.text, state) : nothing(state);
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

/** Where letters are text. */
export const isTyping = (context: KeyContext): boolean => ['filter', 'edit', 'answer'].includes(context);

/** Where a key may be the answer to a question. */
export const isQuestion = (context: KeyContext): boolean => !['main', 'overlay', 'filter'].includes(context);

/**
 * The keys of a burst, one by one; none where it looks like a paste on a terminal without brackets. Fast typing over a
 * slow link brings a few keys at once, a key that is held down many. In a question a burst only scrolls.
 */
export function burstKeys(text: string, context: KeyContext): readonly string[] {
  const keys = [...text].map(characterName);
  if (keys.every((name) => bindingFor(name, context)?.repeats === true)) return keys;
  if (isQuestion(context)) return [];
  // From here on it is the text of the filter.
  const filterAt = keys.indexOf('/');
  const pressed = filterAt === -1 ? keys : keys.slice(0, filterAt);
  const known = pressed.every((name) => look.some((shown) => bindingFor(name, shown) !== undefined));
  return known && pressed.length <= mostTyped ? keys : [];
}

const look: readonly KeyContext[] = ['main', 'overlay'];

/** So many keys come in one piece when they are typed, at most. */
const mostTyped = 8;

/**
 * Nobody reads a question and answers it so fast: these are pieces of a paste on a terminal without brackets. Not longer
 * after a single key, for a program that presses keys may answer what it sees at once.
 */
const fastestAnswerMs = { afterPress: 5, afterBurst: 300 } as const;

/** The row that answers to `name` in `context`. */
export function bindingFor(name: string, context: KeyContext): KeyRow | undefined {
  return keymap.find((row) => row.contexts.includes(context) && row.keys.includes(name));
}

function boundAction(name: string, state: KeyState): readonly KeyAction[] {
  const row = bindingFor(name, state.context);
  if (row === undefined) return [];
  const action = row.act(state.page, name);
  const tooFast =
    state.sinceLastPressMs < fastestAnswerMs.afterPress || state.sinceBurstMs < fastestAnswerMs.afterBurst;
  return action.kind === 'confirm' && tooFast ? [] : [action];
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
