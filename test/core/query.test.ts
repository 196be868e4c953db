import { describe, expect, it } from 'vitest';
import { fitsText } from '../../src/core/filter.js';
import { type Query, readQuery } from '../../src/core/query.js';

const query = (text: string): Query => {
  const read = readQuery(text);
  if ('error' in read) throw new Error(read.error);
  return read;
};

const finds = (text: string, line: string): boolean => fitsText(line, query(text));

const hasRank = (text: string, rank: string): boolean =>
  query(text).ranks.some((pattern) => pattern.test(rank));

describe('what is typed into the filter', () => {
  it('is a regular expression with smart case', () => {
    expect(finds('load.*end', 'Load weight END')).toBe(true);
    expect(finds('Load', 'load')).toBe(false);
    // Capital letters of the language itself are none.
    expect(finds('\\Sweight\\W', 'xWEIGHT.')).toBe(true);
    expect(finds('\\x4Coad', 'load')).toBe(true);
    // Nobody needs what may stand before it.
    expect([query('.*end').include, query('.*?.*End|x').include]).toEqual([/end/i, /End|x/]);
    expect(query('.*').include).toEqual(/.*/i);
    expect(readQuery('.*+')).toHaveProperty('error');
  });

  it('excludes after an exclamation mark, as often as one likes', () => {
    expect(finds('weight !draft !shard', 'load weight')).toBe(true);
    expect(finds('weight !draft !shard', 'load Draft weight')).toBe(false);
    expect(finds('weight !draft !shard', 'weight shard 3')).toBe(false);
    expect(finds('!GET /health', 'GET /health 200')).toBe(false);
    expect(finds('!GET /health', 'POST /generate')).toBe(true);
    expect(finds('weight !', 'weight')).toBe(true);
    expect(finds('ready!', 'ready!')).toBe(true);
    expect(finds('\\!important', '!important')).toBe(true);
    expect(finds('(?!x)y', 'y')).toBe(true);
  });

  it('takes ranks after an at sign', () => {
    expect(hasRank('@TP3', 'TP3')).toBe(true);
    expect(hasRank('@tp3', 'DP1 TP3')).toBe(true);
    expect(hasRank('@TP3', 'Worker_TP3')).toBe(true);
    expect(hasRank('@TP3', 'TP31')).toBe(false);
    expect(hasRank('@TP', 'TP31')).toBe(true);
    expect(hasRank('@3', 'rank3')).toBe(true);
    expect(hasRank('@3', 'TP13')).toBe(false);
    expect(hasRank('@TP1 @TP2', 'TP2')).toBe(true);
    expect(query('begin @TP3 !draft')).toMatchObject({ include: /begin/i, exclude: [/draft/i] });
    expect(finds('\\@TP3', 'mail me@TP3')).toBe(true);
    expect(query('a@b.example').ranks).toEqual([]);
    // The name is still to come.
    expect(finds('begin @', 'begin')).toBe(true);
    expect(finds('user @ host', 'user @ host')).toBe(true);
  });

  it('says what is wrong', () => {
    expect(readQuery('(')).toEqual({ error: expect.stringMatching(/^[Uu]nterminated group$/) });
    expect(readQuery('fine ![')).toEqual({ error: expect.stringMatching(/class/) });
  });
});
