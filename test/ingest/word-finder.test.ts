import { describe, expect, it } from 'vitest';
import { WordFinder } from '../../src/ingest/word-finder.js';

/** The ids of words in `text` by looking for each, in the order of their first ends. */
function plainly(words: readonly (readonly string[])[], text: string): readonly number[] {
  const ends = words.map((list) =>
    Math.min(...list.map((word) => (text.includes(word) ? text.indexOf(word) + word.length : Infinity))),
  );
  return [...ends.keys()]
    .filter((id) => ends[id] !== Infinity)
    .sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
}

/** What the finder finds, looked for twice: nothing is left over from the first time. */
function once(finder: WordFinder, text: string): readonly number[] {
  const found: number[] = [];
  const count = finder.find(text, found);
  const first = found.slice(0, count);
  expect(finder.find(text, found)).toBe(count);
  expect(found.slice(0, count)).toEqual(first);
  return first;
}

describe('words in a text', () => {
  const words = [['error', 'ERROR'], ['rank'], ['ran'], ['out of memory'], ['of me'], []];
  const finder = new WordFinder(words);

  it.each([
    ['', []],
    ['nothing here', []],
    ['rank 3', [2, 1]],
    ['an ERROR, an error', [0]],
    ['CUDA out of memory', [4, 3]],
    ['out of memor', [4]],
    ['raerrorank', [0, 2, 1]],
    ['errør 請 error 😀 rank', [0, 2, 1]],
    ['\u0165rank and \u0265rro\u0172', [2, 1]],
  ])('of %j', (text, ids) => {
    expect(once(finder, text)).toEqual(ids);
  });

  it('are those that a plain search finds, in random texts', () => {
    let state = 7;
    const dice = (sides: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * sides);
    };
    const text = (length: number): string => Array.from({ length }, () => 'abc é'[dice(5)]).join('');
    for (let round = 0; round < 300; round += 1) {
      const some = Array.from({ length: 1 + dice(8) }, () => [text(1 + dice(5)).replaceAll('é', 'a')]);
      const finder = new WordFinder(some);
      for (let time = 0; time < 5; time += 1) {
        const where = text(dice(30));
        expect([...once(finder, where)].sort()).toEqual([...plainly(some, where)].sort());
      }
    }
  });
});
