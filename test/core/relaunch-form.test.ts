import { describe, expect, it } from 'vitest';
import {
  formText,
  parseForm,
  type RelaunchForm,
  usableRemedy,
  withChange,
} from '../../src/core/relaunch-form.js';

const empty: RelaunchForm = { env: {}, args: [], before: ['make clean'], edited: null };

describe('the relaunch form as a line', () => {
  it.each([
    [{ A: '1' }, ['--tp', '4']],
    [{ A: 'b c', QUOTE: "it's" }, []],
    [{}, ['--name', 'two words', '--json', '{"a": "b"}']],
    [{ EMPTY: '' }, ['$(touch /tmp/x)', '`id`', '\\']],
    [{}, []],
  ])('comes back as it was: %j %j', (env, args) => {
    const form: RelaunchForm = { ...empty, env: { ...env }, args };
    expect(parseForm(formText(form), empty)).toEqual(form);
  });

  it('reads quotes as a shell does, and expands nothing', () => {
    expect(parseForm(`A="x y" B='$HOME' --flag "a\\"b" c\\ d`, empty)).toEqual({
      ...empty,
      env: { A: 'x y', B: '$HOME' },
      args: ['--flag', 'a"b', 'c d'],
    });
  });

  it('takes an assignment after the first argument for an argument', () => {
    expect(parseForm('--set A=1', empty)).toMatchObject({ env: {}, args: ['--set', 'A=1'] });
  });
});

describe('a change in the form', () => {
  it('is in it once, however often it is taken', () => {
    const once = withChange(empty, { env: { A: '1' }, args: ['--tp', '2'] });
    expect(withChange(once, { env: { A: '1' }, args: ['--tp', '2'] })).toEqual(once);
    expect(once.before).toEqual(empty.before);
  });

  it('replaces a value of the same flag, and only that', () => {
    const form = withChange(empty, { args: ['--cuda-graph-max-bs', '160', '--tp', '8'] });
    expect(withChange(form, { args: ['--cuda-graph-max-bs', '16'] }).args).toEqual([
      '--tp',
      '8',
      '--cuda-graph-max-bs',
      '16',
    ]);
  });

  it('comes from the first remedy that is one', () => {
    const remedy = (id: string, change: { readonly args: readonly string[] } | null) =>
      ({ id, title: id, why: '', change, url: null }) as const;
    expect(usableRemedy([remedy('upgrade', null), remedy('flag', { args: ['-x'] })])?.id).toBe('flag');
    expect(usableRemedy([remedy('upgrade', null)])).toBeNull();
  });
});
