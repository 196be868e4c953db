import { exitCodes } from '../errors.js';
import { redact } from '../ingest/redact.js';
import { sanitize } from '../ingest/sanitize.js';
import { copyToClipboard } from '../runtime/clipboard.js';
import { createScreenStore } from '../runtime/screen-store.js';
import { searchInSlices } from '../runtime/search-slices.js';
import type { Watch } from '../runtime/watch.js';
import type { ScreenSettings } from '../store/config-targets.js';
import { openScreen } from '../tui/open-screen.js';
import { hasTitle } from '../tui/title.js';
import { editorOf, editText } from './edit-text.js';
import { reportFailure } from './failure.js';
import { goodbye } from './goodbye.js';
import { keepWatch } from './keep-watch.js';
import type { Lending } from './lending.js';
import { screenLook } from './screen-look.js';
import { waitForVerdict } from './wait-for-verdict.js';

/** Shows a watch on the full screen until the user leaves; returns the exit code. Leaving is 0 and stops nothing. */
export async function showScreen(
  watch: Watch,
  lending: Lending,
  timeoutMs: number | null,
  settings: ScreenSettings,
): Promise<number> {
  const { store } = watch;
  const shown = createScreenStore(store);
  const endSearch = searchInSlices(store, Date.now);
  const screen = openScreen({
    store: shown,
    dispatch: (intent) => store.dispatch({ type: 'intent', at: Date.now(), intent }),
    answer: watch.answer,
    // What is on the screen may be photographed or shared: secrets are hidden there as well.
    sanitize: (text) => redact(sanitize(text)),
    ...screenLook(process.env, settings.theme ?? null),
    title: settings.title === true && hasTitle(process.env),
    bell: settings.bell === true,
    stdin: process.stdin,
    stdout: process.stdout,
  });
  lending.leave = (back) => {
    lending.wentBack = back;
    screen.close();
  };
  const editor = editorOf(process.env);
  if (editor !== null) lending.edit = (text) => screen.lend(() => editText(text, editor));
  lending.copy = (text) => copyToClipboard(text, process.env, screen.send);
  let exitCode: number = exitCodes.ready;
  const enough = new AbortController();
  if (timeoutMs !== null) {
    void waitForVerdict(store, timeoutMs, enough.signal).then(({ outcome }) => {
      if (outcome !== 'timeout') return;
      exitCode = exitCodes.timeout;
      screen.close();
    });
  }
  const end = await screen.closed;
  enough.abort();
  shown.close();
  endSearch();
  if (end.reason === 'failed') return reportFailure(end.error);
  if (end.reason === 'signal')
    exitCode = end.signal === 'SIGINT' ? exitCodes.interrupted : 128 + signalNumber(end.signal);
  // Whoever reads the last words may close the terminal.
  await keepWatch(watch);
  sayGoodbye(watch);
  return exitCode;
}

function sayGoodbye({ store }: Watch): void {
  const { verdict } = store.state();
  process.stdout.write(`${verdict.outcome.toUpperCase()}: ${sanitize(redact(verdict.summary))}\n`);
  const words = goodbye(store.state());
  if (words !== null) process.stdout.write(`${sanitize(words)}\n`);
}

const signalNumber = (signal: string): number => ({ SIGHUP: 1, SIGQUIT: 3, SIGTERM: 15 })[signal] ?? 0;
