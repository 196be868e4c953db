import { exitCodes, FiredupError } from '../../errors.js';
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
  const asking = askAgainAndAgain(targets);
  let from: Start = { at: 0, notice: null };
  for (;;) {
    asking.again();
    const { chosen, exitCode } = await choose(targets, asking, path, from);
    asking.stop();
    process.exitCode = exitCode;
    const target = chosen === null ? undefined : targets[chosen];
    if (chosen === null || !target) return true;
    try {
      if (!(await visit(target.label, target.options))) return true;
      from = { at: chosen, notice: null };
    } catch (error) {
      from = { at: chosen, notice: whyNot(error) };
    }
  }
}

/**
 * One target that cannot be watched is no reason to leave the list; what nobody foresaw is, and so is the user's own
 * word.
 */
function whyNot(error: unknown): string {
  if (!(error instanceof FiredupError) || error.exitCode === exitCodes.interrupted) throw error;
  return error.hint ? `${error.message} ${error.hint}` : error.message;
}

/** How the list begins: the row that is chosen, and what is said. */
interface Start {
  readonly at: number;
  readonly notice: string | null;
}

/** Which target is to be watched, or the exit code with which the user left. */
async function choose(
  targets: readonly Asked[],
  asking: ReturnType<typeof askAgainAndAgain>,
  source: string,
  { at, notice }: Start,
): Promise<{ readonly chosen: number | null; readonly exitCode: number }> {
  const { openPicker } = await import('../../tui/open-picker.js');
  const { theme = null, title = true } = targets[0]?.options ?? {};
  const { end, chosen } = await openPicker({
    model: () => ({ source, rows: asking.rows(), askedAt: asking.askedAt() }),
    subscribe: asking.subscribe,
    at,
    notice,
    refresh: asking.again,
    sanitize: (text) => sanitize(redact(text)),
    ...screenLook(process.env, theme),
    title: title && hasTitle(process.env),
    stdin: process.stdin,
    stdout: process.stdout,
  });
  if (end.reason === 'failed') return { chosen: null, exitCode: reportFailure(end.error) };
  if (end.reason === 'signal') {
    return { chosen: null, exitCode: end.signal === 'SIGINT' ? exitCodes.interrupted : 143 };
  }
  return { chosen, exitCode: exitCodes.ready };
}

/**
 * Asks for all targets each time that it is told to; a round that is under way is given up then. Until a target has
 * answered anew its last answer stands.
 */
function askAgainAndAgain(targets: readonly Asked[]) {
  const listeners = new Set<() => void>();
  const answers = new Map<Asked, Answer>();
  const awaited = new Set<Asked>();
  let round = new AbortController();
  let askedAt = new Date();

  const again = (): void => {
    round.abort();
    round = new AbortController();
    askedAt = new Date();
    for (const one of targets) awaited.add(one);
    const { signal } = round;
    const tell = (one: Asked, answer: Answer): void => {
      if (signal.aborted) return;
      answers.set(one, answer);
      awaited.delete(one);
      for (const listener of listeners) listener();
    };
    void askServers(targets, tell, signal);
  };

  return {
    again,
    stop: () => round.abort(),
    askedAt: () => askedAt.toTimeString().slice(0, 8),
    rows: (): readonly PickerRow[] => {
      const now = Date.now();
      return targets.map((one): PickerRow => {
        const answer = answers.get(one);
        if (answer !== undefined) {
          const row = answerRow(one, answer, now);
          return awaited.has(one) ? { ...row, isAskedAgain: true } : row;
        }
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
