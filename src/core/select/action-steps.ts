import { redact } from '../../ingest/redact.js';
import { isAsking } from '../dialogs.js';
import type { ActionStep } from '../events.js';
import type { State, StepState } from '../state.js';
import { isUnderWay } from '../under-way.js';
import type { DialogStep } from '../view-models/dialog.js';
import { firstLineOf } from '../words.js';

/**
 * The checklist of a kill or relaunch: its steps as they have been told, and those that come as long as it goes on; none
 * before it has begun. Secrets redacted.
 */
export function selectSteps(state: State): readonly DialogStep[] {
  const { action, now } = state;
  if (action === null) return [];
  // While it asks, what would come stands for nothing.
  const goesOn = isUnderWay(state) && !isAsking(state);
  const told = withoutEcho(action.steps);
  const planned = plan(state);
  const lastTold = planned.findLastIndex(({ step, index }) => told.filter(isOf(step))[index] !== undefined);
  const rows = planned.flatMap(({ step, index, text, otherwise }, place): readonly DialogStep[] => {
    const row = told.filter(isOf(step))[index];
    if (row !== undefined) return [toldStep(row, now)];
    const rest = { label: labels[step], seconds: null, details: [] };
    if (place < lastTold) return otherwise === null ? [] : [{ ...rest, status: 'skipped', text: otherwise }];
    return goesOn ? [{ ...rest, status: 'pending', text }] : [];
  });
  return [...rows, ...told.filter(isOf('finished')).map((row) => toldStep(row, now))];
}

type StepName = ActionStep['step'] | 'watch';

const labels: Readonly<Record<StepName, string>> = {
  kill: 'kill',
  'gpus-free': 'GPUs free',
  before: 'before',
  preflight: 'pre-flight',
  start: 'start',
  watch: 'watch',
  finished: '',
};

interface Planned {
  readonly step: StepName;
  /** Which of the told ones of that name it is. */
  readonly index: number;
  /** What it is going to do. */
  readonly text: string;
  /** Why it was left out, if it was; null where that is not worth a row. */
  readonly otherwise: string | null;
}

function plan({ action, attempt, target, form, looksFirst }: State): readonly Planned[] {
  const one = (step: StepName, text: string, otherwise: string | null): Planned => ({
    step,
    index: 0,
    text,
    otherwise,
  });
  const ending = [
    one('kill', 'what runs, with all its processes', 'nothing ran'),
    one('gpus-free', 'wait until the GPUs have given its memory back', 'nothing was to be ended'),
  ];
  if (action?.kind !== 'relaunch') return ending;
  const { container } = target;
  const next = attempt === null ? 'the next attempt' : `attempt ${attempt.number + 1}`;
  return [
    ...ending,
    ...form.before.map((text, index) => ({
      step: 'before' as const,
      index,
      text: firstLineOf(redact(text)),
      otherwise: null,
    })),
    ...(looksFirst ? [one('preflight', 'look at the host', null)] : []),
    one('start', container ? `container ${container.name}` : next, null),
    one('watch', 'its log from the first line', null),
  ];
}

const isOf =
  (name: StepName) =>
  ({ step }: Pick<StepState, 'step'>): boolean =>
    step === name;

/** The last word on a failure mostly says it again, with what to do: then it stands in the step's own row. */
function withoutEcho(steps: readonly StepState[]): readonly StepState[] {
  const [last, failed] = [steps.at(-1), steps.at(-2)];
  if (last?.step !== 'finished' || failed?.status !== 'failed') return steps;
  // What was in the way stands below that step.
  if (failed.step === 'preflight' && last.text.endsWith(nothing))
    return steps.with(-1, { ...last, text: nothing });
  if (!last.text.startsWith(failed.text)) return steps;
  return [...steps.slice(0, -2), { ...failed, text: last.text }];
}

const nothing = 'Nothing was started.';

function toldStep({ step, text, status, details = [], since, until }: StepState, now: number): DialogStep {
  const told = step === 'before' && status === 'active' ? firstLineOf(text) : text;
  const [first = '', ...more] = told.split('\n');
  const seconds = Math.floor(((until ?? now) - since) / 1000);
  const isTimed = (status === 'active' || status === 'done') && seconds > 0;
  return {
    label: labels[step],
    text: first,
    status,
    seconds: isTimed ? seconds : null,
    details: [...more, ...details],
  };
}
