/**
 * Tells a rank's draft lines from its target lines where the wording is the same: once a rank has ended a phase,
 * the next lines of that phase are the draft's.
 */
export class DraftTurns {
  readonly #turns = new Map<string, { ends: number; before: number; endLine: number }>();

  /** How often `key` (rank and phase) had ended before this line; two rules may match one end line, it counts once. */
  endsBefore(key: string, isEnd: boolean, line: number): number {
    const turn = this.#turns.get(key) ?? { ends: 0, before: 0, endLine: -1 };
    this.#turns.set(key, turn);
    if (!isEnd) return turn.ends;
    if (turn.endLine !== line) {
      turn.before = turn.ends;
      turn.ends++;
      turn.endLine = line;
    }
    return turn.before;
  }

  clear(): void {
    this.#turns.clear();
  }
}
