import { type Instance, type Key, useInput } from 'ink';
import { unicodeGlyphs } from './glyphs.js';
import { characterName, createKeyReader, type Press } from './key-input.js';
import { createPainter, type Painter } from './painter.js';
import { Rows } from './panes/box.js';
import { pickerRows } from './panes/picker.js';
import { type PickerAction, pickerAction } from './picker-keys.js';
import { isAwaited, type PickerModel, type PickerRow } from './picker-model.js';
import { renderOn } from './render-on.js';
import { Screen } from './screen.js';
import { openSession, type SessionEnd, type TerminalOut } from './session.js';
import { SurfaceContext } from './surface.js';
import { pickerTitle } from './title.js';
import type { Look } from './view.js';

export interface PickerOptions extends Look {
  readonly model: () => PickerModel;
  /** Calls `listener` when the model has changed; returns what unsubscribes it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** All of them are to be asked again. */
  readonly refresh: () => void;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: TerminalOut;
  /** Whether the terminal's title tells how many there are and how they are; not if absent. */
  readonly title?: boolean;
  readonly stop?: () => void;
  /** The row that is chosen at first. */
  readonly at?: number;
  /** What is said at first, until a key is pressed. */
  readonly notice?: string | null;
}

export interface PickerEnd {
  readonly end: SessionEnd;
  /** The row that is to be watched; null when the user leaves. */
  readonly chosen: number | null;
}

/** The picture that turns while somebody is asked (ms a step). */
const beatMs = 120;

/**
 * Takes the terminal over and shows the targets until one is chosen or the user leaves. Resolves after the terminal
 * has been given back; never rejects.
 */
export function openPicker(options: PickerOptions): Promise<PickerEnd> {
  const screen = new Screen(options.stdout);
  const readKey = createKeyReader();
  let at = options.at ?? 0;
  let beat = 0;
  let theme = 0;
  let notice = options.notice ?? null;
  let chosen: number | null = null;
  let painter = painterOf(options, theme);
  let instance: Instance | null = null;
  let turning: NodeJS.Timeout | undefined;
  let unsubscribe = (): void => {};

  const element = () => {
    const view = { chosen: at, beat, notice, columns: screen.columns, rows: screen.rows };
    return <Picker rows={pickerRows(options.model(), view, painter)} screen={screen} onInput={onInput} />;
  };

  const update = (): void => {
    instance?.rerender(element());
    const isAsking = options.model().rows.some(isAwaited);
    clearTimeout(turning);
    turning = isAsking && instance !== null ? setTimeout(turn, beatMs) : undefined;
  };

  const changed = (): void => {
    update();
    tellTitle();
  };

  const tellTitle = (): void => {
    if (options.title) session.setTitle(pickerTitle(options.model()));
  };

  const turn = (): void => {
    beat += 1;
    update();
  };

  const onInput = (input: string, key: Key): void => {
    for (const action of readKey(input, key).flatMap(actionsOf)) {
      // What comes behind Enter in one piece is not for this list.
      if (chosen !== null) break;
      act(action);
    }
    update();
  };

  const act = (action: PickerAction): void => {
    notice = null;
    switch (action.kind) {
      case 'move':
        at = Math.max(0, Math.min(options.model().rows.length - 1, at + action.rows));
        break;
      case 'open':
        open();
        break;
      case 'refresh':
        options.refresh();
        break;
      case 'theme':
        theme += 1;
        painter = painterOf(options, theme);
        break;
      case 'redraw':
        screen.invalidate();
        break;
      case 'suspend':
        session.suspend();
        break;
      case 'leave':
      case 'interrupt':
        session.end({ reason: 'closed' });
        break;
    }
  };

  const open = (): void => {
    const row = options.model().rows[at];
    if (row === undefined) return;
    if (row.word === 'none') {
      notice = nothingToWatch(row);
      return;
    }
    chosen = at;
    session.end({ reason: 'closed' });
  };

  const failed = (error: unknown): void => session.end({ reason: 'failed', error });
  const session = openSession({
    stdout: options.stdout,
    screen,
    stdin: options.stdin,
    ...(options.stop === undefined ? {} : { stop: options.stop }),
    app: {
      mount() {
        instance = renderOn(screen, options.stdin, element(), failed);
        unsubscribe = options.subscribe(changed);
        update();
      },
      unmount() {
        unsubscribe();
        clearTimeout(turning);
        instance?.unmount();
        instance = null;
      },
      repaint: update,
    },
  });
  tellTitle();
  return session.closed.then((end) => ({ end, chosen: end.reason === 'closed' ? chosen : null }));
}

function Picker(props: {
  readonly rows: readonly string[];
  readonly screen: Screen;
  readonly onInput: (input: string, key: Key) => void;
}) {
  const { rows, screen } = props;
  useInput(props.onInput);
  return (
    <SurfaceContext.Provider value={screen}>
      <Rows rect={{ left: 0, top: 0, width: screen.columns, height: screen.rows }} rows={rows} />
    </SurfaceContext.Provider>
  );
}

function painterOf({ themes, depth, glyphs = unicodeGlyphs, sanitize }: Look, index: number): Painter {
  return createPainter({ theme: themes[index % themes.length] ?? themes[0], depth, glyphs, sanitize });
}

/** How it is started, where the config says what it is. */
function nothingToWatch({ server, detail, start }: PickerRow): string {
  if (start === undefined) return `There is nothing to watch: ${detail}`;
  return `${server} is not started. Leave with q, then: ${start.line} (it runs ${start.command})`;
}

/**
 * Keys that come in one piece, as a slow link brings them: a few count as they were pressed, for opening does no harm;
 * of more of them only what moves. Among others than keys they are no keys but a text, as on a terminal without
 * bracketed paste.
 */
function actionsOf(press: Press): readonly PickerAction[] {
  const named = (name: string): readonly PickerAction[] => {
    const action = pickerAction(name);
    return action === null ? [] : [action];
  };
  if (press.kind === 'key') return named(press.name);
  if (press.kind === 'wheel') return [{ kind: 'move', rows: Math.sign(press.lines) }];
  if (press.kind !== 'burst') return [];
  const names = [...press.text].map(characterName);
  const actions = names.flatMap(named);
  if (actions.length < names.length) return [];
  return names.length <= mostAtOnce ? actions : actions.filter(({ kind }) => kind === 'move');
}

/** Nobody presses more keys within the time that such a link takes, but to move. */
const mostAtOnce = 4;
