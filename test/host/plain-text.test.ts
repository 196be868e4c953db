import { describe, expect, it } from 'vitest';
import { plainText } from '../../src/host/plain-text.js';

describe('words of a remote machine', () => {
  it('lose everything that a terminal would obey', () => {
    expect(plainText('a\u001b[2Jb\u0007c\r\nd\u009b1me\u202ef\u200bg\u2028h')).toBe('a [2Jb c d 1me f g h');
    expect(plainText('x\ud800y')).toBe('x y');
  });

  it('keep letters of any script', () => {
    expect(plainText('  Zugriff für 東京 👍 verweigert  ')).toBe('Zugriff für 東京 👍 verweigert');
  });

  it('are cut', () => {
    expect(plainText('x'.repeat(500), 10)).toBe(`${'x'.repeat(9)}…`);
  });
});
