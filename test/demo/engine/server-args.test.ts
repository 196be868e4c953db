import { describe, expect, it } from 'vitest';
import { describeServerArgs, parseServerArgs } from '../../../src/demo/engine/server-args.js';

function parse(...words: string[]) {
  const parsed = parseServerArgs(['--model-path', '/models/m', ...words]);
  if (parsed.kind !== 'args') throw new Error(parsed.text);
  return parsed.args;
}

describe('parseServerArgs', () => {
  it('takes values after a blank or an equals sign, and the last of several', () => {
    expect(
      parse('--tp', '4', '--port=9', '--mem-fraction-static', '0.9', '--mem-fraction-static=0.8'),
    ).toMatchObject({
      tp_size: 4,
      port: 9,
      mem_fraction_static: 0.8,
    });
  });

  it('takes switches and fills in what follows from the model path', () => {
    expect(parse('--disable-cuda-graph')).toMatchObject({
      disable_cuda_graph: true,
      skip_server_warmup: false,
      served_model_name: '/models/m',
    });
  });

  it.each([
    [['--tp', 'two'], "argument --tp: invalid int value: 'two'"],
    [['--port'], 'argument --port: expected one argument'],
    [['--nonsense', 'x'], 'unrecognized arguments: --nonsense x'],
  ])('refuses %j as argparse does', (words, text) => {
    const parsed = parseServerArgs(['--model-path', '/models/m', ...words]);
    expect(parsed).toMatchObject({ kind: 'usage', text: expect.stringContaining(`error: ${text}\n`) });
  });

  it('wants a model', () => {
    expect(parseServerArgs([])).toMatchObject({ kind: 'usage' });
  });
});

describe('describeServerArgs', () => {
  it('prints Python values', () => {
    const line = describeServerArgs(parse('--served-model-name', "it's"));
    expect(line).toMatch(/^server_args=ServerArgs\(model_path='\/models\/m', tokenizer_path='\/models\/m', /);
    expect(line).toContain('trust_remote_code=False, context_length=None, ');
    expect(line).toContain('schedule_conservativeness=1.0, ');
    expect(line).toContain("served_model_name='it\\'s', ");
  });
});
