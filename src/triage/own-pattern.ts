import type { EngineProfile, OwnPatterns } from '../engines/profile.js';
import { quickSteps, stepBound } from './pattern-steps.js';

/** A pattern of the user that took too long. */
export interface SlowPattern {
  readonly pattern: string;
  /** Texts that it was given up for: it counts as if it did not match there. */
  readonly lines: number;
  /** It is not tried any more. */
  readonly isOff: boolean;
}

/** Up to `quickSteps` nobody watches the time; beyond, one look may take `boxMs`, and with others `patienceMs` of CPU. */
const boxMs = 20;
const patienceMs = 40;
const looksAtMost = 5;

/** What a pattern may take in vain altogether (ms of CPU). */
const inVainMs = 1000;

/** `source` as a regular expression; of the user's own ones one that never takes long, whatever the line. */
export function compilePattern(source: string, { own }: Pick<EngineProfile, 'own'>, flags = ''): RegExp {
  return own?.sources.has(source) === true
    ? new OwnPattern(source, flags, own, slowOf(own))
    : new RegExp(source, flags);
}

/** Which of the user's patterns took too long so far. */
export function slowPatterns({ own }: Pick<EngineProfile, 'own'>): readonly SlowPattern[] {
  return own === undefined ? none : [...slowOf(own).values()].map((slow) => ({ ...slow }));
}

/** `your rule '(a+)+$' takes too long: not tried on 3 lines`. */
export function slowPatternText({ pattern, lines, isOff }: SlowPattern): string {
  const so = isOff ? 'left out from now on' : `not tried on ${lines} ${lines === 1 ? 'line' : 'lines'}`;
  return `your rule '${pattern}' takes too long: ${so}`;
}

const none: readonly SlowPattern[] = [];

type Slow = { -readonly [Key in keyof SlowPattern]: SlowPattern[Key] };

const slowPatternsOf = new WeakMap<OwnPatterns, Map<string, Slow>>();

function slowOf(own: OwnPatterns): Map<string, Slow> {
  const known = slowPatternsOf.get(own) ?? new Map<string, Slow>();
  slowPatternsOf.set(own, known);
  return known;
}

/** All that JavaScript does with a regular expression goes through `exec`. */
class OwnPattern extends RegExp {
  readonly #own: OwnPatterns;
  readonly #slow: Map<string, Slow>;
  readonly #steps: (length: number) => number;
  #spentMs = 0;

  constructor(source: string, flags: string, own: OwnPatterns, slow: Map<string, Slow>) {
    super(source, flags);
    this.#own = own;
    this.#slow = slow;
    this.#steps = stepBound(source);
  }

  static override get [Symbol.species](): RegExpConstructor {
    return RegExp;
  }

  override exec(text: string): RegExpExecArray | null {
    if (this.#spentMs > inVainMs) return null;
    return this.#steps(text.length) <= quickSteps ? super.exec(text) : this.#watched(text);
  }

  #watched(text: string): RegExpExecArray | null {
    const { lastIndex } = this;
    let spentMs = 0;
    // A machine with much else to do may need several looks for what takes no time.
    for (let look = 0; look < looksAtMost && spentMs < patienceMs; look += 1) {
      this.lastIndex = lastIndex;
      const { found, cpuMs } = this.#look(text);
      if (found !== undefined) return found;
      spentMs += cpuMs;
    }
    this.lastIndex = 0;
    this.#note(spentMs);
    return null;
  }

  /** Undefined where it came to no end. */
  #look(text: string): { readonly found: RegExpExecArray | null | undefined; readonly cpuMs: number } {
    let found: RegExpExecArray | null | undefined;
    try {
      const { cpuMs } = this.#own.timeBox(() => {
        found = super.exec(text);
      }, boxMs);
      return { found, cpuMs };
    } catch {
      // Too many steps back for V8.
      return { found: undefined, cpuMs: patienceMs };
    }
  }

  #note(spentMs: number): void {
    this.#spentMs += spentMs;
    const known = this.#slow.get(this.source) ?? { pattern: this.source, lines: 0, isOff: false };
    known.lines += 1;
    known.isOff = this.#spentMs > inVainMs;
    this.#slow.set(this.source, known);
  }
}
