import { exitCodes } from '../../errors.js';
import { redact } from '../../ingest/redact.js';
import { sanitize } from '../../ingest/sanitize.js';
import { findConfig } from '../../store/find-config.js';
import type { PickerRow } from '../../tui/picker-model.js';
import { hasTitle } from '../../tui/title.js';
import { type Answer, type Asked, askServers } from '../ask-servers.js';
import { reportFailure } from '../failure.js';
import { loadConfig } from '../load-config.js';
import { screenLook } from '../screen-look.js';
import { answerRow } from '../server-row.js';
import { allTargets } from './status.js';
import { visit } from './watch.js';

/**
 * `firedup` alone on a terminal: the targets of the config with the state of each; Enter watches one, and `q` there
 * comes back to the list. False where there is no config or no target in it: then there is nothing to pick.
 */
export async function pick(): Promise<boolean> {
  const path = findConfig(null, '', process.env);
  if (path === null || !((await loadConfig(undefined))?.targets.size ?? 0)) return false;
  const targets = await allTargets({}, new Set());
  let at = 0;
  for (;;) {
    const { chosen, exitCode } = await choose(targets, path, at);
    process.exitCode = exitCode;
    const target = chosen === null ? undefined : targets[chosen];
    if (chosen === null || !target || !(await visit(target.label, target.options))) return true;
    at = chosen;
  }
}

/** Which target is to be watched, or the exit code with which the user left. `at` is the row that is chosen at first. */
async function choose(
  targets: readonly Asked[],
  source: string,
  at: number,
): Promise<{ readonly chosen: number | null; readonly exitCode: number }> {
  const { openPicker } = await import('../../tui/open-picker.js');
  const asking = startAsking(targets);
  const { theme = null, title = true } = targets[0]?.options ?? {};
  const { end, chosen } = await openPicker({
    model: () => ({ source, rows: asking.rows(), askedAt: asking.askedAt() }),
    subscribe: asking.subscribe,
    at,
    refresh: asking.again,
    sanitize: (text) => sanitize(redact(text)),
    ...screenLook(process.env, theme),
    title: title && hasTitle(process.env),
    stdin: process.stdin,
    stdout: process.stdout,
  });
  asking.stop();
  if (end.reason === 'failed') return { chosen: null, exitCode: reportFailure(end.error) };
  if (end.reason === 'signal') {
    return { chosen: null, exitCode: end.signal === 'SIGINT' ? exitCodes.interrupted : 143 };
  }
  return { chosen, exitCode: exitCodes.ready };
}

/** Asks for all targets, and again when it is told to; a round that is under way is given up then. */
function startAsking(targets: readonly Asked[]) {
  const listeners = new Set<() => void>();
  let answers: ReadonlyMap<Asked, Answer> = new Map();
  let round = new AbortController();
  let askedAt = new Date();

  const again = (): void => {
    round.abort();
    round = new AbortController();
    askedAt = new Date();
    answers = new Map();
    const { signal } = round;
    const tell = (one: Asked, answer: Answer): void => {
      if (signal.aborted) return;
      answers = new Map([...answers, [one, answer]]);
      for (const listener of listeners) listener();
    };
    void askServers(targets, tell, signal);
  };
  again();

  return {
    again,
    stop: () => round.abort(),
    askedAt: () => askedAt.toTimeString().slice(0, 8),
    rows: (): readonly PickerRow[] => {
      const now = Date.now();
      return targets.map((one) => {
        const answer = answers.get(one);
        if (answer !== undefined) return answerRow(one, answer, now);
        return {
          server: one.target ?? '',
          host: one.label,
          word: 'asking',
          attempt: '',
          since: '',
          detail: '',
        };
      });
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
