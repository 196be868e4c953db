import { describe, expect, it } from 'vitest';
import { requiredLiterals } from '../../src/ingest/literals.js';

describe('words that a match must hold', () => {
  it.each([
    ['out of memory', ['out of memory']],
    ['(?:CUDA|HIP) error', [' error']],
    [String.raw`rank \d+ is gone`, [' is gone']],
    ['Killed|Terminated', ['Killed', 'Terminated']],
    ['(?<who>worker|driver) died', ['worker', 'driver']],
    ['a{0,3}bc', null],
    [String.raw`\d+`, null],
    ['failed|.*', null],
  ])('of %s', (source, words) => {
    expect(requiredLiterals(source)).toEqual(words);
  });

  it.each([
    [String.raw`\u2500\u2500 gone away`, '── gone away'],
    [String.raw`\x41BCD`, 'ABCD'],
    [String.raw`(?<n>\d)\k<n> sheep`, '11 sheep'],
    [String.raw`(\w)\1 sheep`, 'aa sheep'],
    [String.raw`\cJJob`, '\nJob'],
    [String.raw`(?!x)\[rank \d+\] (?=gone)`, '[rank 12] gone'],
  ])('are in what %s matches', (source, text) => {
    expect(text).toMatch(new RegExp(source));
    for (const word of requiredLiterals(source) ?? []) expect(text).toContain(word);
  });
});
