import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { quote, quoteAll } from '../../src/remote/quote.js';
import { shells } from './shells.js';

const nasty = [
  '',
  'plain',
  'two words',
  "it's",
  '"double"',
  '$(touch /tmp/never)',
  '`id`',
  'a\nb\n',
  '\\',
  '!history',
  '*?[x]',
  '-n',
  '=ls',
  '~',
  '{a,b}',
  'é€😀',
  '\t\r\x1b[31m',
  ';&|<>#',
];

describe.each(shells)('quoted for $name', ({ command }) => {
  it('gives every word back as it was', () => {
    const script = `for word in ${quoteAll(nasty)}; do printf '%s\\001' "$word"; done`;
    const [program = '', ...args] = command;
    const out = execFileSync(program, [...args, '-c', script], { encoding: 'utf8' });
    expect(out.split('\x01').slice(0, -1)).toEqual(nasty);
  });
});

describe('quote', () => {
  it('leaves plain words readable', () => {
    expect(quote('/var/log/server-1.log')).toBe('/var/log/server-1.log');
  });
  it('refuses what no argument can hold', () => {
    expect(() => quote('a\0b')).toThrow(RangeError);
  });
});
