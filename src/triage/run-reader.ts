import type { PhaseModel } from '../engines/ids.js';
import type { EngineProfile, FailureRule, PhaseRule } from '../engines/profile.js';
import { lastBar, splitFrames } from '../ingest/frames.js';
import type { LogLine } from '../ingest/line.js';
import { type Prefix, readPrefix } from '../ingest/prefix.js';
import { type Traceback, TracebackGrouper } from '../ingest/traceback.js';
import { consequenceOf, textOf } from './cause.js';
import { isAtLeast, stampMs } from './clock.js';
import { DraftTurns } from './draft-turns.js';
import { Evidence, type Suspect } from './evidence.js';
import type { DatedLine, LineClass, LineLevel } from './findings.js';
import { LineClasses } from './line-class.js';
import { type Moment, PhaseTrack } from './phase-track.js';
import { readPythonArgs } from './python-repr.js';
import { ReadyWatch } from './ready-watch.js';
import type { LineRef } from './report.js';
import { flag, type Rule, type Rules, rulesOf } from './rules.js';

/** Reads lines by one engine's rules. What it has found lies open for `findings` and `report`. */
export class RunReader {
  readonly profile: EngineProfile;
  readonly rules: Rules;
  evidence = new Evidence();
  phases: PhaseTrack;
  ready: ReadyWatch;
  runs = 0;
  version: string | null = null;
  /** The newest version whose wording was seen: a lower bound. */
  atLeast: string | null = null;
  port: number | null = null;
  args: Readonly<Record<string, unknown>> | null = null;
  lastStamp: string | null = null;
  sawTraceback = false;
  lastLine = 0;
  #grouper = new TracebackGrouper();
  readonly #turns = new DraftTurns();
  /** Who opened the traceback of a source, and what its header said. */
  #openers = new Map<string, Opener>();
  #before = new Map<string, { body: string; line: number }>();
  #harmless: { line: number; kind: 'harmless' | 'maybe' } | null = null;
  readonly #classes = new LineClasses();
  readonly #matched: Rule[] = [];

  constructor(profile: EngineProfile) {
    this.profile = profile;
    this.rules = rulesOf(profile);
    this.phases = new PhaseTrack(profile.checklist);
    this.ready = new ReadyWatch(profile.ready);
  }

  read(line: LogLine, at: number | null): LineClass {
    this.lastLine = line.number;
    if (!line.text.includes('\r')) return this.#frame(line.text, line.number, at);
    let last = this.#classes.of(null, 'info', false);
    let milestone = false;
    for (const frame of splitFrames(line.text)) {
      last = this.#frame(frame, line.number, at);
      milestone ||= last.milestone;
    }
    return milestone === last.milestone ? last : this.#classes.of(last.rank, last.level, true);
  }

  /** Progress of a line that has not ended; returns whether anything moved. */
  readPartial(text: string): boolean {
    return this.#bar(text, null, null);
  }

  /** Whether the printed arguments ask for a draft model; null while they are unknown. */
  get speculative(): boolean | null {
    const keys = this.profile.argKeys.speculative;
    if (this.args === null || keys === undefined) return null;
    const args = this.args;
    return keys.some((key) => isSet(args[key]) && args[key] !== 'NGRAM');
  }

  #frame(text: string, number: number, at: number | null): LineClass {
    let prefix = readPrefix(text, this.rules.prefixes);
    const matched = this.#matched;
    const flags = this.rules.match(text, matched);
    if (prefix.stamp !== null) this.lastStamp = prefix.stamp;
    const waits = this.#grouper.waits(prefix.source);
    if (flags === 0 && matched.length === 0 && !waits) {
      if (prefix.known) this.evidence.aliveLine = number;
      if (text !== '') this.#before.set(prefix.source, { body: text, line: number });
      return this.#classes.of(prefix.rank, levelOf(prefix.level), false);
    }
    if ((flags & flag.bar) !== 0 && prefix.rank === null) prefix = this.#embedded(text) ?? prefix;
    return this.#look(
      { text, number, at, prefix, flags, line: { lineNumber: number, line: text.trimEnd() } },
      matched,
    );
  }

  #look(frame: Frame, matched: readonly Rule[]): LineClass {
    const { prefix, number, flags } = frame;
    const benign = matched.find((rule) => rule.kind === 'benign');
    if (benign?.rule.opaque === true) return this.#classes.of(prefix.rank, 'info', false);
    if (benign?.rule.traceback === true)
      this.#harmless = { line: number, kind: benign.rule.mayMatter === true ? 'maybe' : 'harmless' };
    const moment: Moment = { logMs: null, at: frame.at, line: number };
    let milestone = false;
    let grave = false;
    let consequence = false;
    for (const rule of matched) {
      if (rule.kind === 'phase') milestone = this.#phase(rule.rule, rule.pattern, frame, moment) || milestone;
      else if (rule.kind === 'run-start') this.#runStart(frame);
      else if (rule.kind === 'args') this.#readArgs(rule.pattern, frame);
      else if (rule.kind === 'version')
        this.version = rule.pattern.exec(frame.text)?.groups?.v ?? this.version;
      else if (rule.kind === 'port')
        this.port = Number(rule.pattern.exec(frame.text)?.groups?.port) || this.port;
      else if (rule.kind === 'consequence') consequence ||= rule.rule.soft !== true;
      else if (rule.kind === 'failure') this.#suspectLine(rule.rule, frame, benign !== undefined);
      else if (rule.kind !== 'benign') grave = this.#verdict(rule, frame, moment) || grave;
    }
    milestone = (this.evidence.ready !== null && this.evidence.ready.lineNumber === number) || milestone;
    const bar = (flags & flag.bar) !== 0 && this.#bar(frame.text, prefix.rank, moment);
    const traceback = this.#traceback(frame, flags);
    const level = this.#level(frame, benign !== undefined || milestone, grave, consequence, traceback, bar);
    if (prefix.known && traceback === null && level !== 'error' && !consequence && benign === undefined)
      this.evidence.aliveLine = number;
    else if (milestone && !grave) this.evidence.aliveLine = number;
    return this.#classes.of(prefix.rank, level, milestone);
  }

  #level(
    frame: Frame,
    harmless: boolean,
    grave: boolean,
    consequence: boolean,
    traceback: 'harmless' | 'open' | null,
    bar: boolean,
  ): LineLevel {
    const { flags, prefix, line } = frame;
    if (consequence || grave) {
      this.evidence.addConsequence(line);
      return 'error';
    }
    if (traceback !== null) return traceback === 'open' ? 'error' : 'warning';
    if (bar && (flags & flag.error) === 0) return 'progress';
    const said = levelOf(prefix.level);
    if (harmless) return said === 'error' ? 'warning' : said;
    if ((flags & flag.error) !== 0 && (prefix.level === null || said === 'error')) {
      this.evidence.addSuspicion(line);
      return 'error';
    }
    return (flags & flag.warning) !== 0 && said === 'info' && prefix.level === null ? 'warning' : said;
  }

  #verdict(rule: Rule, frame: Frame, moment: Moment): boolean {
    const { evidence } = this;
    const line = this.#dated(frame);
    if (rule.kind === 'ready' || rule.kind === 'ready-after' || rule.kind === 'ready-needs') {
      const was = evidence.ready;
      evidence.ready = this.ready.see(rule, line, this.args) ?? was;
      if (was === null && evidence.ready !== null) this.#becomeReady(frame, moment);
      return false;
    }
    if (rule.kind === 'death') {
      if (evidence.ready !== null) evidence.deathAfterReady ??= line;
      evidence.death ??= line;
      return true;
    }
    if (rule.kind === 'ended' || rule.kind === 'stopped') {
      const isReady = evidence.ready !== null;
      if (rule.rule.afterReady === (isReady ? 'never' : 'only')) return false;
      if (rule.kind === 'stopped') evidence.stopped ??= line;
      else evidence.ended = line;
      return false;
    }
    if (rule.kind === 'hang') {
      const count = (evidence.hangCounts.get(rule.rule.pattern) ?? 0) + 1;
      evidence.hangCounts.set(rule.rule.pattern, count);
      if (count >= rule.rule.times) evidence.hang = line;
    }
    return false;
  }

  #becomeReady(frame: Frame, moment: Moment): void {
    const now = this.#timed(frame, moment);
    this.phases.endAll(now);
    this.phases.mark('ready', null, null, 'begin', now);
    this.evidence.hang = null;
    this.evidence.hangCounts.clear();
  }

  #phase(rule: PhaseRule, pattern: RegExp, frame: Frame, moment: Moment): boolean {
    if (rule.since !== undefined && (this.atLeast === null || !isAtLeast(this.atLeast, rule.since)))
      this.atLeast = rule.since;
    // After ready a phase line is a request's, or a later run whose first line was not seen.
    if (this.evidence.ready !== null) return false;
    const model = rule.model === 'auto' ? this.#modelOf(rule, frame) : rule.model;
    const fresh = this.phases.mark(
      rule.phase,
      model,
      frame.prefix.rank,
      rule.event,
      this.#timed(frame, moment),
    );
    if (fresh) {
      this.evidence.hang = null;
      this.evidence.hangCounts.clear();
    }
    const detail = rule.detail === undefined ? undefined : pattern.exec(frame.text)?.groups?.[rule.detail];
    if (detail !== undefined) this.phases.setDetail(rule.phase, model, detail);
    return true;
  }

  /** The draft's when this rank has ended the phase before, unless the arguments say that there is no draft. */
  #modelOf(rule: PhaseRule, frame: Frame): PhaseModel {
    const key = `${rule.phase} ${frame.prefix.rank ?? ''}`;
    const ends = this.#turns.endsBefore(key, rule.event === 'end', frame.number);
    return ends > 0 && this.speculative !== false ? 'draft' : 'target';
  }

  #runStart(frame: Frame): void {
    const { evidence } = this;
    const again =
      evidence.runStart !== null &&
      this.phases.begun <= 1 &&
      evidence.death === null &&
      evidence.uncaught === null;
    if (again) return;
    if (
      evidence.runStart !== null ||
      evidence.death !== null ||
      evidence.ready !== null ||
      evidence.uncaught !== null ||
      this.phases.begun > 1
    )
      this.#reset();
    this.runs++;
    this.evidence.runStart = this.#dated(frame);
  }

  #reset(): void {
    this.evidence = new Evidence();
    this.phases = new PhaseTrack(this.profile.checklist);
    this.ready = new ReadyWatch(this.profile.ready);
    this.#grouper = new TracebackGrouper();
    this.#turns.clear();
    this.#openers.clear();
    this.args = null;
    this.port = null;
    if (this.runs === 0) this.runs = 1;
  }

  #readArgs(pattern: RegExp, frame: Frame): void {
    const match = pattern.exec(frame.text);
    if (match === null) return;
    this.args = readPythonArgs(frame.text, match.index + match[0].length);
    const port = this.args[this.profile.argKeys.port ?? 'port'];
    if (typeof port === 'number') this.port = port;
  }

  #suspectLine(rule: FailureRule, frame: Frame, benign: boolean): void {
    // Inside a traceback the exception speaks for itself.
    if (benign || this.#grouper.opens(frame.prefix.source)) return;
    this.evidence.addSuspect({
      ...frame.line,
      text: frame.text.slice(frame.prefix.end),
      traceback: null,
      rule,
      rank: frame.prefix.rank,
      depth: 3,
      phase: this.phases.current?.id ?? null,
      model: this.phases.current?.model ?? null,
      logged: true,
      tolerated: null,
    });
  }

  /** Hands the line to the tracebacks; says whether it is part of one. */
  #traceback(frame: Frame, flags: number): 'harmless' | 'open' | null {
    const { prefix, text, number } = frame;
    const { source } = prefix;
    const body = text.slice(prefix.end);
    const opens = (flags & flag.traceback) !== 0;
    if (opens) this.#open(source, frame, body);
    else if (prefix.known && !source.includes('/')) {
      this.#grouper.interrupt(source);
      this.#before.set(source, { body: text, line: number });
      return null;
    }
    const inside = opens || this.#grouper.opens(source) || (flags & flag.frame) !== 0;
    const block = this.#grouper.push(source, body, frame.line.line, number);
    if (block !== null) this.#close(block);
    if (!inside) {
      this.#before.set(source, { body, line: number });
      return null;
    }
    this.sawTraceback = true;
    return this.#openers.get(source)?.tolerated === 'harmless' ? 'harmless' : 'open';
  }

  #open(source: string, frame: Frame, body: string): void {
    const before = this.#before.get(source);
    const near = before !== undefined && frame.number - before.line <= 3 ? before.body : '';
    const ownHeader = body.replace(/Traceback \(most recent call last\):\s*$/, '').trim();
    const header =
      ownHeader !== ''
        ? ownHeader
        : /^(?:Process \S+|Exception |Task exception|future: )/.test(near)
          ? near
          : '';
    const harmless =
      this.#harmless !== null && frame.number - this.#harmless.line <= 3 ? this.#harmless.kind : null;
    const chained = this.#grouper.isChained(source);
    const opener = this.#openers.get(source);
    if (chained && opener !== undefined) return;
    this.#openers.set(source, {
      header,
      rank: frame.prefix.rank,
      depth: Math.max(
        frame.prefix.depth,
        frame.prefix.rank !== null ? 3 : 0,
        header.startsWith('Process ') ? 2 : 0,
      ),
      logged: frame.prefix.level !== null || frame.prefix.stamp !== null,
      tolerated: harmless,
    });
  }

  #close(block: Traceback): void {
    const opener = this.#openers.get(block.source) ?? nobody;
    const text = textOf(block);
    const suspect: Suspect = {
      line: block.line,
      lineNumber: block.lineNumber,
      text,
      traceback: block,
      rule: null,
      rank: opener.rank,
      depth: opener.depth,
      phase: this.phases.current?.id ?? null,
      model: this.phases.current?.model ?? null,
      logged: opener.logged,
      tolerated: opener.tolerated,
    };
    // The last block of a chain stands for the chain: it knows the earlier ones.
    const last = this.evidence.suspects[this.evidence.suspects.length - 1];
    if (block.earlier !== null && last?.traceback === block.earlier) this.evidence.suspects.pop();
    this.evidence.addSuspect(suspect);
    const consequence = consequenceOf(text, this.rules);
    if (consequence === 'hard')
      this.evidence.addConsequence({ line: suspect.line, lineNumber: suspect.lineNumber });
    else if (opener.tolerated !== 'harmless')
      this.evidence.addSuspicion({ line: suspect.line, lineNumber: suspect.lineNumber });
    if (!opener.logged && opener.tolerated === null) this.evidence.uncaught = suspect;
  }

  #bar(text: string, rank: string | null, moment: Moment | null): boolean {
    const bar = lastBar(text);
    if (bar === null) return false;
    for (const { pattern, rule } of this.rules.progress) {
      if (!pattern.test(bar.description)) continue;
      if (moment !== null) {
        if (rule.since !== undefined && (this.atLeast === null || !isAtLeast(this.atLeast, rule.since)))
          this.atLeast = rule.since;
        if (rule.begins && this.evidence.ready === null && !this.phases.hasAny(rule.phase)) {
          this.phases.mark(
            rule.phase,
            this.#hasModel(rule.phase) ? 'target' : null,
            rank,
            'begin',
            this.#now(moment),
          );
        }
      }
      return this.phases.advance(rule.phase, bar.done, bar.total, rule.unit);
    }
    return false;
  }

  #hasModel(phase: string): boolean {
    return this.profile.checklist.some((plan) => plan.id === phase && plan.model !== null);
  }

  #embedded(text: string): Prefix | null {
    const match = this.rules.embedded?.exec(text);
    if (match?.groups === undefined) return null;
    return {
      rank: match.groups.rank?.trim() || null,
      stamp: match.groups.stamp ?? null,
      level: match.groups.level ?? null,
      source: '',
      depth: 0,
      end: match.index + match[0].length,
      known: true,
    };
  }

  #dated(frame: Frame): DatedLine {
    return { ...frame.line, logMs: stampMs(frame.prefix.stamp ?? this.lastStamp), at: frame.at };
  }

  #timed(frame: Frame, moment: Moment): Moment {
    return { ...moment, logMs: stampMs(frame.prefix.stamp ?? this.lastStamp) };
  }

  #now(moment: Moment): Moment {
    return { ...moment, logMs: stampMs(this.lastStamp) };
  }
}

interface Frame {
  readonly text: string;
  readonly number: number;
  readonly at: number | null;
  readonly prefix: Prefix;
  readonly flags: number;
  readonly line: LineRef;
}

interface Opener {
  readonly header: string;
  readonly rank: string | null;
  readonly depth: number;
  readonly logged: boolean;
  readonly tolerated: 'harmless' | 'maybe' | null;
}

const nobody: Opener = { header: '', rank: null, depth: 0, logged: false, tolerated: null };

function levelOf(word: string | null): LineLevel {
  if (word === null) return 'info';
  if (/^(?:E|F|ERR|CRIT|FATAL)/.test(word)) return 'error';
  return /^W/.test(word) ? 'warning' : 'info';
}

function isSet(value: unknown): boolean {
  return (
    value !== undefined &&
    value !== null &&
    value !== 0 &&
    value !== false &&
    value !== 'None' &&
    value !== ''
  );
}
