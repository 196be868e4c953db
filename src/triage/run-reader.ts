import type { PhaseId, PhaseModel } from '../engines/ids.js';
import type { EngineProfile, FailureRule, PhaseRule } from '../engines/profile.js';
import { isWorkDone } from '../engines/shared/offline-work.js';
import { splitFrames } from '../ingest/frames.js';
import { unwrapJsonRecord } from '../ingest/json-record.js';
import type { LogLine } from '../ingest/line.js';
import { findPrefix, type Prefix, readPrefix } from '../ingest/prefix.js';
import { consequenceOf } from './cause.js';
import { stampMs } from './clock.js';
import { CollectorPrefix } from './collector-prefix.js';
import { Evidence } from './evidence.js';
import { Exceptions } from './exceptions.js';
import type { DatedLine, LineClass, LineLevel } from './findings.js';
import type { Frame } from './frame.js';
import { LineClasses, levelOf } from './line-class.js';
import { PhaseReader } from './phase-reader.js';
import type { Moment, PhaseTrack } from './phase-track.js';
import { ReadyWatch } from './ready-watch.js';
import type { RuleWatch } from './rule-watch.js';
import { flag, type Rule, type Rules, rulesOf } from './rules.js';
import { type FactRule, isFactRule, RunFacts } from './run-facts.js';
import { Services } from './services.js';

/** Reads lines by one engine's rules. What it has found lies open for `findings` and `report`. */
export class RunReader {
  readonly profile: EngineProfile;
  readonly rules: Rules;
  evidence = new Evidence();
  #phases: PhaseReader;
  runs = 0;
  readonly facts: RunFacts;
  lastStamp: string | null = null;
  sawTraceback = false;
  #ready: ReadyWatch;
  #exceptions = new Exceptions();
  readonly #collector = new CollectorPrefix();
  readonly #classes = new LineClasses();
  readonly #services = new Services();
  readonly #matched: Rule[] = [];

  readonly #watch: RuleWatch | undefined;

  constructor(profile: EngineProfile, watch?: RuleWatch) {
    this.profile = profile;
    this.#watch = watch;
    this.rules = rulesOf(profile);
    this.facts = new RunFacts(profile.argKeys);
    this.#phases = new PhaseReader(this.rules);
    this.#ready = new ReadyWatch(profile.ready);
  }

  read(line: LogLine, at: number | null): LineClass {
    const record = unwrapJsonRecord(line.text);
    if (record !== null) return this.#frames(record.split(/[\r\n]+/), line, at, line.text);
    if (!line.text.includes('\r')) return this.#frame(line.text, line.number, at, line.text);
    return this.#frames(splitFrames(line.text), line, at, null);
  }

  /** The frames of one line, the last of which decides its class; `shown` stands for them all in reports. */
  #frames(frames: readonly string[], line: LogLine, at: number | null, shown: string | null): LineClass {
    let last = this.#classes.of(null, 'info', false);
    let milestone = false;
    for (const frame of frames) {
      last = this.#frame(frame, line.number, at, shown ?? frame);
      milestone ||= last.milestone;
    }
    return milestone === last.milestone ? last : this.#classes.of(last.rank, last.level, true, last.whose);
  }

  /** Progress of a line that has not ended; returns whether anything moved. */
  readPartial(text: string): boolean {
    return this.evidence.ready === null && this.#phases.bar(text, null, null);
  }

  get phases(): PhaseTrack {
    return this.#phases.track;
  }

  /** The newest version whose wording was seen: a lower bound. */
  get atLeast(): string | null {
    return this.#phases.atLeast;
  }

  #frame(text: string, number: number, at: number | null, shown: string): LineClass {
    let prefix = this.#prefixOf(text);
    const matched = this.#matched;
    const flags = this.rules.match(text, prefix.written, matched);
    if (prefix.stamp !== null) this.lastStamp = prefix.stamp;
    if (flags === 0 && matched.length === 0 && !this.#exceptions.waits(prefix.source)) {
      if (prefix.known) this.evidence.aliveLine = number;
      if (text !== '') this.#exceptions.note(prefix.source, text, prefix.end, number);
      return this.#classes.of(prefix.rank, levelOf(prefix.level), false);
    }
    if ((flags & flag.frame) !== 0 && this.#learn(text, prefix, number)) prefix = this.#prefixOf(text);
    if ((flags & flag.bar) !== 0 && prefix.rank === null)
      prefix = findPrefix(text, this.rules.embedded) ?? prefix;
    const frame: Frame = { text, number, at, prefix, line: { lineNumber: number, line: shown.trimEnd() } };
    if ((flags & flag.traceback) !== 0) this.#collector.opened(frame);
    return this.#look(frame, flags, matched);
  }

  #prefixOf(text: string): Prefix {
    return readPrefix(text, this.rules.prefixes, this.#collector.patterns);
  }

  /** Whether a collector's prefix was learned; then the line that opened the traceback is read again by it. */
  #learn(text: string, prefix: Prefix, number: number): boolean {
    const opening = this.#collector.learn(text, prefix, number, this.rules);
    if (opening === null) return false;
    this.#exceptions.forget(opening.prefix.source);
    this.#exceptions.read(
      { ...opening, prefix: this.#prefixOf(opening.text) },
      flag.traceback,
      this.#place(),
    );
    return true;
  }

  #place(): { readonly phase: PhaseId | null; readonly model: PhaseModel | null } {
    const { current } = this.phases;
    return { phase: current?.id ?? null, model: current?.model ?? null };
  }

  #look(frame: Frame, flags: number, matched: readonly Rule[]): LineClass {
    const { prefix, number } = frame;
    const { evidence } = this;
    const wasReady = evidence.ready;
    const benign = matched.find((rule) => rule.kind === 'benign');
    if (benign?.rule.opaque === true) {
      this.#watch?.({ line: frame.line, matched, level: 'info', inTraceback: false, suspect: null });
      return this.#classes.of(prefix.rank, 'info', false);
    }
    if (benign?.rule.traceback === true)
      this.#exceptions.tolerate(number, benign.rule.mayMatter === true ? 'maybe' : 'harmless');
    let milestone = false;
    let grave = false;
    const passedOver = this.#services.passedOver(frame, matched);
    for (const rule of matched) {
      if (passedOver.has(rule.kind)) continue;
      if (rule.kind === 'phase') milestone = this.#phase(rule.rule, rule.pattern, frame) || milestone;
      else if (rule.kind === 'failure')
        this.#suspectLine(rule.rule, frame, benign !== undefined || (flags & flag.traceback) !== 0);
      else if (rule.kind === 'hint') this.evidence.hint(rule.rule.category, frame.line);
      else if (isFactRule(rule)) this.facts.take(rule, frame.text);
      else if (rule.kind === 'work')
        this.evidence.work = isWorkDone(rule.pattern, frame.text) ? 'done' : 'under way';
      else if (rule.kind === 'client')
        this.evidence.client = { name: this.evidence.client?.name ?? rule.rule.client, lineNumber: number };
      else if (rule.kind === 'consequence') grave ||= rule.rule.soft !== true;
      else if (rule.kind !== 'benign') grave = this.#take(rule, frame) || grave;
    }
    milestone ||= this.evidence.ready !== wasReady && this.evidence.ready !== null;
    const bar = (flags & flag.bar) !== 0 && this.#bar(frame);
    const isMessage = this.#exceptions.isMessage(prefix);
    const step = this.#exceptions.read(frame, flags, this.#place());
    this.sawTraceback ||= step.part !== null;
    if (step.suspect !== null)
      this.evidence.addException(step.suspect, consequenceOf(step.suspect.text, this.rules) === 'hard');
    const level = this.#level(frame, flags, {
      harmless: benign !== undefined || milestone,
      grave,
      traceback: step.part,
      bar,
    });
    this.#watch?.({
      line: frame.line,
      matched,
      level,
      inTraceback: step.part !== null,
      suspect: step.suspect,
    });
    const isSaid = prefix.known && !isMessage && step.part === null;
    const calm = isSaid && level !== 'error' && !grave && benign === undefined;
    if (calm || (milestone && !grave)) this.evidence.aliveLine = number;
    return this.#classes.of(prefix.rank, level, milestone, step.whose);
  }

  #level(frame: Frame, flags: number, seen: Seen): LineLevel {
    if (seen.grave) {
      this.evidence.addConsequence(frame.line);
      return 'error';
    }
    if (seen.traceback !== null) return seen.traceback === 'open' ? 'error' : 'warning';
    const errorWord = (flags & flag.error) !== 0;
    if (seen.bar && !errorWord) return 'progress';
    const said = levelOf(frame.prefix.level);
    if (seen.harmless) return said === 'error' ? 'warning' : said;
    if ((errorWord && frame.prefix.level === null) || said === 'error') {
      this.evidence.addSuspicion(frame.line);
      return 'error';
    }
    return (flags & flag.warning) !== 0 && frame.prefix.level === null ? 'warning' : said;
  }

  /** A rule about the run or its end; returns whether the line is one of a dying engine. */
  #take(
    rule: Exclude<
      Rule,
      FactRule | { kind: 'phase' | 'failure' | 'hint' | 'consequence' | 'benign' | 'work' | 'client' }
    >,
    frame: Frame,
  ): boolean {
    switch (rule.kind) {
      case 'run-start':
        this.#runStart(frame);
        return false;
      case 'ended':
        if (rule.rule.beforeStart === true && this.#isUnderWay()) return false;
        return this.evidence.take(rule, this.#dated(frame));
      case 'death':
      case 'stopped':
      case 'hang':
        return this.evidence.take(rule, this.#dated(frame));
      default:
        this.#watchReady(rule, frame);
        return false;
    }
  }

  /** The engine has spoken, and nothing says that this run is over. */
  #isUnderWay(): boolean {
    const { runStart, ready, death, deathAfterReady, uncaught, stopped, ended } = this.evidence;
    if (stopped !== null) return false;
    if (ready !== null) return deathAfterReady === null;
    const isOver = [death, uncaught, ended].some(Boolean);
    return !isOver && (runStart !== null || this.phases.begun > 0);
  }

  #watchReady(rule: Extract<Rule, { kind: 'ready' | 'ready-after' | 'ready-needs' }>, frame: Frame): void {
    // Answers come by the thousand; once ready they say nothing new.
    if (this.evidence.ready !== null) return;
    const complete = this.#ready.see(rule, this.#dated(frame), this.facts.args, this.evidence.death !== null);
    if (complete === null) return;
    this.evidence.ready = complete;
    this.phases.endAll(this.#moment(frame));
    this.phases.mark('ready', null, null, 'begin', this.#moment(frame));
    this.evidence.wentOn();
  }

  #phase(rule: PhaseRule, pattern: RegExp, frame: Frame): boolean {
    this.#phases.sawVersion(rule.since);
    // After ready a phase line is a request's; behind a shutdown it is of the next run, whose first line was not known.
    if (this.evidence.ready !== null) {
      if (rule.event !== 'begin' || this.evidence.stopped === null) return false;
      this.#reset();
      this.runs++;
    }
    const match = rule.detail === undefined ? null : pattern.exec(frame.text);
    const isNew = this.#phases.line(
      rule,
      match,
      frame.prefix.rank,
      this.#moment(frame),
      this.facts.speculative !== false,
    );
    if (isNew) this.evidence.wentOn();
    return true;
  }

  /** A first line again: a new run, unless nothing has happened since the last (some print it twice). */
  #runStart(frame: Frame): void {
    const { evidence, phases } = this;
    const ended = [evidence.death, evidence.ready, evidence.uncaught, evidence.stopped].some(Boolean);
    const isRepeat = evidence.runStart !== null && phases.begun <= 1 && !ended;
    if (isRepeat) return;
    if (evidence.runStart !== null || ended || phases.begun > 1) this.#reset();
    this.runs++;
    this.evidence.runStart = this.#dated(frame);
  }

  #reset(): void {
    this.evidence = new Evidence();
    this.#phases = new PhaseReader(this.rules);
    this.#ready = new ReadyWatch(this.profile.ready);
    this.#exceptions = new Exceptions();
    this.facts.nextRun();
    this.runs ||= 1;
  }

  #suspectLine(rule: FailureRule, frame: Frame, benign: boolean): void {
    // Inside a traceback the exception speaks for itself.
    if (benign || this.#exceptions.opens(frame.prefix.source)) return;
    const { rank, end } = frame.prefix;
    const phase = this.phases.current?.id ?? null;
    const model = this.phases.current?.model ?? null;
    const text = frame.text.slice(end);
    this.evidence.addSuspect({
      ...frame.line,
      text,
      traceback: null,
      rule,
      rank,
      depth: 3,
      phase,
      model,
      logged: true,
      grave: false,
      tolerated: null,
    });
  }

  /** After ready a bar is a request's. */
  #bar(frame: Frame): boolean {
    return (
      this.evidence.ready !== null || this.#phases.bar(frame.text, frame.prefix.rank, this.#moment(frame))
    );
  }

  #dated(frame: Frame): DatedLine {
    return { ...frame.line, logMs: stampMs(frame.prefix.stamp ?? this.lastStamp), at: frame.at };
  }

  #moment(frame: Frame): Moment {
    return { logMs: stampMs(frame.prefix.stamp ?? this.lastStamp), at: frame.at, line: frame.number };
  }
}

interface Seen {
  readonly harmless: boolean;
  readonly grave: boolean;
  readonly traceback: 'harmless' | 'open' | null;
  readonly bar: boolean;
}
