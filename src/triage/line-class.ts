import type { LineClass, LineLevel } from './findings.js';

/** Line classes by content, so that a million lines share a few dozen objects. */
export class LineClasses {
  readonly #classes = new Map<string, Map<string | null, LineClass>>();

  /** `whose` where `rank` is null: of whom the line is all the same. */
  of(rank: string | null, level: LineLevel, milestone: boolean, whose: string | null = null): LineClass {
    const kind = milestone ? `${level}!` : level;
    let ranks = this.#classes.get(kind);
    if (ranks === undefined) {
      ranks = new Map();
      this.#classes.set(kind, ranks);
    }
    const key = rank ?? (whose === null ? null : `\0${whose}`);
    let found = ranks.get(key);
    if (found === undefined) {
      found = { rank, whose: rank ?? whose, level, milestone };
      ranks.set(key, found);
    }
    return found;
  }
}

/** What an engine's own level word (`E`, `ERROR`, `WARN`, `CRITICAL`) means here. */
export function levelOf(word: string | null): LineLevel {
  if (word === null) return 'info';
  if (/^(?:E|F|CRIT)/.test(word)) return 'error';
  return word.startsWith('W') ? 'warning' : 'info';
}
