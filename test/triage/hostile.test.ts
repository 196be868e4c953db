import { describe, expect, it } from 'vitest';
import { createReading } from '../../src/triage/reading.js';

const KIB = 64;

// Each would take a careless expression minutes: the suite's time limit is the check.
const lines: readonly (readonly [string, string])[] = [
  ['blanks', ' '.repeat(KIB * 1024)],
  ['blanks before a traceback', `${' '.repeat(KIB * 1024)}x Traceback (most recent call last):`],
  ['dashes before a traceback', `${'─'.repeat(KIB * 1024)}x Traceback (most recent call last) ───`],
  ['phase words', '[2026-02-22 23:29:22 TP0] Load weight begin. '.repeat(1500)],
  ['bars', '100%|███| '.repeat(8000)],
  ['bar frames', '\rLoading: 10%|█ | 1/10 [00:01<00:02, 1.0it/s]'.repeat(1500)],
  ['open brackets', '['.repeat(KIB * 1024)],
  ['half prefixes', '(Worker '.repeat(9000)],
  ['arguments without an end', `server_args=ServerArgs(${"a='(".repeat(16_000)}`],
  ['dots', 'a.'.repeat(KIB * 512)],
  ['Gloo', `RuntimeError: ${'Gloo '.repeat(12_000)}`],
  ['control characters', '\x00\x1b['.repeat(20_000)],
  ['digits', '1'.repeat(KIB * 1024)],
  ['half a JSON record', `{"log":"${'x'.repeat(KIB * 1024)}}`],
];

describe('hostile lines', () => {
  it.each(lines)(
    'are read in one go: %s',
    (_what, text) => {
      const reading = createReading({ engine: 'sglang' });
      for (let number = 1; number <= 40; number++) {
        const body = number % 2 === 0 ? text : 'Traceback (most recent call last):';
        expect(
          reading.read({ number, text: number % 5 === 0 ? '  File "/x.py", line 1, in f' : body }, null)
            .level,
        ).toBeTypeOf('string');
        reading.readPartial(text, null);
      }
      expect(reading.report().lines).toBe(40);
    },
    60_000,
  );
});
