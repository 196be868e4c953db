import { afterEach } from 'vitest';
import type { Intent } from '../../src/core/intents.js';
import { selectScreen } from '../../src/core/select/screen.js';
import type { ScreenModel } from '../../src/core/view-models/screen.js';
import { sanitize } from '../../src/ingest/sanitize.js';
import { type Glyphs, unicodeGlyphs } from '../../src/tui/glyphs.js';
import { openScreen, type ScreenHandle } from '../../src/tui/open-screen.js';
import type { ColorDepth, Theme } from '../../src/tui/theme.js';
import { loadThemes } from '../../src/tui/theme-files.js';
import type { Story } from '../core/fold.js';
import { createTerminal, type TestTerminal } from '../support/terminal.js';

const [first, ...others] = loadThemes('themes');
if (first === undefined) throw new Error('no themes');
export const themes: readonly [Theme, ...Theme[]] = [first, ...others];

export interface OpenedFixture {
  readonly terminal: TestTerminal;
  readonly handle: ScreenHandle;
  readonly intents: Intent[];
  /** What was typed for a login's question. */
  readonly answers: string[];
  /** Shows another model, as the store does. */
  show(model: ScreenModel): void;
}

const handles: ScreenHandle[] = [];
afterEach(async () => {
  for (const handle of handles.splice(0)) {
    handle.close();
    await handle.closed;
  }
});

/**
 * A screen in a terminal emulator over a store that holds one model; `answer` may change it at an intent. It is closed
 * after the test, if not before.
 */
export function openFixture(
  model: ScreenModel,
  size: readonly [columns: number, rows: number] = [80, 24],
  answer: (intent: Intent, model: ScreenModel) => ScreenModel = (_, current) => current,
  more: {
    readonly depth?: ColorDepth;
    readonly glyphs?: Glyphs;
    readonly title?: boolean;
    readonly bell?: boolean;
  } = {},
): OpenedFixture {
  const terminal = createTerminal(...size);
  const listeners = new Set<() => void>();
  const intents: Intent[] = [];
  const answers: string[] = [];
  let current = model;
  const show = (next: ScreenModel): void => {
    current = next;
    for (const listener of listeners) listener();
  };
  const handle = openScreen({
    store: {
      model: () => current,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    dispatch: (intent) => {
      intents.push(intent);
      show(answer(intent, current));
    },
    answer: (text) => answers.push(text),
    sanitize,
    themes,
    depth: more.depth ?? '16',
    glyphs: more.glyphs ?? unicodeGlyphs,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    stop: () => {},
    title: more.title === true,
    bell: more.bell === true,
  });
  handles.push(handle);
  return { terminal, handle, intents, answers, show };
}

/** A screen over a story, whose state obeys its keys. */
export function openStory(story: Story, size: readonly [columns: number, rows: number]): OpenedFixture {
  return openFixture(selectScreen(story.state), size, (intent) => selectScreen(story.key(intent).state));
}
