import { describe, expect, it } from 'vitest';
import { createLineSplitter } from '../../src/ingest/split-lines.js';

describe('splitting a log into lines', () => {
  it('numbers lines by \\n and keeps \\r frames inside a line', () => {
    expect(all('a\r\n10%\r20%\rdone\n\nlast')).toEqual([
      { number: 1, text: 'a' },
      { number: 2, text: '10%\r20%\rdone' },
      { number: 3, text: '' },
      { number: 4, text: 'last' },
    ]);
  });

  it('removes ANSI sequences and keeps everything else of the text', () => {
    expect(all('\x1b[1;31mred\x1b[0m \ttail  \n')).toEqual([{ number: 1, text: 'red \ttail  ' }]);
  });

  it('decodes bad bytes without failing', () => {
    const splitter = createLineSplitter();
    expect(splitter.push(Buffer.from([0x61, 0xff, 0x62, 0x0a]))).toEqual([{ number: 1, text: 'a\ufffdb' }]);
  });

  it('names runs of NUL', () => {
    expect(all(`${'\0'.repeat(40)}go\n`)).toEqual([{ number: 1, text: '[40 NUL bytes]go' }]);
  });

  it('keeps head and tail of a giant line, and says what it left out', () => {
    const [line] = all(`${'h'.repeat(70_000)}${'m'.repeat(10_000_000)}${'t'.repeat(10_000)}\n`);
    expect(line?.text).toBe(
      `${'h'.repeat(65_536)} … ${10_080_000 - 65_536 - 4096} bytes left out … ${'t'.repeat(4096)}`,
    );
  });

  it('never cuts a character of a giant line in two', () => {
    for (let shift = 0; shift < 4; shift += 1) {
      const [line] = all(`${'x'.repeat(shift)}${'😀'.repeat(30_000)}\n`);
      expect(line?.text).not.toContain('\ufffd');
    }
  });

  it('shows the frames of the unfinished line, without what is half there', () => {
    const splitter = createLineSplitter();
    splitter.push(Buffer.from('one\n10%\r20%'));
    expect(splitter.partial()).toBe('10%\r20%');
    splitter.push(Buffer.from('\x1b[3'));
    expect(splitter.partial()).toBe('10%\r20%');
    splitter.push(Buffer.from('1m€').subarray(0, 4));
    expect(splitter.partial()).toBe('10%\r20%');
    splitter.push(Buffer.from('€').subarray(2));
    expect(splitter.partial()).toBe('10%\r20%€');
    expect(splitter.push(Buffer.from('\n'))).toEqual([{ number: 2, text: '10%\r20%€' }]);
    expect(splitter.partial()).toBe('');
  });

  it('starts again at line 1 after the end of a file', () => {
    const splitter = createLineSplitter();
    splitter.push(Buffer.from('a\nb'));
    expect(splitter.end()).toEqual([{ number: 2, text: 'b' }]);
    expect(splitter.end()).toEqual([]);
    expect(splitter.push(Buffer.from('c\n'))).toEqual([{ number: 1, text: 'c' }]);
  });

  it('gives the same lines wherever the bytes are cut', () => {
    const text = `é€😀 \x1b[31mred\x1b[0m\r\n\r\n\0\0x\n${'€'.repeat(23_000)}${'\r9%'.repeat(5000)}\nend\xff`;
    const bytes = Buffer.from(text);
    const expected = all(text);
    for (const size of [1, 2, 3, 5, 7, 61, 4096, 65_536, 65_537]) {
      const splitter = createLineSplitter();
      const lines = [];
      for (let from = 0; from < bytes.length; from += size)
        lines.push(...splitter.push(bytes.subarray(from, from + size)));
      expect([...lines, ...splitter.end()]).toEqual(expected);
    }
  });
});

function all(text: string) {
  const splitter = createLineSplitter();
  return [...splitter.push(Buffer.from(text)), ...splitter.end()];
}
