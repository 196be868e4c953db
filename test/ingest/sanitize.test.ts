import { describe, expect, it } from 'vitest';
import { sanitize } from '../../src/ingest/sanitize.js';
import { stripAnsi } from '../../src/ingest/strip-ansi.js';

const ESC = '\x1b';

describe('sanitize', () => {
  it.each([
    ['colours', `${ESC}[1;36mred${ESC}[0m`, 'red'],
    ['cursor movement and clearing', `a${ESC}[2J${ESC}[H${ESC}[?1049lb`, 'ab'],
    ['a window title', `${ESC}]0;owned\x07x`, 'x'],
    ['the clipboard, ended by ST', `${ESC}]52;c;cm0gLXJm${ESC}\\x`, 'x'],
    ['an unterminated clipboard write', `x${ESC}]52;c;cm0gLXJm`, 'x'],
    ['a link', `${ESC}]8;;http://evil${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['DCS, APC, PM and SOS', `${ESC}Pq#0${ESC}\\${ESC}_Gf=1${ESC}\\${ESC}^x${ESC}\\${ESC}Xy${ESC}\\z`, 'z'],
    ['reset and charset', `${ESC}c${ESC}(0x`, 'x'],
    ['one-byte CSI and OSC', '\x9b31mx\x9d0;t\x07y', 'xy'],
    ['a bell and a backspace', 'a\x07b\x08c', 'a\ufffdb\ufffdc'],
    ['a lone escape', `a${ESC}`, 'a\ufffd'],
    ['a carriage return', 'a\rb', 'a␍b'],
    ['a direction override', 'a\u202eb', 'a<U+202E>b'],
    ['an isolate and a zero width space', '\u2066x\u200b', '<U+2066>x<U+200B>'],
    ['tag characters', `a${String.fromCodePoint(0xe0041)}`, 'a<U+E0041>'],
  ])('takes away %s', (_what, text, clean) => {
    expect(sanitize(text)).toBe(clean);
  });

  it('leaves text, tabs, letters of all scripts and emoji alone', () => {
    for (const text of ['plain\ttext', 'Größe 日本語 العربية', '🚀 100%|███▍| 1/2', ''])
      expect(sanitize(text)).toBe(text);
  });

  it('leaves no control character but TAB whatever it is given, twice as once', () => {
    const random = generator(7);
    for (let round = 0; round < 2000; round++) {
      const text = Array.from({ length: 24 }, () => pick(random)).join('');
      const clean = sanitize(text);
      expect(clean).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
      expect(sanitize(clean)).toBe(clean);
    }
  });
});

describe('stripAnsi', () => {
  it('removes control sequences and nothing else', () => {
    expect(stripAnsi(`${ESC}[0;36m(APIServer pid=1)${ESC}[0;0m \u202e\x07 x`)).toBe(
      '(APIServer pid=1) \u202e\x07 x',
    );
  });
});

const alphabet = [
  ESC,
  '[',
  ']',
  '(',
  '0',
  ';',
  'm',
  'c',
  'P',
  '_',
  '\\',
  '\x07',
  '\x9b',
  '\x9d',
  '\r',
  '\n',
  '\x00',
  'a',
  'é',
  '\u202e',
  '😀',
  '?',
  '5',
  '2',
];

function pick(random: () => number): string {
  return alphabet[Math.floor(random() * alphabet.length)] ?? '';
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}
