import { lastLogLines } from '../core/last-lines.js';
import { reportFacts } from '../core/report-facts.js';
import { readyFacts } from '../core/select/ready-facts.js';
import type { State } from '../core/state.js';
import { exitCodes } from '../errors.js';
import { redact } from '../ingest/redact.js';
import type { Watch } from '../runtime/watch.js';
import type { ScreenSettings } from '../store/config-targets.js';
import { parseDuration } from './duration.js';
import { goodbye } from './goodbye.js';
import { isDumb, isInteractive } from './is-interactive.js';
import { closeWatch } from './keep-watch.js';
import type { Lending } from './lending.js';
import { shortText, startNarrator } from './narrator.js';
import { remark } from './remark.js';
import { reportText } from './report-text.js';
import { findNoLog, waitForVerdict } from './wait-for-verdict.js';

export interface PresentOptions extends ScreenSettings {
  readonly json?: boolean;
  readonly timeout?: string;
  readonly heartbeat?: string;
  /** How long a wait without a screen lasts, where no `timeout` says it. */
  readonly patience?: string;
}

/** How a watch is to be shown, read from the options before anything is connected: a wrong one costs no login. */
export interface Presentation {
  readonly screen: boolean;
  readonly json: boolean;
  readonly timeoutMs: number | null;
  readonly heartbeatMs: number;
  readonly settings: ScreenSettings;
}

/** Without a screen every wait is bounded (contract: 30m); on it none is, unless asked for. */
export function presentation(options: PresentOptions, kind: 'screen' | 'text'): Presentation {
  const screen = kind === 'screen' && options.json !== true && isInteractive();
  const timeout = options.timeout ?? (screen ? undefined : (options.patience ?? '30m'));
  if (kind === 'screen' && options.json !== true && isDumb(process.env) && process.stdout.isTTY) {
    remark('TERM=dumb: there is no screen to draw on, so lines tell it.');
  }
  // Loads while the connection is being made; whoever shows it hears of a failure.
  if (screen) void import('./show-screen.js').catch(() => {});
  return {
    screen,
    json: options.json === true,
    timeoutMs: timeout === undefined ? null : parseDuration(timeout, '--timeout'),
    heartbeatMs: parseDuration(options.heartbeat ?? '15s', '--heartbeat'),
    settings: {
      ...(options.theme === undefined ? {} : { theme: options.theme }),
      bell: options.bell ?? true,
      title: options.title ?? true,
    },
  };
}

/** Shows a watch until it ends or the user leaves, closes it, and returns the exit code. */
export async function present(
  watch: Watch,
  { screen, json, timeoutMs, heartbeatMs, settings }: Presentation,
  lending: Lending,
): Promise<number> {
  try {
    if (screen) {
      const { showScreen } = await import('./show-screen.js');
      return await showScreen(watch, lending, timeoutMs, settings);
    }
    return await narrate(watch, { json, timeoutMs, heartbeatMs });
  } finally {
    await closeWatch(watch);
  }
}

async function narrate(
  { store }: Watch,
  options: { readonly json: boolean; readonly timeoutMs: number | null; readonly heartbeatMs: number },
): Promise<number> {
  const enough = new AbortController();
  const stop = (): void => enough.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const write = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  const narrator = startNarrator(store, { ...options, write });
  const ending = await Promise.race([
    waitForVerdict(store, options.timeoutMs, enough.signal),
    findNoLog(store, enough.signal),
  ]);
  // The other one has nothing to wait for any more.
  enough.abort();
  narrator.stop();
  process.off('SIGINT', stop);
  process.off('SIGTERM', stop);
  const state = store.state();
  if (ending.outcome === 'interrupted') {
    const words = goodbye(state);
    if (words !== null) remark(words);
  } else {
    narrator.finish(state, ending.outcome, endText(state, ending.exitCode));
  }
  return ending.exitCode;
}

/** What stands after the last line of change, for people. */
function endText(state: State, exitCode: number): readonly string[] {
  const { verdict } = state;
  const evidence = verdict.evidence.map(({ witness, text, lineNumber }) => {
    return `  ${witness.padEnd(8)} ${text}${lineNumber === null ? '' : ` (line ${lineNumber})`}`;
  });
  if (exitCode === exitCodes.ready) {
    const facts = readyFacts(state).map(({ label, text }) => `  ${label.padEnd(10)} ${text}`);
    return ['', `READY: ${verdict.summary}`, ...facts];
  }
  if (exitCode === exitCodes.timeout && (verdict.outcome === 'loading' || verdict.provisional)) {
    return ['', `TIMED OUT, the server is left alone: ${verdict.summary}`, ...evidence];
  }
  if (exitCode === exitCodes.usage) {
    return ['', `UNKNOWN: ${verdict.summary}`, '  Name the file that the server writes: --log PATH.'];
  }
  const report = state.reading.report(reportFacts(state));
  return [
    '',
    `${verdict.outcome.toUpperCase()}: ${verdict.summary}`,
    ...(verdict.outcome === 'crashed' ? evidence.map((line) => shortText(redact(line))) : evidence),
    '',
    ...reportText(report, lastLogLines(state, 40)),
  ];
}
