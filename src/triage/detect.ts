import type { EngineId } from '../engines/ids.js';
import type { EngineProfile } from '../engines/profile.js';
import { requiredLiterals } from '../ingest/literals.js';
import { WordFinder } from '../ingest/word-finder.js';
import { compilePattern } from './own-pattern.js';

// A library's lines may come by the thousand; what they speak for does not grow with them.
const TIMES = 3;

/** Finds out whose log it is, by the weights of the profiles' detection rules. */
export class EngineDetector {
  readonly #scores = new Map<EngineId, number>();
  readonly #times = new Map<DetectRule, number>();
  readonly #found: number[] = [];
  readonly #detection: Detection;
  #lines = 0;
  #since = 0;

  /** The engine that the evidence so far speaks for; null while there is none. */
  best: EngineId | null = null;
  settled = false;

  constructor(profiles: readonly EngineProfile[]) {
    this.#detection = detectionOf(profiles);
  }

  /** Takes one line; returns whether `best` changed. */
  see(text: string): boolean {
    this.#lines++;
    const { rules, finder } = this.#detection;
    const looked = text.length > 4096 ? text.slice(0, 4096) : text;
    const count = finder.find(looked, this.#found);
    let changed = false;
    for (let i = 0; i < count; i++) {
      const rule = rules[this.#found[i] ?? 0];
      if (rule === undefined || !rule.pattern.test(looked)) continue;
      const times = (this.#times.get(rule) ?? 0) + 1;
      this.#times.set(rule, times);
      if (times <= TIMES) changed = this.#add(rule.engine, rule.weight) || changed;
    }
    const leader = this.best === null ? 0 : (this.#scores.get(this.best) ?? 0);
    this.settled = leader >= 150 || (leader >= 20 && this.#lines - this.#since > 1000);
    return changed;
  }

  /** The command line that started the server says more than any line. */
  hint(command: string): void {
    for (const { engine, pattern, weight } of this.#detection.rules)
      if (pattern.test(command)) this.#add(engine, weight * 2);
  }

  #add(engine: EngineId, weight: number): boolean {
    const score = (this.#scores.get(engine) ?? 0) + weight;
    this.#scores.set(engine, score);
    const leader = this.best === null ? 0 : (this.#scores.get(this.best) ?? 0);
    if (engine === this.best || score <= leader) return false;
    this.best = engine;
    this.#since = this.#lines;
    return true;
  }
}

interface DetectRule {
  readonly engine: EngineId;
  readonly weight: number;
  readonly pattern: RegExp;
}

interface Detection {
  readonly rules: readonly DetectRule[];
  readonly finder: WordFinder;
}

const compiled = new WeakMap<readonly EngineProfile[], Detection>();

function detectionOf(profiles: readonly EngineProfile[]): Detection {
  const known = compiled.get(profiles);
  if (known !== undefined) return known;
  const rules = profiles.flatMap((profile) =>
    profile.detect.map(({ weight, pattern }) => ({
      engine: profile.id,
      weight,
      pattern: compilePattern(pattern, profile),
    })),
  );
  // Rules without a fixed word are tried wherever a bracket stands: their prefixes have one.
  const detection = {
    rules,
    finder: new WordFinder(rules.map((rule) => requiredLiterals(rule.pattern.source) ?? ['['])),
  };
  compiled.set(profiles, detection);
  return detection;
}
