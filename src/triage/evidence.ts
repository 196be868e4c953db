import type { PhaseId, PhaseModel } from '../engines/ids.js';
import type { EndedRule, FailureRule } from '../engines/profile.js';
import type { Traceback } from '../ingest/traceback.js';
import type { DatedLine } from './findings.js';
import type { LineRef } from './report.js';
import type { Rule } from './rule-kinds.js';

type EndRule = Extract<Rule, { kind: 'death' | 'ended' | 'stopped' | 'hang' }>;

/** Something that may be why a run died: a Python exception, or a line that names a cause by itself. */
export interface Suspect extends LineRef {
  /** `Type: message` for exceptions, the message of the line otherwise. */
  readonly text: string;
  readonly traceback: Traceback | null;
  readonly rule: FailureRule | null;
  readonly rank: string | null;
  readonly depth: number;
  readonly phase: PhaseId | null;
  readonly model: PhaseModel | null;
  /** Printed by a logger of a living process rather than by the interpreter on its way out. */
  readonly logged: boolean;
  /** By that logger at error level. */
  readonly grave: boolean;
  readonly tolerated: Tolerance | null;
}

/** What a header says of its traceback: it does no harm, or it is the cause only where nothing better is there. */
export type Tolerance = 'harmless' | 'maybe';

/** The most suspects kept: a crash loop of requests must not fill the memory. */
const KEEP = 400;

/** Whether a process was interrupted from outside (Ctrl-C, or a handler of SIGTERM). */
export function isInterrupt(suspect: Suspect): boolean {
  return /^(?:\S+\.)?KeyboardInterrupt\b/.test(suspect.text);
}

/**
 * Nobody caught it, or an engine or worker process logged it as an error. What a front end's logger says of itself
 * (a tool parser, a request handler) it has survived.
 */
function isFatal(suspect: Suspect): boolean {
  if (!suspect.logged) return true;
  const isFrontEnds = suspect.depth < 2 && suspect.traceback?.source.includes('/') === true;
  return suspect.grave && !isFrontEnds;
}

/** What one run left behind for the verdict. Reset when a new run begins in the same file. */
export class Evidence {
  runStart: DatedLine | null = null;
  ready: DatedLine | null = null;
  death: DatedLine | null = null;
  deathAfterReady: DatedLine | null = null;
  stopped: DatedLine | null = null;
  /** The engine's own processes went, whoever asked for it: a batch job at its end, a kill, or a front end that failed. */
  orderly: DatedLine | null = null;
  /** The word of a signal's handler. */
  signalled: DatedLine | null = null;
  ended: DatedLine | null = null;
  /** Whether `ended` holds only where hardly a line follows. */
  endedIfLast = false;
  /** Whether somebody's signal did it. */
  endedBySignal = false;
  hang: DatedLine | null = null;
  /** Work for a script of the engine's own process, as far as the last word of it went; null where there was none. */
  work: 'done' | 'under way' | null = null;
  /** The program that measures a server, where its own words are in the log, and the last of these. */
  client: { readonly name: string; readonly lineNumber: number } | null = null;
  readonly #hints = new Map<string, readonly LineRef[]>();
  readonly #hangs = new Map<string, number>();
  readonly suspects: Suspect[] = [];
  readonly consequences: LineRef[] = [];
  readonly suspicions: LineRef[] = [];
  /** Last line by which the engine shows that it goes on. */
  aliveLine = 0;
  /** Last exception that nobody caught, or that was logged as an error: at the end of a finished file a crash. */
  uncaught: Suspect | null = null;

  /** The engine's own death: before ready any, after ready only one that came after it. */
  get ownDeath(): DatedLine | null {
    return this.ready === null ? this.death : this.deathAfterReady;
  }

  /** A line about the end of the run, or a hang; returns whether only a dying engine prints it. */
  take(rule: EndRule, line: DatedLine): boolean {
    if (rule.kind === 'death') {
      if (!this.#counts(rule.rule)) return false;
      if (this.ready !== null) this.deathAfterReady ??= line;
      this.death ??= line;
      return true;
    }
    if (rule.kind === 'hang') {
      const times = (this.#hangs.get(rule.rule.pattern) ?? 0) + 1;
      this.#hangs.set(rule.rule.pattern, times);
      if (times >= rule.rule.times) this.hang = line;
    } else if (this.#counts(rule.rule)) {
      if (rule.kind === 'ended') this.#end(rule.rule, line);
      else if (rule.rule.orderly === true) this.orderly = line;
      else {
        this.stopped ??= line;
        if (rule.rule.bySignal === true) this.signalled ??= line;
      }
    }
    return false;
  }

  #end({ last, bySignal }: EndedRule, line: DatedLine): void {
    // What held by itself is not undone by what a script says later.
    if (last === true && this.ended !== null && !this.endedIfLast) return;
    this.ended = line;
    this.endedBySignal = bySignal === true;
    this.endedIfLast = last === true;
  }

  #counts({ afterReady, afterWork }: EndedRule): boolean {
    if (afterWork === (this.work === 'done' ? 'never' : 'only')) return false;
    return afterReady !== (this.ready === null ? 'only' : 'never');
  }

  /** A new phase began: what looked like a hang was none. */
  wentOn(): void {
    this.hang = null;
    this.#hangs.clear();
  }

  addException(suspect: Suspect, isConsequence: boolean): void {
    // The last block of a chain stands for the chain: it knows the earlier ones.
    const last = this.suspects[this.suspects.length - 1];
    if (last?.traceback != null && last.traceback === suspect.traceback?.earlier) this.suspects.pop();
    this.addSuspect(suspect);
    const line = { line: suspect.line, lineNumber: suspect.lineNumber };
    if (isConsequence) this.addConsequence(line);
    else if (suspect.tolerated !== 'harmless') this.addSuspicion(line);
    const isNew = !this.#isMereEnd(suspect, isConsequence);
    if (suspect.tolerated === null && isFatal(suspect) && isNew) this.uncaught = suspect;
  }

  /** Ctrl-C after a crash, and what other processes throw because of Ctrl-C: what came first stays what ended it. */
  #isMereEnd(suspect: Suspect, isConsequence: boolean): boolean {
    const before = this.uncaught;
    if (before === null || this.aliveLine >= before.lineNumber) return false;
    return isInterrupt(before) ? isConsequence : isInterrupt(suspect);
  }

  /** The newest few lines that may explain a failure of `category`. */
  hint(category: string, line: LineRef): void {
    const lines = this.#hints.get(category) ?? [];
    this.#hints.set(category, [...lines.slice(-2), line]);
  }

  hintsFor(category: string): readonly LineRef[] {
    return this.#hints.get(category) ?? [];
  }

  addSuspect(suspect: Suspect): void {
    if (this.suspects.length >= KEEP) this.suspects.splice(KEEP / 2, 1);
    this.suspects.push(suspect);
  }

  addConsequence(line: LineRef): void {
    if (this.consequences.length < 100) this.consequences.push(line);
  }

  /** The first fifty and the newest fifty. */
  addSuspicion(line: LineRef): void {
    if (this.suspicions.length >= 100) this.suspicions.splice(50, 1);
    this.suspicions.push(line);
  }
}

/** How many lines may follow what is called the last word. */
const afterLast = 20;

/** Whether what was said of the end of the process holds: nothing of the engine follows. */
export function isAtItsEnd({ ended, endedIfLast, aliveLine }: Evidence, lines: number): boolean {
  if (ended === null || aliveLine > ended.lineNumber) return false;
  return !endedIfLast || lines - ended.lineNumber <= afterLast;
}
