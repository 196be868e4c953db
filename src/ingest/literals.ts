/**
 * Words of which every match of the regular expression `source` holds at least one, the rarest that can be
 * told from it; null when there are none (then the expression must be tried on every line). ASCII only.
 */
export function requiredLiterals(source: string): readonly string[] | null {
  return new Parser(source).alternatives();
}

const MIN_LENGTH = 3;

// What belongs to an escape is no text: `\x41`, `\u0041`, `\cA`, `\k<name>`, `\12`.
const ESCAPE = /x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[A-Za-z]|k<\w+>|\d+|[\s\S]/y;

class Parser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** One set of words over all branches of `a|b|c`; null as soon as one branch has none. */
  alternatives(): readonly string[] | null {
    const words: string[] = [];
    let open = false;
    for (;;) {
      const branch = this.#sequence();
      if (branch === null) open = true;
      else words.push(...branch);
      if (this.#source[this.#at] !== '|') break;
      this.#at++;
    }
    return open ? null : words;
  }

  /** The best set of one branch: the one whose shortest word is longest. */
  #sequence(): readonly string[] | null {
    let best: readonly string[] | null = null;
    let run = '';
    const offer = (words: readonly string[] | null): void => {
      if (
        words !== null &&
        shortest(words) >= MIN_LENGTH &&
        (best === null || shortest(words) > shortest(best))
      )
        best = words;
    };
    const flush = (): void => {
      offer([run]);
      run = '';
    };
    while (
      this.#at < this.#source.length &&
      this.#source[this.#at] !== '|' &&
      this.#source[this.#at] !== ')'
    ) {
      const atom = this.#atom();
      const many = this.#quantifier();
      if (typeof atom === 'string' && many === 'once') run += atom;
      else if (typeof atom === 'string' && many === 'some') {
        run += atom;
        flush();
      } else {
        flush();
        if (atom !== null && typeof atom !== 'string' && many !== 'maybe') offer(atom);
      }
    }
    flush();
    return best;
  }

  /** A literal character, the words of a group, or null for anything that stands for several characters. */
  #atom(): string | readonly string[] | null {
    const char = this.#source[this.#at++] ?? '';
    if (char === '\\') {
      ESCAPE.lastIndex = this.#at;
      const escaped = ESCAPE.exec(this.#source)?.[0] ?? '';
      this.#at += escaped.length;
      return /^[A-Za-z0-9]/.test(escaped) ? null : escaped;
    }
    if (char === '[') {
      while (this.#at < this.#source.length && this.#source[this.#at] !== ']')
        this.#at += this.#source[this.#at] === '\\' ? 2 : 1;
      this.#at++;
      return null;
    }
    if (char === '(') return this.#group();
    return /[.^$]/.test(char) || char > '~' ? null : char;
  }

  #group(): readonly string[] | null {
    const head = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(this.#source.slice(this.#at))?.[0] ?? '';
    this.#at += head.length;
    const words = this.alternatives();
    this.#at++;
    return head.includes('!') ? null : words;
  }

  #quantifier(): 'once' | 'some' | 'maybe' {
    const match = /^(?:[?*+]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at));
    if (match === null) return 'once';
    this.#at += match[0].length;
    return match[0][0] === '+' || Number(match[1]) > 0 ? 'some' : 'maybe';
  }
}

function shortest(words: readonly string[]): number {
  return words.reduce((length, word) => Math.min(length, word.length), Number.POSITIVE_INFINITY);
}
