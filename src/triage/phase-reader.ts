import type { PhaseModel } from '../engines/ids.js';
import type { EngineProfile, PhaseRule } from '../engines/profile.js';
import { lastBar } from '../ingest/frames.js';
import { isAtLeast } from './clock.js';
import { DraftTurns } from './draft-turns.js';
import { type Moment, PhaseTrack } from './phase-track.js';
import type { Rules } from './rules.js';

/** Turns phase lines and progress bars into the phases of one run. */
export class PhaseReader {
  readonly track: PhaseTrack;
  readonly #profile: EngineProfile;
  readonly #rules: Rules;
  readonly #turns = new DraftTurns();
  /** The newest version whose wording was seen: a lower bound. */
  atLeast: string | null = null;

  constructor(rules: Rules) {
    this.#rules = rules;
    this.#profile = rules.profile;
    this.track = new PhaseTrack(rules.profile.checklist);
  }

  /** A phase line of `rank`; `drafts` is false when the arguments say that there is no draft model. Returns whether the phase is new. */
  line(
    rule: PhaseRule,
    match: RegExpExecArray | null,
    rank: string | null,
    moment: Moment,
    drafts: boolean,
  ): boolean {
    const model = rule.model === 'auto' ? this.#modelOf(rule, rank, moment.line, drafts) : rule.model;
    const isNew = this.track.mark(rule.phase, model, rank, rule.event, moment);
    const detail = rule.detail === undefined ? undefined : match?.groups?.[rule.detail];
    if (detail !== undefined) this.track.setDetail(rule.phase, model, detail);
    return isNew;
  }

  /** A progress bar in `text`; without `moment` (a line that has not ended) it begins nothing. Returns whether it is a known one. */
  bar(text: string, rank: string | null, moment: Moment | null): boolean {
    const bar = lastBar(text);
    if (bar === null) return false;
    const rule = this.#rules.progress.find(({ pattern }) => pattern.test(bar.description))?.rule;
    if (rule === undefined) return false;
    if (moment !== null) {
      this.sawVersion(rule.since);
      const hasModel = this.#profile.checklist.some((plan) => plan.id === rule.phase && plan.model !== null);
      if (rule.begins && !this.track.hasAny(rule.phase)) {
        this.track.mark(rule.phase, hasModel ? 'target' : null, rank, 'begin', moment);
      }
    }
    return this.track.advance(rule.phase, bar.done, bar.total, rule.unit);
  }

  sawVersion(since: string | undefined): void {
    if (since !== undefined && (this.atLeast === null || !isAtLeast(this.atLeast, since)))
      this.atLeast = since;
  }

  /** The draft's when this rank has ended the phase before, unless there is no draft. */
  #modelOf(rule: PhaseRule, rank: string | null, line: number, drafts: boolean): PhaseModel {
    const ends = this.#turns.endsBefore(`${rule.phase} ${rank ?? ''}`, rule.event === 'end', line);
    return ends > 0 && drafts ? 'draft' : 'target';
  }
}
