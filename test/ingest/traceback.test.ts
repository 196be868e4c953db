import { describe, expect, it } from 'vitest';
import { type Traceback, TracebackGrouper } from '../../src/ingest/traceback.js';

/** All blocks of `text`; each line may begin with `source> `. */
function group(text: string): Traceback[] {
  const grouper = new TracebackGrouper();
  const blocks: Traceback[] = [];
  text.split('\n').forEach((line, index) => {
    const [, source = '', body = line] = /^(\w+)> ?(.*)$/.exec(line) ?? [];
    const block = grouper.push(source, body, line, index + 1);
    if (block !== null) blocks.push(block);
  });
  return blocks;
}

const plain = `Traceback (most recent call last):
  File "/opt/a.py", line 1, in main
    run()
    ~~~^^
  File "/opt/b.py", line 22, in run
    raise Odd('x')
some.module.Odd: it broke: badly`;

describe('tracebacks', () => {
  it('end with the first line after the frames that is not indented, whatever its name', () => {
    expect(group(plain)).toMatchObject([
      {
        exception: 'some.module.Odd',
        message: 'it broke: badly',
        lineNumber: 7,
        headerLine: 1,
        frames: [{ line: 1 }, { file: '/opt/b.py', line: 22, name: 'run' }],
      },
    ]);
  });

  it('may end with a bare name', () => {
    expect(group(plain.replace(/some.*/, 'AssertionError'))[0]).toMatchObject({
      exception: 'AssertionError',
      message: '',
    });
    expect(group(plain.replace(/some.*/, 'Killed'))).toEqual([]);
  });

  it('keep the lines that the message goes on with', () => {
    const [block] = group(`${plain}\nPossible solutions:\n1. less`);
    expect(block?.more).toEqual(['Possible solutions:', '1. less']);
  });

  it('are chained', () => {
    const [first, second] = group(
      `${plain}\n\nDuring handling of the above exception, another exception occurred:\n\n${plain}`,
    );
    expect(first?.earlier).toBeNull();
    expect(second?.earlier).toBe(first);
  });

  it('stay apart by source when their lines mix', () => {
    const lines = plain.split('\n');
    const mixed = lines
      .flatMap((line) => [`one> ${line}`, `two> ${line.replace('badly', 'well')}`])
      .join('\n');
    expect(group(mixed).map(({ source, message }) => [source, message])).toEqual([
      ['one', 'it broke: badly'],
      ['two', 'it broke: well'],
    ]);
  });

  it('are read where the indentation was lost, and where the head is cut off', () => {
    expect(group(plain.replace(/^ +/gm, ''))).toMatchObject([
      { exception: 'some.module.Odd', frames: [{ line: 1 }, { line: 22 }] },
    ]);
    expect(group(plain.split('\n').slice(1).join('\n'))).toMatchObject([{ exception: 'some.module.Odd' }]);
  });

  it('are read out of the boxes that rich draws', () => {
    const boxed = [
      '╭───────────── Traceback (most recent call last) ─────────────╮',
      '│ /opt/cli.py:91 in serve                                     │',
      '│   90 │   server.serve()                                      │',
      '╰─────────────────────────────────────────────────────────────╯',
      'RuntimeError: no luck',
    ];
    expect(group(boxed.join('\n'))).toMatchObject([
      { exception: 'RuntimeError', frames: [{ file: '/opt/cli.py', line: 91, name: 'serve' }] },
    ]);
  });

  it('bear a frame list of thousands', () => {
    const frames = '  File "/opt/b.py", line 22, in run\n    run()\n'.repeat(5000);
    const [block] = group(`Traceback (most recent call last):\n${frames}RecursionError: too deep`);
    expect(block?.exception).toBe('RecursionError');
    expect(block?.frames.length).toBeLessThan(200);
  });

  it.each([
    ['Ray’s count', (line: string) => `${line} [repeated 7x across cluster]`],
    ['a border', (line: string) => `│ ${line.padEnd(60)} │`],
    ['an indentation', (line: string) => `        ${line}`],
    ['an exception group’s bar', (line: string) => `    | ${line}`],
  ])('are read through %s', (_what, frame) => {
    const [block] = group(plain.split('\n').map(frame).join('\n'));
    expect(block).toMatchObject({ exception: 'some.module.Odd', message: 'it broke: badly', lineNumber: 7 });
    expect(block?.frames.map(({ name }) => name)).toEqual(['main', 'run']);
  });

  it('are read as notebooks print them', () => {
    const [block] = group(`KeyError                                  Traceback (most recent call last)
Cell In[1], line 3
File /opt/demo/llm.py:177, in LLM.__init__(self, model)
    175 engine_args = EngineArgs(model)
--> 177 self.engine = LLMEngine.from_engine_args(engine_args)

[/opt/demo/llama.py](https://localhost:8080/#) in load_weights(self, weights)
    413     continue
--> 415 param = params_dict[name]

KeyError: 'layers.0.wk.weight'`);
    expect(block).toMatchObject({ exception: 'KeyError', message: "'layers.0.wk.weight'", lineNumber: 11 });
    expect(block?.frames).toMatchObject([
      { file: '/opt/demo/llm.py', line: 177 },
      { file: '/opt/demo/llama.py', name: 'load_weights' },
    ]);
  });
});
