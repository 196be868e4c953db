import { type Instance, type Key, render } from 'ink';
import type { Intent } from '../core/intents.js';
import type { ScreenModel } from '../core/view-models.js';
import { App } from './app.js';
import { type Chrome, chromeOf } from './chrome.js';
import { type Glyphs, unicodeGlyphs } from './glyphs.js';
import { type InputLine, inputLine } from './input-line.js';
import { keyActions } from './key-actions.js';
import { createKeyReader, type Press } from './key-input.js';
import type { KeyAction, KeyContext, PageSize } from './keymap.js';
import { type Layout, layout, type Rect } from './layout.js';
import { createLogLayer } from './log-layer.js';
import { createPainter, type Painter } from './painter.js';
import { type Insert, insertFor, insertHeight } from './panes/insert.js';
import { Screen } from './screen.js';
import { openSession, type SessionEnd, type TerminalOut } from './session.js';
import type { ColorDepth, Theme } from './theme.js';

export interface ScreenStore {
  /** What to show now. A new object at most ten times a second, and at once after a key. */
  model(): ScreenModel;
  subscribe(listener: () => void): () => void;
}

export interface ScreenOptions {
  readonly store: ScreenStore;
  readonly dispatch: (intent: Intent) => void;
  /** Makes a text from the remote fit for a terminal. Control characters are dropped afterwards in any case. */
  readonly sanitize: (text: string) => string;
  /** At least one; `model.theme` counts through them. */
  readonly themes: readonly [Theme, ...Theme[]];
  readonly depth: ColorDepth;
  readonly glyphs?: Glyphs;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: TerminalOut;
  /** Stops the process group on Ctrl-Z; only tests put something else here. */
  readonly stop?: () => void;
}

export interface ScreenHandle {
  /** Settles once, after the terminal has been given back, and never rejects. Nothing is written afterwards. */
  readonly closed: Promise<SessionEnd>;
  close(): void;
  suspend(): void;
}

/**
 * Takes the terminal over and shows the store's model until `close`, a signal or a fault. Keys become intents
 * for `dispatch`; leaving is the fold's decision (`leave` → `close()`), but a second Ctrl-C closes by itself.
 */
export function openScreen(options: ScreenOptions): ScreenHandle {
  const screen = new Screen(options.stdout);
  const readKey = createKeyReader();
  let view = viewOf(null, options, screen, inputLine(''));
  let instance: Instance | null = null;
  let shownLog = '';
  let lastLogAt = 0;
  let logTimer: NodeJS.Timeout | undefined;
  let interruptedAt = Number.NEGATIVE_INFINITY;

  const element = () => (
    <App
      chrome={view.chrome}
      layout={view.layout}
      insert={view.insert}
      context={view.context}
      input={view.input}
      painter={view.painter}
      columns={screen.columns}
      rows={screen.rows}
      onInput={onInput}
    />
  );

  const onInput = (input: string, key: Key): void => {
    const press = readKey(input, key);
    if (press !== null) obey(press);
  };

  const obey = (press: Press): void => {
    const result = keyActions(press, { context: view.context, page: view.page, input: view.input });
    const typed = result.input !== view.input;
    view = { ...view, input: result.input };
    const clicked = press.kind === 'click' ? paneAt(view.layout, press.row, press.column) : null;
    if (clicked !== null) options.dispatch({ kind: 'focus', pane: clicked });
    for (const action of result.actions) act(action);
    update(result.actions.length > 0 || typed);
  };

  const act = (action: KeyAction): void => {
    if (action.kind === 'suspend') session.suspend();
    else if (action.kind === 'redraw') screen.invalidate();
    else {
      if (action.kind === 'leave' && interruptedTwice()) session.end({ reason: 'signal', signal: 'SIGINT' });
      options.dispatch(action);
    }
  };

  const interruptedTwice = (): boolean => {
    const now = performance.now();
    const twice = now - interruptedAt < 2000;
    interruptedAt = now;
    return twice;
  };

  /** `force`: a key was pressed, so that its answer must not wait for the log's turn. */
  const update = (force: boolean): void => {
    if (instance === null) return;
    const before = view;
    view = viewOf(before, options, screen, before.input);
    session.setMouse(view.model.mouse);
    if (!sameFrame(before, view)) instance.rerender(element());
    drawLog(force || before.layout !== view.layout || before.painter !== view.painter);
  };

  const drawLog = (force: boolean): void => {
    const rect = view.layout.kind === 'screen' ? view.layout.log : null;
    if (rect === null) {
      screen.setLayer(null);
      shownLog = '';
      return;
    }
    const focused = view.chrome.focus === 'log' && view.insert === null;
    const { log } = view.model;
    const wanted = `${log.version}\0${log.title}\0${log.note}\0${log.newBelow}\0${focused}`;
    if (!force && wanted === shownLog) return;
    const wait = lastLogAt + logIntervalMs(screen.lastWriteMs) - performance.now();
    clearTimeout(logTimer);
    if (!force && wait > 0) {
      logTimer = setTimeout(() => drawLog(true), wait);
      return;
    }
    lastLogAt = performance.now();
    shownLog = wanted;
    screen.setLayer(view.drawLog(log, rect, focused));
  };

  let unsubscribe = (): void => {};
  const session = openSession({
    stdout: options.stdout,
    screen,
    ...(options.stop === undefined ? {} : { stop: options.stop }),
    app: {
      mount() {
        view = viewOf(null, options, screen, view.input);
        instance = render(element(), {
          stdout: screen as unknown as NodeJS.WriteStream,
          stdin: options.stdin,
          debug: true,
          patchConsole: false,
          exitOnCtrlC: false,
        });
        instance.waitUntilExit().catch((error: unknown) => session.end({ reason: 'failed', error }));
        drawLog(true);
        unsubscribe = options.store.subscribe(() => update(false));
      },
      unmount() {
        unsubscribe();
        clearTimeout(logTimer);
        instance?.unmount();
        instance = null;
      },
      repaint() {
        if (instance === null) return;
        view = viewOf(null, options, screen, view.input);
        instance.rerender(element());
        drawLog(true);
      },
    },
  });

  return {
    closed: session.closed,
    close: () => session.end({ reason: 'closed' }),
    suspend: () => session.suspend(),
  };
}

/** All that one moment of the screen is drawn from. */
interface View {
  readonly model: ScreenModel;
  readonly chrome: Chrome;
  readonly painter: Painter;
  readonly drawLog: ReturnType<typeof createLogLayer>;
  readonly context: KeyContext;
  readonly input: InputLine;
  readonly insert: Insert | null;
  readonly layout: Layout | { readonly kind: 'too-small' };
  readonly page: PageSize;
}

function viewOf(before: View | null, options: ScreenOptions, screen: Screen, typed: InputLine): View {
  const model = options.store.model();
  const chrome = chromeOf(model, before?.chrome ?? null);
  const sameTheme = before !== null && before.model.theme === model.theme;
  const painter = sameTheme ? before.painter : painterFor(model.theme, options);
  const drawLog = sameTheme ? before.drawLog : createLogLayer(painter);
  const context = contextOf(model);
  const input = inputOf(model, context, typed);
  if (before !== null && sameTheme && chrome === before.chrome && input === before.input) {
    return { ...before, model };
  }
  const insert = insertFor(chrome, input, screen.columns, painter);
  const placed = layout({
    columns: screen.columns,
    rows: screen.rows,
    phaseCount: model.phases.length,
    gpuCount: model.gpus.rows.length,
    zoomed: model.zoom ? model.focus : null,
    insert:
      insert === null
        ? null
        : insert.place === 'body'
          ? { kind: 'body' }
          : { kind: 'lower', height: insertHeight(insert) },
  });
  return {
    model,
    chrome,
    painter,
    drawLog,
    context,
    input,
    insert,
    layout: placed,
    page: pageOf(model, placed, screen),
  };
}

function painterFor(index: number, options: ScreenOptions): Painter {
  const theme = options.themes[index % options.themes.length] ?? options.themes[0];
  const { depth, sanitize } = options;
  return createPainter({ theme, depth, sanitize, glyphs: options.glyphs ?? unicodeGlyphs });
}

/** Which keys mean something now. */
export function contextOf(model: ScreenModel): KeyContext {
  const { dialog } = model;
  if (dialog !== null) {
    if (dialog.editing !== null) return 'edit';
    return dialog.running || dialog.finished ? 'running' : dialog.kind;
  }
  if (model.log.filter.editing) return 'filter';
  return model.overlay === null ? 'main' : 'overlay';
}

/** The fold holds the text, we the cursor; where the two differ, the text was set by something else. */
function inputOf(model: ScreenModel, context: KeyContext, typed: InputLine): InputLine {
  const text =
    context === 'filter' ? model.log.filter.text : context === 'edit' ? (model.dialog?.editing ?? '') : '';
  return text === typed.text ? typed : inputLine(text);
}

function pageOf(model: ScreenModel, placed: View['layout'], screen: Screen): PageSize {
  if (placed.kind === 'too-small') return { rows: screen.rows, columns: screen.columns };
  const rect: Rect | null = placed.insert ?? placed[model.focus] ?? placed.log;
  return { rows: Math.max(1, (rect?.height ?? 3) - (rect === placed.log ? 1 : 2)), columns: screen.columns };
}

const sameFrame = (a: View, b: View): boolean =>
  a.chrome === b.chrome && a.input === b.input && a.layout === b.layout && a.painter === b.painter;

function paneAt(placed: View['layout'], row: number, column: number): 'phases' | 'gpus' | 'log' | null {
  if (placed.kind === 'too-small') return null;
  const inside = (rect: Rect | null): boolean =>
    rect !== null &&
    row >= rect.top &&
    row < rect.top + rect.height &&
    column >= rect.left &&
    column < rect.left + rect.width;
  return (['phases', 'gpus', 'log'] as const).find((pane) => inside(placed[pane])) ?? null;
}

/** Ten times a second; less often where writing to the terminal is slow, because a write blocks everything else. */
const logIntervalMs = (writeMs: number): number => Math.min(1000, writeMs > 50 ? writeMs * 4 : 100);
