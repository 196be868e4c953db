import { earlierRuns } from '../earlier-times.js';
import { evidenceFact } from '../evidence.js';
import { type HistoryEntry, secondsToReady } from '../history.js';
import { currentEntry } from '../run-entry.js';
import { modelName } from '../server-args.js';
import { servingAt } from '../serving.js';
import type { State } from '../state.js';
import { standingVerdict } from '../under-way.js';
import type { TriageCard } from '../view-models/triage-card.js';
import { clockText } from '../words.js';
import { engineName } from './header.js';

type Fact = TriageCard['known'][number];

/** What there is to know of a server that is ready: where it serves, how to try it, who says so, and what it took. */
export function readyFacts(state: State): readonly Fact[] {
  const serving = servingAt(state);
  const { serverArgs } = state.reading.findings();
  return [
    ...(serving === null
      ? []
      : [
          { label: 'serves on', text: `${serving.url} as seen from ${state.target.host}` },
          { label: 'try there', text: serving.curl },
        ]),
    ...standingVerdict(state).evidence.map(evidenceFact),
    ...fact('took', tookText(state)),
    ...fact('model', [modelName(serverArgs), engineName(state)].filter(Boolean).join(' on ')),
    ...fact('limits', limitsText(serverArgs)),
    ...fact('GPUs', memoryText(state)),
  ];
}

/** For the line of the verdict: `serves on http://127.0.0.1:30000, 1:02 faster than last time`. */
export function readySummary(state: State): string {
  const serving = servingAt(state);
  const { summary } = standingVerdict(state);
  return [serving === null ? summary : `serves on ${serving.url}`, changeText(state)]
    .filter((text) => text !== null)
    .join(', ');
}

const fact = (label: string, text: string): readonly Fact[] => (text === '' ? [] : [{ label, text }]);

/** `3:07 from its start to READY, 7:27 faster than last time (attempt 2 took 10:34)`. */
function tookText(state: State): string {
  const seconds = secondsNow(state);
  if (seconds === null) return '';
  const last = lastReady(state);
  const change = changeText(state);
  const took = `${clockText(1000 * seconds)} from its start to READY`;
  if (last === null || change === null) return took;
  const name = last.entry.attempt === null ? 'the last one' : `attempt ${last.entry.attempt}`;
  return `${took}, ${change} (${name} took ${clockText(1000 * last.seconds)})`;
}

/** `7:27 faster than last time`; null where there is nothing to compare with. */
function changeText(state: State): string | null {
  const seconds = secondsNow(state);
  const last = lastReady(state);
  if (seconds === null || last === null) return null;
  const difference = Math.round(seconds) - Math.round(last.seconds);
  // A second or two, of ten minutes some, tell nothing.
  if (Math.abs(difference) <= Math.max(1, last.seconds / 50)) return 'about as fast as last time';
  return `${clockText(1000 * Math.abs(difference))} ${difference < 0 ? 'faster' : 'slower'} than last time`;
}

function secondsNow(state: State): number | null {
  const entry = currentEntry(state);
  return entry === null ? null : secondsToReady(entry);
}

/** The newest attempt before this one of which it is known how long it took to be ready. */
function lastReady(state: State): { readonly entry: HistoryEntry; readonly seconds: number } | null {
  for (const entry of earlierRuns(state)) {
    const seconds = secondsToReady(entry);
    if (seconds !== null) return { entry, seconds };
  }
  return null;
}

/** What the server was told of the lengths it serves, as SGLang and vLLM name them. */
function limitsText(args: Readonly<Record<string, unknown>> | null): string {
  const number = (...names: readonly string[]): number | null => {
    const found = names.map((name) => args?.[name]).find((value) => typeof value === 'number');
    return typeof found === 'number' ? found : null;
  };
  const context = number('context_length', 'max_model_len', 'max_seq_len');
  const room = number('max_total_tokens');
  const step = number('max_num_batched_tokens');
  const requests = number('max_running_requests', 'max_num_seqs');
  return [
    context === null ? null : `context of ${context} tokens`,
    room === null ? null : `room for ${room} tokens`,
    step === null ? null : `${step} tokens a step`,
    requests === null ? null : `at most ${requests} requests at once`,
  ]
    .filter((text) => text !== null)
    .join(', ');
}

/** The memory in use is that of all who use these GPUs. */
function memoryText({ gpus }: State): string {
  const told = (gpus?.lastGood?.gpus ?? []).flatMap(({ memUsedMiB: used, memTotalMiB: total }) =>
    used === null || total === null ? [] : [{ used, total }],
  );
  if (told.length === 0) return '';
  const gib = (mib: readonly number[]): number => Math.round(mib.reduce((sum, each) => sum + each, 0) / 1024);
  const [used, total] = [gib(told.map((gpu) => gpu.used)), gib(told.map((gpu) => gpu.total))];
  return `${used} of ${total} GiB in use on ${told.length === 1 ? '1 GPU' : `${told.length} GPUs`}`;
}
