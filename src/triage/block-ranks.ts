/**
 * Whose lines are those that name no rank: a traceback, and the message that its exception goes on with, are of the rank
 * whose line began it. Where several ranks' tracebacks are under way without a prefix, nobody can tell, and nobody is
 * named: lines of another rank would mislead more than missing ones.
 */
export class BlockRanks {
  readonly #blocks = new Map<string, Block>();

  /** Whether tracebacks of several ranks are under way in one `source`. */
  isMixed(source: string): boolean {
    return (this.#blocks.get(source)?.ranks.length ?? 0) > 1;
  }

  /** The first line of a traceback, by `rank`; `isOpen`: the one before it in `source` has not come to its exception. */
  begin(source: string, rank: string | null, isOpen: boolean): void {
    const before = this.#blocks.get(source);
    const others = before !== undefined && (isOpen || before.ranks.length > 1) ? before.ranks : [];
    const ranks = [...others.filter((other) => other !== rank), rank];
    this.#blocks.set(source, { ranks, ended: 0, tailFrom: 0, isInterrupted: false });
  }

  /** The first line of one that the last in `source` led to: by the same rank. */
  goOn(source: string): void {
    const block = this.#blocks.get(source);
    if (block !== undefined) {
      block.ended = Math.max(0, block.ended - 1);
      block.isInterrupted = false;
    }
  }

  /** Whose a line of the traceback is; `isSure`: it can be part of nothing else, as a frame or the exception. */
  rankOf(source: string, isSure: boolean): string | null {
    const block = this.#blocks.get(source);
    if (block === undefined || block.ended > 0) return null;
    if (isSure) block.isInterrupted = false;
    return block.isInterrupted ? null : this.writerOf(source);
  }

  /** Who wrote the last traceback, whether it is over or not. */
  writerOf(source: string): string | null {
    const block = this.#blocks.get(source);
    return block?.ranks.length === 1 ? (block.ranks[0] ?? null) : null;
  }

  /** The line `number` is an exception: its traceback is over, and only its message may go on. */
  end(source: string, number: number): void {
    const block = this.#blocks.get(source);
    if (block === undefined) return;
    block.ended += 1;
    block.tailFrom = number + 1;
    if (block.ranks.length > 1 && block.ended >= block.ranks.length) this.#blocks.delete(source);
  }

  /** Whose a line behind the exception is; `mayBelong`: nothing speaks against its being a part of the message. */
  tail(source: string, number: number, mayBelong: boolean): string | null {
    const block = this.#blocks.get(source);
    if (block === undefined || block.tailFrom === 0) return null;
    if (!mayBelong || number !== block.tailFrom) {
      block.tailFrom = 0;
      return null;
    }
    block.tailFrom += 1;
    return this.writerOf(source);
  }

  /** A line with a prefix, by `rank`: what that rank was writing is over, and so is every message. */
  speak(source: string, rank: string | null): void {
    const block = this.#blocks.get(source);
    if (block === undefined) return;
    block.tailFrom = 0;
    block.isInterrupted = true;
    if (rank === null || block.ranks.length === 1) return;
    block.ranks = block.ranks.filter((other) => other !== rank);
    if (block.ended >= block.ranks.length) this.#blocks.delete(source);
  }
}

interface Block {
  /** Those whose tracebacks are under way; null for one that named none. */
  ranks: readonly (string | null)[];
  /** How many of them have come to their exception. */
  ended: number;
  /** The line that may go on with the message; 0 for none. */
  tailFrom: number;
  /** A line of somebody came in between: what is indented may go on with that. */
  isInterrupted: boolean;
}
