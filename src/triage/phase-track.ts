import type { PhaseId, PhaseModel } from '../engines/ids.js';
import type { PhasePlan } from '../engines/profile.js';
import type { PhaseFinding, RankFinding } from './findings.js';

/** When a line was written (by the log's clock) and when it came. */
export interface Moment {
  readonly logMs: number | null;
  readonly at: number | null;
  readonly line: number;
}

interface Instance {
  readonly id: PhaseId;
  readonly model: PhaseModel | null;
  readonly order: number;
  readonly started: Moment;
  ended: Moment | null;
  progress: number | null;
  detail: string | null;
  /** Ranks that began it, with whether they have ended it. */
  readonly ranks: Map<string, boolean>;
}

/** Which phases a run has gone through, rank by rank. Order is that of the lines: it changed between versions. */
export class PhaseTrack {
  readonly #plan: readonly PhasePlan[];
  readonly #instances: Instance[] = [];
  readonly #ranks = new Map<
    string,
    { phase: PhaseId; model: PhaseModel | null; step: number; lastLine: number }
  >();

  constructor(plan: readonly PhasePlan[]) {
    this.#plan = plan;
  }

  get current(): { readonly id: PhaseId; readonly model: PhaseModel | null } | null {
    return this.#instances[this.#instances.length - 1] ?? null;
  }

  /** The line that began the last phase; 0 where none has begun. */
  get lastLine(): number {
    return this.#instances.at(-1)?.started.line ?? 0;
  }

  get begun(): number {
    return this.#instances.length;
  }

  has(id: PhaseId, model: PhaseModel | null): boolean {
    return this.#find(id, model) !== undefined;
  }

  hasModel(model: PhaseModel): boolean {
    return this.#instances.some((instance) => instance.model === model);
  }

  hasAny(id: PhaseId): boolean {
    return this.#lastOf(id) !== undefined;
  }

  /** A line of `rank` (null: the main process) that belongs to a phase. Returns whether the phase is new. */
  mark(
    id: PhaseId,
    model: PhaseModel | null,
    rank: string | null,
    event: 'begin' | 'end' | 'mark',
    moment: Moment,
  ): boolean {
    let instance = this.#find(id, model);
    const fresh = instance === undefined;
    if (instance === undefined) {
      instance = {
        id,
        model,
        order: this.#instances.length,
        started: moment,
        ended: null,
        progress: null,
        detail: null,
        ranks: new Map(),
      };
      this.#instances.push(instance);
    }
    const key = rank ?? '';
    if (event === 'end') instance.ranks.set(key, true);
    // Prefill graphs, then decode graphs: the phase under way begins once more.
    else if (!instance.ranks.has(key) || (event === 'begin' && instance === this.#instances.at(-1)))
      instance.ranks.set(key, false);
    if (event !== 'end' || fresh) this.#leaveOthers(instance, key, moment);
    this.#settle(instance, moment);
    this.#step(instance, rank, moment);
    return fresh;
  }

  /** Moves the progress of a phase that has begun; `model` null means whichever model's is running. */
  advance(id: PhaseId, done: string, total: string, unit: string): boolean {
    const instance = this.#lastOf(id);
    if (instance === undefined) return false;
    const share = Number(done) / Number(total);
    instance.progress = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : instance.progress;
    instance.detail = unit === '' ? `${done}/${total}` : `${done}/${total} ${unit}`;
    return true;
  }

  setDetail(id: PhaseId, model: PhaseModel | null, detail: string): void {
    const instance = this.#find(id, model);
    if (instance !== undefined) instance.detail = detail;
  }

  /** Everything that began is over: the server answers. */
  endAll(moment: Moment): void {
    for (const instance of this.#instances) instance.ended ??= moment;
  }

  /** Whether `rank` began another phase after line `line`: what it printed there did not kill it. */
  wentOn(rank: string | null, line: number): boolean {
    const key = rank ?? '';
    return this.#instances.some((instance) => instance.started.line > line && instance.ranks.has(key));
  }

  ranks(): readonly RankFinding[] {
    return [...this.#ranks].map(([rank, far]) => ({ rank, ...far })).sort((a, b) => byNumber(a.rank, b.rank));
  }

  /** The checklist: phases that came, in the order in which they came, among those still expected. */
  list(expect: (plan: PhasePlan) => boolean, ready: boolean): readonly PhaseFinding[] {
    const slots: (PhasePlan | null)[] = this.#plan.filter(
      (plan) => this.has(plan.id, plan.model) || expect(plan),
    );
    const begun = [...this.#instances];
    const result: PhaseFinding[] = [];
    for (const slot of slots) {
      if (slot !== null && !this.has(slot.id, slot.model)) {
        result.push(pending(slot, ready ? 'skipped' : 'pending'));
        continue;
      }
      const instance = begun.shift();
      if (instance !== undefined) result.push(this.#finding(instance));
    }
    for (const instance of begun) result.push(this.#finding(instance));
    return result;
  }

  #finding(instance: Instance): PhaseFinding {
    const { started, ended } = instance;
    const status = ended === null && instance.id !== 'ready' ? 'active' : 'done';
    return {
      id: instance.id,
      title:
        this.#plan.find((plan) => plan.id === instance.id && plan.model === instance.model)?.title ??
        titleOf(instance.id, instance.model),
      model: instance.model,
      status,
      startedLogMs: started.logMs,
      endedLogMs: ended?.logMs ?? null,
      startedAt: started.at,
      endedAt: ended?.at ?? null,
      progress: status === 'done' && instance.progress !== null ? 1 : instance.progress,
      detail: instance.detail,
    };
  }

  #find(id: PhaseId, model: PhaseModel | null): Instance | undefined {
    return this.#instances.find((instance) => instance.id === id && instance.model === model);
  }

  #lastOf(id: PhaseId): Instance | undefined {
    return this.#instances.findLast((instance) => instance.id === id);
  }

  /** A rank does one thing at a time: what it begins ends what it was at. The main process waits for all of them. */
  #leaveOthers(instance: Instance, key: string, moment: Moment): void {
    for (const other of this.#instances) {
      if (other === instance || other.ended !== null) continue;
      if (other.order > instance.order) continue;
      if (other.ranks.has(key)) other.ranks.set(key, true);
      // Bars and the main process carry no rank; they are over when a rank goes on.
      if (other.ranks.has('') && other.ranks.size === 1) other.ranks.set('', true);
      else if (other.ranks.get('') === false) other.ranks.delete('');
      this.#settle(other, moment);
    }
  }

  #settle(instance: Instance, moment: Moment): void {
    for (const over of instance.ranks.values()) {
      if (!over) {
        instance.ended = null;
        return;
      }
    }
    instance.ended ??= moment;
  }

  #step(instance: Instance, rank: string | null, moment: Moment): void {
    if (rank === null) return;
    const far = this.#ranks.get(rank);
    this.#ranks.set(rank, {
      phase: instance.id,
      model: instance.model,
      step: (far?.step ?? 0) + 1,
      lastLine: moment.line,
    });
  }
}

function pending(plan: PhasePlan, status: 'pending' | 'skipped'): PhaseFinding {
  return {
    id: plan.id,
    title: plan.title,
    model: plan.model,
    status,
    startedLogMs: null,
    endedLogMs: null,
    startedAt: null,
    endedAt: null,
    progress: null,
    detail: null,
  };
}

function titleOf(id: PhaseId, model: PhaseModel | null): string {
  const words = id.replace('-', ' ');
  return model === 'draft' ? `draft ${words}` : words;
}

function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
