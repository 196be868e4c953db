import { describe, expect, it } from 'vitest';
import { createTimedLines, type LogPiece, microseconds } from '../../src/probes/timed-lines.js';
import { createTimedPosition } from '../../src/probes/timed-position.js';

const stamp = '2026-11-29T19:11:54.408960157Z';
const later = '2026-11-29T19:11:54.449372483Z';
const text = (pieces: readonly LogPiece[]): string =>
  pieces.map((piece) => (piece.kind === 'line' ? piece.line.bytes.toString() : '')).join('');

describe('the lines of docker logs --timestamps', () => {
  it('loses the times, and those within a long line too, however the bytes are cut', () => {
    const long = 'x'.repeat(16384);
    const log = `${stamp} ${long}${stamp} ${long}${stamp} end\n${later} a\rb\n`;
    for (const step of [1000, 7, log.length]) {
      const lines = createTimedLines('n');
      let out = '';
      for (let at = 0; at < log.length; at += step)
        out += text(lines.push(Buffer.from(log.slice(at, at + step))));
      expect(out).toBe(`${long}${long}end\na\rb\n`);
    }
  });

  it('keeps what looks like a time in the middle of a line', () => {
    const line = `${'y'.repeat(100)}${stamp} ${'y'.repeat(17_000)}\n`;
    expect(text(createTimedLines('n').push(Buffer.from(`${stamp} ${line}`)))).toBe(line);
  });

  it('tells our words and those of the engine from the lines', () => {
    const pieces = createTimedLines('n').push(
      Buffer.from(`\n=n run a b\n${stamp} =n run a b\nError response from daemon: no\n`),
    );
    expect(pieces.map(({ kind }) => kind)).toEqual(['mark', 'line', 'remark']);
  });

  it('reads times with nine digits, fewer, and another zone', () => {
    expect(microseconds(stamp)).toBe(Date.parse('2026-11-29T19:11:54Z') * 1000 + 408_960);
    expect(microseconds('2026-11-29T20:11:54.5+01:00')).toBe(
      Date.parse('2026-11-29T19:11:54Z') * 1000 + 500_000,
    );
    expect(microseconds('0001-01-01T00:00:00Z')).toBe(0);
  });
});

describe('the place in a log without offsets', () => {
  const line = (second: number, nanos: string, bytes: string) => {
    const at = `2026-11-29T19:11:${String(second).padStart(2, '0')}.${nanos}Z`;
    return { stamp: at, us: microseconds(at), bytes: Buffer.from(bytes) };
  };

  it('goes on with the next line; equal lines of one time count as often as they were written', () => {
    const position = createTimedPosition();
    const twin = line(5, '000000001', 'same\n');
    expect(['a', 'b'].map(() => position.take(twin))).toEqual(['new', 'new']);
    expect(position.since()).toBe('2026-11-29T19:11:05.000Z');
    position.resume();
    expect([twin, twin, twin].map((one) => position.take(one))).toEqual(['known', 'known', 'new']);
  });

  it('takes what the other output wrote late, with an earlier time', () => {
    const position = createTimedPosition();
    position.take(line(5, '500000000', 'out\n'));
    position.take(line(6, '000000000', 'out\n'));
    position.resume();
    expect(position.take(line(5, '500000000', 'out\n'))).toBe('known');
    expect(position.take(line(5, '900000000', 'err\n'))).toBe('new');
    expect(position.take(line(6, '000000000', 'out\n'))).toBe('known');
    expect(position.take(line(6, '100000000', 'out\n'))).toBe('new');
  });

  it('tells a gap where nothing of before comes again', () => {
    const position = createTimedPosition();
    position.take(line(5, '000000000', 'a\n'));
    position.resume();
    expect(position.take(line(50, '000000000', 'b\n'))).toBe('gap');
    expect(position.take(line(51, '000000000', 'c\n'))).toBe('new');
  });
});
