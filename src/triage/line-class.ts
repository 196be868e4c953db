import type { LineClass, LineLevel } from './findings.js';

/** Line classes by content, so that a million lines share a few dozen objects. */
export class LineClasses {
  readonly #classes = new Map<string, Map<string | null, LineClass>>();

  of(rank: string | null, level: LineLevel, milestone: boolean): LineClass {
    const kind = milestone ? `${level}!` : level;
    let ranks = this.#classes.get(kind);
    if (ranks === undefined) {
      ranks = new Map();
      this.#classes.set(kind, ranks);
    }
    let found = ranks.get(rank);
    if (found === undefined) {
      found = { rank, level, milestone };
      ranks.set(rank, found);
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
