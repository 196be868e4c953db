import type { Intent } from '../../src/core/intents.js';
import type { ScreenModel } from '../../src/core/view-models/screen.js';
import { sanitize } from '../../src/ingest/sanitize.js';
import { glyphsFor } from '../../src/tui/glyphs.js';
import { openScreen } from '../../src/tui/open-screen.js';
import { colorDepthFor, type Theme } from '../../src/tui/theme.js';
import { loadThemes } from '../../src/tui/theme-files.js';
import { hasTitle } from '../../src/tui/title.js';
import { helpModel, killDialogModel, logPane, logRow, screenFixtures } from '../support/screen-fixtures.js';

// A program to try the screen in: `node program.js FIXTURE [throw-render | throw-timer | reject | exit | grow | busy]`.
// The misdeed comes at SIGUSR2. Prints how it ended after it has left the screen.
const [name = 'loading', mode = ''] = process.argv.slice(2);
const fixture = screenFixtures[name];
const [first, ...others] = loadThemes('themes');
if (fixture === undefined || first === undefined) throw new Error(`no fixture ${name}`);
const themes: readonly [Theme, ...Theme[]] = [first, ...others];

let model = fixture();
const listeners = new Set<() => void>();

const show = (next: ScreenModel): void => {
  model = next;
  for (const listener of listeners) listener();
};

const screen = openScreen({
  store: {
    model: () => model,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  },
  dispatch,
  answer: () => {},
  sanitize,
  themes,
  depth: colorDepthFor(process.env),
  glyphs: glyphsFor(process.env),
  stdin: process.stdin,
  stdout: process.stdout,
  title: hasTitle(process.env),
  bell: true,
});

const misdeeds: Readonly<Record<string, () => void>> = {
  // A row without its title, as only a fault of ours could give it.
  'throw-render': () => show({ ...model, phases: [{ ...model.phases[0], title: null } as never] }),
  'throw-timer': () => {
    throw new Error('boom in a timer');
  },
  exit: () => process.exit(3),
  reject: () => {
    void Promise.reject(new Error('boom in a promise'));
  },
};

const misdeed = misdeeds[mode];
if (misdeed !== undefined) process.once('SIGUSR2', () => setTimeout(misdeed));
const timers = [
  ...(mode === 'grow' ? [setInterval(() => grow(1), 100)] : []),
  // As a busy server: a thousand lines a second, and the clock.
  ...(mode === 'busy' ? [setInterval(() => grow(100), 100)] : []),
  setInterval(() => {}, 1000),
];

const end = await screen.closed;
for (const timer of timers) clearTimeout(timer);
const words = end.reason === 'signal' ? end.signal : end.reason === 'failed' ? String(end.error) : '';
process.stdout.write(`ended: ${end.reason} ${words}\n`);
process.exitCode = end.reason === 'failed' ? 70 : 0;

function dispatch(intent: Intent): void {
  if (intent.kind === 'leave') screen.close();
  else if (intent.kind === 'back') {
    if (model.overlay === null) screen.close();
    else show({ ...model, overlay: null });
  } else if (intent.kind === 'overlay') show({ ...model, overlay: helpModel().overlay });
  else if (intent.kind === 'ask-kill') show({ ...model, dialog: killDialogModel().dialog });
  else if (intent.kind === 'cancel') show({ ...model, dialog: null });
  else if (intent.kind === 'confirm') {
    show({ ...model, dialog: null, notice: { level: 'info', text: 'CONFIRMED' } });
  } else if (intent.kind === 'edit-filter') editFilter('', true);
  else if (intent.kind === 'filter-text') editFilter(intent.text, true);
  else if (intent.kind === 'filter-done') editFilter(model.log.filter.text, false);
  else if (intent.kind === 'filter-clear') editFilter('', false);
  else if (intent.kind === 'toggle' && intent.what === 'mouse') show({ ...model, mouse: !model.mouse });
  else if (intent.kind === 'scroll-log') {
    show({ ...model, notice: { level: 'info', text: `scrolled to ${intent.anchor}` } });
  } else if (intent.kind === 'next-theme') show({ ...model, theme: model.theme + 1 });
}

function editFilter(text: string, editing: boolean): void {
  show({ ...model, log: { ...model.log, filter: { ...model.log.filter, text, editing } } });
}

/** `count` lines more in the log, as a busy server would write them. */
function grow(count: number): void {
  const rows = [...model.log.rows(200)];
  for (let line = 0; line < count; line++) {
    const number = (rows.at(-1)?.number ?? 0) + 1;
    rows.push(
      logRow(
        number,
        `[2026-01-14 09:12:40 TP${number % 8}] line ${number} of a busy log, with some more words in it`,
      ),
    );
  }
  const status = { ...model.status, elapsedMs: (model.status.elapsedMs ?? 0) + 100 };
  show({ ...model, status, log: { ...logPane(rows.slice(-200)), version: `${rows.at(-1)?.number}` } });
}
