import { describe, expect, it } from 'vitest';
import {
  cut,
  cutStart,
  expandTabs,
  sliceColumns,
  textWidth,
  toWidth,
  toWidthRight,
  wrapColumns,
  wrapWords,
} from '../../src/tui/text.js';

describe('text on a terminal', () => {
  it.each([
    ['abc', 3],
    ['─│█▌●✓', 6],
    ['宽字', 4],
    ['🚀 up', 5],
    ['e\u0301', 1],
    ['', 0],
  ])('%j is %i columns wide', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it.each([
    ['abcdef', 4, 'abc…'],
    ['abcdef', 6, 'abcdef'],
    ['宽字符', 4, '宽…'],
    ['宽字符', 5, '宽字…'],
    ['abc', 0, ''],
    ['宽', 1, '…'],
  ])('%j cut to %i columns is %j', (text, width, expected) => {
    expect(cut(text, width)).toBe(expected);
  });

  it('keeps the end of a path', () => {
    expect(cutStart('/var/log/server.log', 11)).toBe('…server.log');
    expect(cutStart('server.log', 11)).toBe('server.log');
    expect(textWidth(cutStart('宽宽宽宽x', 4))).toBeLessThanOrEqual(4);
  });

  it.each(['abc', 'a much longer text', '宽字符 mixed 🚀', ''])(
    '%j is brought to any width exactly',
    (text) => {
      for (let width = 0; width <= 24; width++) {
        expect(textWidth(toWidth(text, width))).toBe(width);
        expect(textWidth(toWidthRight(text, width))).toBe(width);
      }
    },
  );

  it('slices by columns and says where in the text the slice is', () => {
    expect(sliceColumns('abcdefgh', 2, 3)).toEqual({ text: 'cde', start: 2, end: 5 });
    expect(sliceColumns('ab', 5, 3)).toEqual({ text: '', start: 2, end: 2 });
    expect(sliceColumns('宽字符x', 2, 4)).toEqual({ text: '字符', start: 1, end: 3 });
  });

  it('leaves out a wide character that an edge would cut in half', () => {
    expect(sliceColumns('宽字符', 1, 4).text).toBe('字');
  });

  it('wraps at the column, wide characters whole', () => {
    expect(wrapColumns('abcdefg', 3).map(({ text }) => text)).toEqual(['abc', 'def', 'g']);
    expect(wrapColumns('a宽字b', 3).map(({ text }) => text)).toEqual(['a宽', '字b']);
    expect(wrapColumns('', 3)).toHaveLength(1);
  });

  it('wraps words, and breaks those that are too long', () => {
    expect(wrapWords('the quick brown', 9)).toEqual(['the quick', 'brown']);
    expect(wrapWords('abcdefghij k', 4)).toEqual(['abcd', 'efgh', 'ij k']);
  });

  it('takes tabs to stops of eight columns', () => {
    expect(expandTabs('a\tb\tc')).toBe('a       b       c');
    expect(expandTabs('\tx')).toBe('        x');
    expect(expandTabs('宽\tx')).toBe('宽      x');
    expect(expandTabs('1234567\t8')).toBe('1234567 8');
    expect(expandTabs('a\t\tb')).toBe('a               b');
  });
});
