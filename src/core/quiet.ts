import type { QuietState, State } from './state.js';

export const noQuiet: QuietState = { watchedMs: 0, silentMs: 0, heard: [] };

/** Samples older than this say nothing about the present (ms). */
export const staleSampleMs = 35_000;

/** Between two events: more than this and we, or the host, were asleep (ms). Ticks come four times a second. */
const pauseMs = 30_000;

/** How many lines are remembered: engines that wait repeat a few, each of their ranks. */
const heardLines = 64;

/** A burst of more lines is news, whatever it says; looking at the end of it is enough to know it again. */
const burstLines = 48;

/**
 * Lets time pass until `now`. A lost link, a suspended machine and a paused host are not counted as quiet, and after
 * them the stillness of everything else has to be watched anew.
 */
export function passTime(state: State, now: number): State {
  const passedMs = now - state.now;
  if (passedMs <= 0) return state;
  const { quiet, activity, link, log } = state;
  if (passedMs > pauseMs) return { ...state, now, activity: { ...activity, coveredSince: null } };
  const isReading = log.status === 'open' && (!log.caughtUp || log.ahead !== null);
  if (link.status !== 'up' || isReading) return { ...state, now };
  return { ...state, now, quiet: { ...quiet, silentMs: quiet.silentMs + passedMs } };
}

/** A sample has come, so long after the one before (ms): what lies between two of them was watched. */
export function watched(quiet: QuietState, gapMs: number): QuietState {
  if (gapMs > staleSampleMs) return quiet;
  return { ...quiet, watchedMs: quiet.watchedMs + Math.max(0, Math.min(gapMs, quiet.silentMs)) };
}

/** The quiet is over. */
export const broken = (quiet: QuietState): QuietState => ({ ...quiet, watchedMs: 0, silentMs: 0 });

/**
 * Takes new lines of the log. Answers to requests (our own look at the readiness path among them) and lines that
 * come again word by word, but for their time, leave the quiet as it is.
 */
export function hear(quiet: QuietState, lines: readonly string[]): QuietState {
  let { heard } = quiet;
  let isSign = false;
  const looked = lines.length > burstLines ? lines.slice(-burstLines) : lines;
  if (looked.length < lines.length) isSign = true;
  for (const line of looked) {
    if (accessLine.test(line)) continue;
    const words = withoutTimes(line);
    if (words === '' || heard.includes(words)) continue;
    isSign = true;
    heard = [...heard.slice(1 - heardLines), words];
  }
  if (isSign) return { heard, watchedMs: 0, silentMs: 0 };
  return quiet;
}

/** uvicorn's and others': `127.0.0.1:51288 - "GET /health HTTP/1.1" 503`; Gin's: `[GIN] … | 503 | 45.1µs | … GET "/"`. */
const accessLine = /"(?:GET|HEAD|POST|OPTIONS) \S+ HTTP\/\d(?:\.\d)?" \d{3}|^\[GIN\] .*\| \d{3} \|/;

/** Dates, times of day, and the clock of a progress bar (`[00:13<00:10, 2.05it/s]`). */
const times =
  /\[[\d:]+<[^\]]*\]|\d{1,4}[-/]\d{1,2}(?:[-/]\d{1,4})?|\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?/g;

/** Which of the ranks says it: `[… TP3]`, `(Worker_TP3 pid=4714)`, `[rank3]:`. */
const speakers = /(?<=[\s_[])(?:(?:TP|DP|PP|EP)_?\d+[ _]?)+(?=[\s\]])|\bpid=\d+|\brank=?\d+\b/g;

/** Numbers count up while somebody waits, or tries again; that is no progress, unless it is told as a share. */
const waiting =
  /\b(?:wait(?:s|ed|ing)?|retr(?:y|ies|ying)|attempts?|tr(?:y|ies|ied|ying) (?:again|to connect)|still|fail(?:s|ed|ing|ure)?|time[sd]?[ -]?out|refused|unreachable|no (?:data|response|answer|progress)|not (?:yet )?(?:ready|reached|responding|reachable|connected)|heart-?beats?|keep-?alive|is alive|watchdog|monitor(?:ing)?|telemetry|metrics|uptime)\b(?!\.py)/i;

/** Only the end of a line with many frames is looked at. */
function withoutTimes(line: string): string {
  const words = line.slice(-400).replace(times, '').replace(speakers, '').trim();
  return waiting.test(words) && !words.includes('%') ? words.replace(/\d+(?:\.\d+)?/g, '#') : words;
}
