import { describe, expect, it } from 'vitest';
import { type Edit, editLine, type InputLine, inputLine, visibleInput } from '../../src/tui/input-line.js';

const edited = (text: string, ...edits: readonly (Edit['kind'] | { text: string })[]) =>
  edits.reduce<InputLine>(
    (line, edit) =>
      editLine(line, typeof edit === 'string' ? ({ kind: edit } as Edit) : { kind: 'insert', ...edit }),
    inputLine(text),
  );

describe('an input line', () => {
  it('inserts where the cursor is', () => {
    expect(edited('ac', 'left', { text: 'b' })).toEqual({ text: 'abc', cursor: 2 });
    expect(edited('bc', 'home', { text: 'a' }, 'end', { text: 'd' })).toEqual({ text: 'abcd', cursor: 4 });
  });

  it('moves and erases by whole characters, however many code units they have', () => {
    expect(edited('a👩‍👧宽', 'erase').text).toBe('a👩‍👧');
    expect(edited('a👩‍👧宽', 'erase', 'erase').text).toBe('a');
    expect(edited('a👩‍👧', 'left')).toEqual({ text: 'a👩‍👧', cursor: 1 });
    expect(edited('e\u0301', 'left').cursor).toBe(0);
  });

  it('erases as readline does', () => {
    expect(edited('one two  ', 'erase-word').text).toBe('one ');
    expect(edited('one two', 'left', 'erase-before')).toEqual({ text: 'o', cursor: 0 });
    expect(edited('one two', 'home', 'right', 'erase-after')).toEqual({ text: 'o', cursor: 1 });
    expect(edited('', 'erase', 'erase-word', 'left', 'right')).toEqual({ text: '', cursor: 0 });
  });

  it('never takes a control character', () => {
    expect(edited('', { text: 'a\u001B[31mb\r\nc\u0007' }).text).toBe('a[31mbc');
  });

  it('shows the part around the cursor', () => {
    expect(visibleInput(inputLine('abc'), 10)).toEqual(['abc', ' ', '']);
    expect(visibleInput(inputLine('abcdefghij'), 5)).toEqual(['ghij', ' ', '']);
    expect(visibleInput({ text: 'abc', cursor: 1 }, 10)).toEqual(['a', 'b', 'c']);
  });
});
