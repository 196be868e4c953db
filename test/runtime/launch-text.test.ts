import { describe, expect, it } from 'vitest';
import { changedSpec } from '../../src/core/changed-spec.js';
import { type LaunchSpec, launchSpec } from '../../src/core/launch-spec.js';
import { launchText, parseLaunchText } from '../../src/runtime/launch-text.js';

const argv = launchSpec({
  command: ['python', '-m', 'server', '--model', '/models/a b', '--json', '{"k": "it\'s"}', '--seed', '-1'],
  env: { A: '1', EMPTY: '', MULTI: 'one\ntwo: x\n', YES: 'yes', QUOTE: `"'` },
  cwd: '/srv/x',
  log: '/srv/x/server.log',
});

const back = (spec: LaunchSpec, before: readonly string[] = []): LaunchSpec =>
  changedSpec(spec, parseLaunchText(launchText(spec, before), spec));

describe('a launch as text', () => {
  it.each([
    ['an argv', argv],
    ['a line for a shell', launchSpec({ command: ['source venv/bin/activate && python -m server --tp 8'] })],
    ['a line of several lines', launchSpec({ command: ['set -e\n  x=1\nexec server'], shell: true })],
    [
      'words that look like other things',
      launchSpec({ command: ['a', '', '#no', ' b ', '\\', 'x\ny', '- 1', '\t'] }),
    ],
  ])('comes back as it was: %s', (_, spec) => {
    const { shell: _shell, ...rest } = spec;
    expect(back(spec)).toMatchObject(rest);
  });

  it('has a flag a line, and the steps before', () => {
    const text = launchText(argv, ['rm -rf __pycache__', '@./patch.sh']);
    expect(text).toContain("  --model '/models/a b'\n");
    expect(parseLaunchText(text, argv).before).toEqual(['rm -rf __pycache__', '@./patch.sh']);
  });

  it('tells on top what is still to be put in by hand', () => {
    const text = launchText(argv, [], ['--name', 'two\nlines: x']);
    expect(text).toContain("# Put in by hand: --name 'two lines: x'\ncommand:");
    expect(changedSpec(argv, parseLaunchText(text, argv)).command).toEqual(argv.command);
  });

  it('takes what people write: joined lines, quotes, comments, no env', () => {
    const text = 'command: |\n  server \\\n    --name "two words" \\\n    --x 1\nbefore:\n  - make # now\n';
    const form = parseLaunchText(text, argv);
    expect(form.edited).toEqual({
      command: ['server', '--name', 'two words', '--x', '1'],
      shell: false,
      cwd: null,
      env: {},
    });
    expect(form.before).toEqual(['make']);
  });

  it.each([
    ['', /command/],
    ['command: a b\ncomand: x y\n', /line 2: "comand" is not known/],
    ['command: a b\nshell: x\n', /Either/],
    ['cwd: /x\n', /Either/],
    ["command: a 'b\n", /line 1: a quote/],
    ['command: |\n  a\n', /one word/],
    ['command: a b\nenv:\n  1X: y\n', /"1X" is no name/],
    ['command: a b\nenv:\n  X: [1]\n', /X is to be one value/],
    ['command: a b\nbefore: x\n', /list of lines/],
    ['command: a b\nenv: [\n', /line \d+: /],
  ])('says what is wrong with %j', (text, message) => {
    expect(() => parseLaunchText(text, argv)).toThrow(message);
  });

  it('refuses bytes that no text can hold', () => {
    expect(() => launchText(launchSpec({ command: ['a', '\udcff'] }), [])).toThrow(/not UTF-8/);
    expect(() => launchText(launchSpec({ command: ['a', '😀'] }), [])).not.toThrow();
  });
});
