import { reduceAction } from './action.js';
import { reduceActivity } from './activity.js';
import { reduceAttempt, reduceHistory } from './attempts.js';
import { lastWordsMs } from './crash.js';
import { takeIntoDialog } from './dialogs.js';
import type { Effect } from './effects.js';
import type { Event } from './events.js';
import { searchOn } from './filter.js';
import { reduceGpus } from './gpus.js';
import { reduceHealth } from './health.js';
import { reduceIntent } from './intent-reducer.js';
import { reduceLink, reduceQuestion } from './link.js';
import { reduceLog, takeLastWords } from './log.js';
import { lookAtNew } from './log-view.js';
import { noticed } from './notice.js';
import { noteDiskReads } from './page-cache.js';
import { reduceProcess } from './process.js';
import { passTime } from './quiet.js';
import { withChange } from './relaunch-form.js';
import { enrolGpus, enrolSample } from './roster.js';
import type { State } from './state.js';
import { judge } from './verdict.js';
import { markWeights } from './weights-progress.js';

/**
 * The fold: every event goes through here, and the next state and what is to be done come out. Pure but for
 * the two structures that it owns (`log.ring`, `reading`).
 */
export function reduce(state: State, event: Event): readonly [State, readonly Effect[]] {
  const [changed, effects] = apply(passTime(state, event.at), event);
  return [markWeights(noteReady(judge(changed))), effects];
}

/** That it was ready once stays known, whatever becomes of it. */
function noteReady(state: State): State {
  const { verdict, readySince } = state;
  if (verdict.outcome !== 'ready' || verdict.provisional || readySince !== null) return state;
  return { ...state, readySince: verdict.since };
}

const none: readonly Effect[] = [];

function apply(state: State, event: Event): readonly [State, readonly Effect[]] {
  switch (event.type) {
    case 'tick':
      return [takeLastWords(event.slept ? { ...state, listeningSince: event.at } : state, lastWordsMs), none];
    case 'link':
      return [reduceLink(state, event.link, event.at), none];
    case 'question':
      return [reduceQuestion(state, event.question), none];
    case 'host':
      return [{ ...state, host: event.host }, none];
    case 'log-file':
    case 'log-lines':
    case 'log-partial':
    case 'log-ahead':
      return [lookAtNew(state, reduceLog(state, event)), none];
    case 'gpus':
      return [
        { ...reduceGpus(state, event.reading, event.at), roster: enrolGpus(state.roster, event.reading) },
        none,
      ];
    case 'host-sample':
      return [
        noteDiskReads({
          ...reduceActivity(state, event.sample, event.at),
          roster: enrolSample(state.roster, event.sample, event.at),
        }),
        none,
      ];
    case 'process':
      return [reduceProcess(state, event.process, event.at), none];
    case 'health':
      return [reduceHealth(state, event.answer, event.at), none];
    case 'attempt':
      return [reduceAttempt(state, event), none];
    case 'history':
      return [reduceHistory(state, event.entries), none];
    case 'action':
      return [reduceAction(state, event.action, event.at), none];
    case 'proposal':
      return [{ ...state, form: withChange(state.form, event.change) }, none];
    case 'dialog-look':
    case 'form':
      return takeIntoDialog(state, event);
    case 'notice':
      return [{ ...state, notice: noticed(event.at, event.level, event.text, event.forMs) }, none];
    case 'model-size':
      return [{ ...state, modelBytes: event.bytes }, none];
    case 'search':
      return [searchOn(state, event.lines), none];
    case 'intent':
      return reduceIntent(state, event.intent);
  }
}
