import type { ReadyRule } from '../engines/profile.js';
import type { DatedLine } from './findings.js';
import type { Rule } from './rules.js';

type Args = Readonly<Record<string, unknown>> | null;
type ReadyMatch = Extract<Rule, { kind: 'ready' | 'ready-after' | 'ready-needs' }>;

/** Waits until an engine's ready rule is complete: some take several lines, some only count on certain nodes. */
export class ReadyWatch {
  readonly #rules: readonly ReadyRule[];
  readonly #seen = new Map<number, { count: number; after: boolean; needs: boolean; said: boolean }>();

  constructor(rules: readonly ReadyRule[]) {
    this.#rules = rules;
  }

  /** Takes a line that matched one of the rules; returns it when it completes the rule. `isDead`: a dying line came before. */
  see(match: ReadyMatch, line: DatedLine, args: Args, isDead: boolean): DatedLine | null {
    const rule = this.#rules[match.index];
    if (rule === undefined || (isDead && rule.unlessDead === true)) return null;
    if (rule.onlyHeadless === true && args !== null) return null;
    const seen = this.#seen.get(match.index) ?? { count: 0, after: false, needs: false, said: false };
    this.#seen.set(match.index, seen);
    if (match.kind === 'ready-after') seen.after = true;
    else if (match.kind === 'ready-needs') seen.needs = true;
    else if (rule.ifArg === undefined || isSet(args?.[rule.ifArg])) seen.count++;
    const wanted = rule.countArg === undefined ? 1 : Number(args?.[rule.countArg] ?? 1) || 1;
    if (seen.said || seen.count < wanted || (seen.after && !seen.needs)) return null;
    seen.said = true;
    return line;
  }
}

/** Whether an argument is there and says something. */
export function isSet(value: unknown): boolean {
  return (
    value !== undefined &&
    value !== null &&
    value !== 0 &&
    value !== false &&
    value !== 'None' &&
    value !== ''
  );
}
