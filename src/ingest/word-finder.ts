/**
 * Finds which of many words occur in a text in one pass over it, whatever their number (Aho–Corasick as a table).
 * Most lines of a log hold none of the words that rules look for, and are dismissed by this alone.
 */
export class WordFinder {
  readonly #words: readonly (readonly string[])[];
  /** Built for the first text, so that a screen that opens need not wait for it. */
  #table: Table | null = null;
  readonly #seen: Int32Array;
  #round = 0;

  /** `words[i]` are the words of id `i`; ASCII. */
  constructor(words: readonly (readonly string[])[]) {
    this.#words = words;
    this.#seen = new Int32Array(words.length);
  }

  /** Fills `found` with the ids of words in `text`, each once, in the order of their ends; returns their number. */
  find(text: string, found: number[]): number {
    this.#table ??= withEndsLast(buildTrie(this.#words));
    const { next, ids, firstEnd } = this.#table;
    const round = ++this.#round;
    let count = 0;
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      state = code < 128 ? (next[state + code] ?? 0) : 0;
      if (state < firstEnd) continue;
      for (const id of ids[state >> 7] ?? []) {
        if (this.#seen[id] === round) continue;
        this.#seen[id] = round;
        found[count++] = id;
      }
    }
    return count;
  }
}

interface Trie {
  /** The state after a character; states are counted in rows of 128, so that they need only be added to it. */
  readonly next: Int32Array;
  /** Ids that end in a state, by its row. */
  readonly ids: readonly (readonly number[] | undefined)[];
}

interface Table extends Trie {
  /** The states from here on are those in which a word ends: one comparison tells. */
  readonly firstEnd: number;
}

/** The same automaton with its states renumbered, as `WordFinder` walks it. */
function withEndsLast({ next, ids }: Trie): Table {
  const states = [...ids.keys()];
  const order = [
    ...states.filter((state) => ids[state] === undefined),
    ...states.filter((state) => ids[state] !== undefined),
  ];
  const rows = new Int32Array(states.length);
  order.forEach((state, row) => {
    rows[state] = row << 7;
  });
  const table = new Int32Array(next.length);
  order.forEach((state, row) => {
    for (let code = 0; code < 128; code++)
      table[(row << 7) | code] = rows[next[(state << 7) | code] ?? 0] ?? 0;
  });
  const ends = order.findIndex((state) => ids[state] !== undefined);
  return {
    next: table,
    ids: order.map((state) => ids[state]),
    firstEnd: (ends < 0 ? order.length : ends) << 7,
  };
}

function buildTrie(words: readonly (readonly string[])[]): Trie {
  const children: Map<number, number>[] = [new Map()];
  const ids: (number[] | undefined)[] = [undefined];
  words.forEach((list, id) => {
    for (const word of list) {
      let state = 0;
      for (let i = 0; i < word.length; i++) {
        const code = word.charCodeAt(i) & 127;
        let child = children[state]?.get(code);
        if (child === undefined) {
          child = children.push(new Map()) - 1;
          ids.push(undefined);
          children[state]?.set(code, child);
        }
        state = child;
      }
      ids[state] = [...(ids[state] ?? []), id];
    }
  });
  return { next: fillTable(children, ids), ids };
}

/** Turns the trie into a complete table: where a word breaks off, the longest suffix that begins another goes on. */
function fillTable(children: readonly Map<number, number>[], ids: (number[] | undefined)[]): Int32Array {
  const next = new Int32Array(children.length * 128);
  const fail = new Int32Array(children.length);
  const queue = [0];
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] ?? 0;
    const fallback = fail[state] ?? 0;
    if (state !== 0) {
      next.copyWithin(state * 128, fallback * 128, fallback * 128 + 128);
      const inherited = ids[fallback];
      if (inherited !== undefined) ids[state] = [...new Set([...(ids[state] ?? []), ...inherited])];
    }
    for (const [code, child] of children[state] ?? []) {
      fail[child] = state === 0 ? 0 : (next[fallback * 128 + code] ?? 0);
      next[state * 128 + code] = child;
      queue.push(child);
    }
  }
  return next;
}
