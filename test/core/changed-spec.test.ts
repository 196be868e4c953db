import { describe, expect, it } from 'vitest';
import { changedSpec, launchDifference } from '../../src/core/changed-spec.js';
import { launchSpec } from '../../src/core/launch-spec.js';

const argv = ['sglang', 'serve', '--tp', '8', '--mem-fraction-static=0.9', '--trust-remote-code'];

const changed = (args: readonly string[]): readonly string[] =>
  changedSpec(launchSpec({ command: argv }), { env: {}, args }).command;

describe('a launch with a change in it', () => {
  it('gives a flag that is there its new value, in either spelling', () => {
    expect(changed(['--tp', '4'])).toEqual(argv.with(3, '4'));
    expect(changed(['--mem-fraction-static', '0.8'])).toEqual([
      ...argv.slice(0, 4),
      '--mem-fraction-static',
      '0.8',
      '--trust-remote-code',
    ]);
  });

  it('adds a flag that is not there, and does not double one without a value', () => {
    expect(changed(['--disable-cuda-graph'])).toEqual([...argv, '--disable-cuda-graph']);
    expect(changed(['--trust-remote-code'])).toEqual(argv);
  });

  it('takes several changes at once, and negative numbers for values', () => {
    expect(changed(['--tp', '4', '--seed', '-1'])).toEqual([...argv.with(3, '4'), '--seed', '-1']);
  });

  it('refuses arguments to a line for a shell, where they might land behind a pipe', () => {
    const spec = launchSpec({ command: ['source venv/bin/activate && serve | tee log'] });
    expect(() => changedSpec(spec, { env: {}, args: ['--tp', '4'] })).toThrow(/line for a shell/);
    expect(changedSpec(spec, { env: { A: '1' }, args: [] }).command).toEqual(spec.command);
  });

  it('puts arguments into the last command of a line for a shell, also of one that the command gives a shell', () => {
    const line = 'source venv/bin/activate && vllm serve m --tp 8';
    const next = 'source venv/bin/activate && vllm serve m --tp 4';
    const of = (command: readonly string[]): readonly string[] =>
      changedSpec(launchSpec({ command }), { env: {}, args: ['--tp', '4'] }).command;
    expect(of([line])).toEqual([next]);
    expect(of(['nohup', 'bash', '-lc', line])).toEqual(['nohup', 'bash', '-lc', next]);
    expect(() => of(['bash', '-c', `${line} | tee log`])).toThrow(/cannot be told/);
  });

  it('changes the last of several, which is the one that counts', () => {
    expect(
      changedSpec(launchSpec({ command: ['serve', '--tp', '2', '--tp', '8'] }), {
        env: {},
        args: ['--tp', '4'],
      }).command,
    ).toEqual(['serve', '--tp', '2', '--tp', '4']);
  });

  it('shows steps before the start that are new, and those that would be left out', () => {
    const spec = launchSpec({ command: argv });
    const before = { last: ['clean', 'echo --token ***'], next: ['echo --token abcdef', 'patch'] };
    expect(launchDifference(spec, spec, before)).toEqual(['- before clean', '+ before patch']);
    expect(launchDifference(spec, spec, { last: null, next: ['patch --token abcdef'] })).toEqual([
      '+ before patch --token *** (not known to have run last time)',
    ]);
    expect(launchDifference(spec, spec)).toEqual([]);
  });

  it('says so where nothing but the order of the arguments is another, or one stands there twice', () => {
    const [one, other] = [
      ['serve', '--a', '1', '--b', '2'],
      ['serve', '--b', '2', '--a', '1'],
    ];
    expect(launchDifference(launchSpec({ command: one }), launchSpec({ command: other }))).toEqual([
      '- serve --a 1 --b 2',
      '+ serve --b 2 --a 1',
    ]);
    const twice = launchSpec({ command: [...one, '--b', '2'] });
    expect(launchDifference(launchSpec({ command: one }), twice)[1]).toBe('+ serve --a 1 --b 2 --b 2');
  });

  it('merges the environment', () => {
    const spec = launchSpec({ command: argv, env: { A: '1', B: '2' } });
    expect(changedSpec(spec, { env: { B: '3' }, args: [] }).env).toEqual({ A: '1', B: '3' });
  });
});
