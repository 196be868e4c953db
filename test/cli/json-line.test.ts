import { describe, expect, it } from 'vitest';
import { jsonLine } from '../../src/cli/json-line.js';

describe('a line of JSON', () => {
  it('has nothing in it that a terminal would act on, and means the same', () => {
    const value = { text: 'a\u001b]0;x\u0007\u009b31m\u202ereversed\u2028\ufeff\n' };
    const line = jsonLine(value);
    expect(line).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(line)).toEqual(value);
  });

  it('hides secrets wherever they stand, and stays JSON', () => {
    const line = jsonLine({
      summary: 'ValueError: bad --api-key SECRET1',
      report: {
        serverArgs: { api_key: 'SECRET2', tokenizer: 'kept' },
        line: "HF_TOKEN=SECRET3 api_key='SECRET4'",
      },
    });
    expect(line).not.toMatch(/SECRET/);
    expect(JSON.parse(line)).toMatchObject({ report: { serverArgs: { tokenizer: 'kept' } } });
  });
});
