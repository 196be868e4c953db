/** Counts whether time goes up or down over the lines of a log. */
export class OrderWatch {
  #previous: string | null = null;
  up = 0;
  down = 0;

  /** `stamp` as text: its lexical order is its time order within one format. */
  see(stamp: string | null): void {
    const previous = this.#previous;
    this.#previous = stamp;
    if (stamp === null || previous === null || stamp.length !== previous.length) return;
    if (stamp > previous) this.up++;
    else if (stamp < previous) this.down++;
  }
}

/** Whether the log was exported newest line first: time falls, and hardly ever rises. */
export function isNewestFirst(order: OrderWatch): boolean {
  return order.down >= 3 && order.down > order.up * 3;
}
