import { durationText } from '../core/words.js';
import { quoteAll } from '../remote/quote.js';
import type { PickerRow } from '../tui/picker-model.js';
import type { Answer, Asked } from './ask-servers.js';

/** An answer as one row of a table, not sanitised. */
export function answerRow({ target, label, options }: Asked, answer: Answer, now: number): PickerRow {
  const server = target ?? options.name ?? '';
  const row = { server, host: label, attempt: '', since: '' };
  switch (answer.kind) {
    case 'judged': {
      const { state } = answer;
      return {
        server: server === '' ? (answer.name ?? '–') : server,
        host: label,
        word: state.outcome,
        attempt: state.attempt === null ? '' : String(state.attempt),
        since: state.since === null ? '' : durationText(Math.max(0, now - state.since)),
        detail: detailOf(answer),
      };
    }
    case 'none':
      return {
        ...row,
        word: 'none',
        ...(target === null ? { detail: answer.text } : nextStep(target, options.via?.launch ?? null)),
      };
    case 'unreachable':
      return { ...row, word: answer.needsAnswer ? 'login' : 'offline', detail: answer.text };
    case 'failed':
      return { ...row, word: 'unknown', detail: answer.text };
  }
}

function nextStep(target: string, command: string | null): Pick<PickerRow, 'detail' | 'start'> {
  if (command === null) return { detail: 'the config has no command and no log for it' };
  const line = quoteAll(['firedup', 'launch', target]);
  return { detail: `${line} starts it`, start: { line, command } };
}

function detailOf({ state }: Extract<Answer, { kind: 'judged' }>): string {
  if (state.outcome !== 'loading' || state.phaseTitle === null || state.progress === null)
    return state.summary;
  return `${state.summary} ${Math.round(100 * state.progress)} %`;
}
