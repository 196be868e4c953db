import type { Instance } from 'ink';
import type { Intent } from '../core/intents.js';
import type { ScreenModel } from '../core/view-models/screen.js';
import { App } from './app.js';
import { type InputLine, inputLine } from './input-line.js';
import { keyActions } from './key-actions.js';
import type { Press } from './key-input.js';
import { createPresses, type Since } from './key-presses.js';
import type { KeyAction } from './keymap.js';
import { canScroll, mouseIntents } from './mouse.js';
import { renderOn } from './render-on.js';
import { Screen } from './screen.js';
import { boundedScroll, scrolledInsert } from './scrolling.js';
import { openSession, type SessionEnd, type TerminalOut } from './session.js';
import { SurfaceContext } from './surface.js';
import { createBell, titleOf } from './title.js';
import { type Look, sameFrame, type View, viewOf, withThemeName } from './view.js';

export interface ScreenStore {
  /** What to show now. A new object at most ten times a second, and at once after a key. */
  model(): ScreenModel;
  subscribe(listener: () => void): () => void;
}

export interface ScreenOptions extends Look {
  readonly store: ScreenStore;
  readonly dispatch: (intent: Intent) => void;
  /** Gets what was typed for a login's question. It passes through nothing else, and is kept nowhere. */
  readonly answer: (text: string) => void;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: TerminalOut;
  /** Whether the terminal's title tells state and percent, and whether a verdict rings its bell; not if absent. */
  readonly title?: boolean;
  readonly bell?: boolean;
  /** Stops the process group on Ctrl-Z; only tests put something else here. */
  readonly stop?: () => void;
}

export interface ScreenHandle {
  /** Settles once, after the terminal has been given back, and never rejects. Nothing is written afterwards. */
  readonly closed: Promise<SessionEnd>;
  close(): void;
  suspend(): void;
  /** Gives the terminal to another program (an editor) until `work` has settled. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /** A sequence that draws nothing, such as OSC 52; false: dropped, for the terminal is not ours now. */
  send(sequence: string): boolean;
}

/**
 * Takes the terminal over and shows the store's model until `close`, a signal or a fault. Keys become intents
 * for `dispatch`; leaving is the fold's decision (`leave` → `close()`), but a second Ctrl-C closes by itself.
 */
export function openScreen(options: ScreenOptions): ScreenHandle {
  const screen = new Screen(options.stdout);
  const rings = createBell();
  const viewAfter = (before: View | null, typed: InputLine): View => {
    const size = { columns: screen.columns, rows: screen.rows };
    return viewOf(before, options.store.model(), { ...options, ...size }, typed);
  };
  let view = viewAfter(null, inputLine(''));
  /** The line being typed, ahead of `view.input` until it is drawn. */
  let typed = view.input;
  let instance: Instance | null = null;
  let shownLog = '';
  let lastLogAt = 0;
  let logTimer: NodeJS.Timeout | undefined;
  let interruptedAt = Number.NEGATIVE_INFINITY;

  const element = () => (
    <SurfaceContext.Provider value={screen}>
      <App
        chrome={view.chrome}
        layout={view.layout}
        insert={view.insert}
        insertTop={view.insertTop}
        context={view.context}
        input={view.input}
        painter={view.painter}
        columns={screen.columns}
        rows={screen.rows}
        onInput={onInput}
      />
    </SurfaceContext.Provider>
  );

  const obey = (press: Press, since: Since): void => {
    const { context, page } = view;
    const result = keyActions(press, { context, page, input: typed, ...since });
    typed = result.input;
    const isMouse = press.kind === 'click' || press.kind === 'wheel';
    const pointed = isMouse ? mouseIntents(view, press) : [];
    for (const intent of pointed) options.dispatch(intent);
    if (pointed.length > 0) update(true);
    if (isMouse && !canScroll(view, press)) return;
    for (const action of result.actions) act(action);
    update(result.actions.length > 0 || typed !== view.input);
  };

  const onInput = createPresses(() => view.context, obey);

  const act = (action: KeyAction): void => {
    if (action.kind === 'suspend') session.suspend();
    else if (action.kind === 'redraw') screen.invalidate();
    else if (action.kind === 'answer') {
      const { text } = typed;
      typed = inputLine('');
      options.answer(text);
    } else {
      if (action.kind === 'leave' && interruptedTwice()) session.end({ reason: 'signal', signal: 'SIGINT' });
      const scrolled = scrolledInsert(view, action);
      if (scrolled !== null) show(scrolled);
      else dispatch(boundedScroll(view, action));
    }
  };

  const dispatch = (intent: Intent | null): void => {
    if (intent !== null) options.dispatch(withThemeName(intent, view.model.theme, options.themes));
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
    show(viewAfter(before, typed));
    typed = view.input;
    tellTerminal();
    drawLog(force || before.layout !== view.layout || before.painter !== view.painter);
  };

  /** What the terminal shows of us outside of its screen. */
  const tellTerminal = (): void => {
    session.setMouse(view.model.mouse);
    if (options.title) session.setTitle(titleOf(view.model, view.painter));
    if (rings(view.model) && options.bell) session.send('\u0007');
  };

  const show = (next: View): void => {
    const before = view;
    view = next;
    if (!sameFrame(before, next)) instance?.rerender(element());
  };

  const drawLog = (force: boolean): void => {
    const rect = view.layout.kind === 'screen' ? view.layout.log : null;
    if (rect === null) {
      screen.setLayer(logOwner, null);
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
    screen.setLayer(logOwner, view.logLayer.draw(log, rect, focused));
  };

  let unsubscribe = (): void => {};
  const failed = (error: unknown): void => session.end({ reason: 'failed', error });
  const session = openSession({
    stdout: options.stdout,
    screen,
    stdin: options.stdin,
    ...(options.stop === undefined ? {} : { stop: options.stop }),
    app: {
      mount() {
        view = viewAfter(null, typed);
        instance = renderOn(screen, options.stdin, element(), failed);
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
        view = viewAfter(null, typed);
        instance.rerender(element());
        drawLog(true);
      },
    },
  });

  tellTerminal();
  return {
    closed: session.closed,
    close: () => session.end({ reason: 'closed' }),
    suspend: () => session.suspend(),
    lend: (work) =>
      session.lend(async () => {
        // Ink has let go of it, but Node would read on, and take the other program's keys.
        await new Promise((resolve) => setImmediate(resolve));
        options.stdin.pause();
        return work();
      }),
    send: (sequence) => session.send(sequence),
  };
}

/** The log's lines are drawn beside the components. */
const logOwner = {};

/** Ten times a second; less often where writing to the terminal is slow, because a write blocks everything else. */
const logIntervalMs = (writeMs: number): number => Math.min(1000, writeMs > 50 ? writeMs * 4 : 100);
