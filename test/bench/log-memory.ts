import { isSearching } from '../../src/core/filter.js';
import { initialState } from '../../src/core/initial.js';
import type { Intent } from '../../src/core/intents.js';
import { selectScreen } from '../../src/core/select/screen.js';
import { searchInSlices } from '../../src/runtime/search-slices.js';
import { deflate } from '../../src/runtime/squeeze.js';
import { createStore } from '../../src/runtime/store.js';
import { timeBox } from '../../src/runtime/time-box.js';
import { createReading } from '../../src/triage/reading.js';
import { watchTarget } from '../core/fold.js';

// A process of its own, so that its memory is that of the log alone. Prints one JSON object: feeds a million lines,
// filters them in slices, goes on to ten million.
const target = watchTarget({ host: 'local', engine: 'sglang' });
const store = createStore(
  initialState({ target, reading: createReading({ engine: 'sglang' }), now: 0, squeeze: deflate, timeBox }),
  () => {},
);

/** Some 160 characters, as a busy SGLang server writes them: no two lines are the same. */
function lineAt(number: number): string {
  const second = Math.floor(number / 1000);
  const clock = [second / 3600, (second / 60) % 60, second % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');
  const noise = (number * 2_654_435_761) % 4_294_967_296;
  return `[2026-01-14 ${clock} TP${number % 8}] Decode batch. #running-req: ${noise % 97}, #token: ${noise % 826_865}, token usage: 0.${noise % 89}, cuda graph: True, gen throughput (token/s): ${(noise % 90_000) / 10}, #queue-req: ${noise % 5}`;
}

let number = 0;
let characters = 0;
let highestRss = 0;

function feed(upTo: number): { readonly cpuS: number } {
  const before = process.cpuUsage();
  while (number < upTo) {
    const lines = Array.from({ length: 500 }, () => {
      number += 1;
      const text = lineAt(number);
      characters += text.length + 1;
      return { number, text };
    });
    store.dispatch({ type: 'log-lines', at: number, lines, offset: characters, size: characters });
    // A frame for every ten thousand lines.
    if (number % 10_000 === 0) selectScreen(store.state()).log.rows(40);
    if (number % 50_000 === 0) highestRss = Math.max(highestRss, process.memoryUsage().rss);
  }
  return { cpuS: cpuSince(before) };
}

const cpuSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

const mib = (bytes: number): number => bytes / 1024 / 1024;

const press = (intent: Intent): void => store.dispatch({ type: 'intent', at: number, intent });

/** Types a filter and waits until all lines were looked at; keys would have waited for `longestMs` at most. */
async function filter(text: string): Promise<object> {
  press({ kind: 'filter-clear' });
  const before = process.cpuUsage();
  let longestMs = 0;
  let last = performance.now();
  press({ kind: 'filter-text', text });
  const firstRows = selectScreen(store.state()).log.rows(40).length;
  longestMs = performance.now() - last;
  while (isSearching(store.state())) {
    last = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    longestMs = Math.max(longestMs, performance.now() - last);
  }
  const { matched, slow } = selectScreen(store.state()).log;
  const found = { found: matched?.count, of: matched?.of, unsearched: slow?.left ?? 0 };
  return { text, cpuS: cpuSince(before), longestMs, firstRows, ...found };
}

const first = feed(1_000_000);
const stop = searchInSlices(store, () => number);
const oneMillion = { ...first, rssMiB: mib(process.memoryUsage().rss), highestMiB: mib(highestRss) };
const filters = [];
for (const text of ['queue-req: 4$', 'TP7.*usage: 0\\.8 ', '@TP3 !graph', 'nothing like that', '(.*)*x$']) {
  filters.push(await filter(text));
}
const afterFilters = mib(process.memoryUsage().rss);
press({ kind: 'filter-clear' });
stop();
const { cpuS } = feed(10_000_000);
const { start, end } = store.state().log.ring;
const tenMillion = {
  cpuS,
  rssMiB: mib(process.memoryUsage().rss),
  highestMiB: mib(highestRss),
  kept: end - start,
};
process.stdout.write(
  `${JSON.stringify({ charactersALine: characters / number, oneMillion, filters, afterFilters, tenMillion })}\n`,
);
