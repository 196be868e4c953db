import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { examples } from '../../src/cli/program/examples.js';
import { createProgram } from '../../src/cli/program.js';
import { exitCodes, FiredupError } from '../../src/errors.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The program with every command's work taken out: only its words are looked at. */
function parser(): Command {
  const program = createProgram();
  const disarm = (command: Command): void => {
    if (command.name() !== 'config' && command.name() !== 'help') command.action(() => {});
    for (const child of command.commands) disarm(child);
  };
  for (const command of program.commands) disarm(command);
  return program;
}

/** What is wrong with a command line; null where nothing is. */
async function faultOf(words: readonly string[]): Promise<FiredupError | null> {
  try {
    await parser().parseAsync([...words], { from: 'user' });
    return null;
  } catch (error) {
    if (error instanceof FiredupError) return error;
    throw error;
  }
}

const host = 'HOST|TARGET is a target of the config, local, an ssh alias, or [user@]host[:port]';

describe('wrong words on the command line', () => {
  it.each<[string, string, string]>([
    ['watc local', 'There is no command watc (did you mean watch?).', 'firedup --help shows all commands.'],
    ['gpu-17', 'There is no command gpu-17.', 'is watched by: firedup watch gpu-17'],
    ['help wach', 'There is no command wach (did you mean watch?).', 'firedup --help'],
    [
      'engines shw',
      'There is no command engines shw (did you mean engines show?).',
      'firedup engines --help',
    ],
    ['config chek', 'There is no command config chek (did you mean config check?).', 'firedup config --help'],
    ['config', 'config needs a command: check or print.', 'firedup config --help'],
    ['watch', 'watch needs HOST|TARGET.', `${host}. firedup watch --help shows its options.`],
    ['launch', 'launch needs HOST|TARGET.', host],
    ['engines show', 'engines show needs NAME.', 'NAME is an engine.'],
    ['watch local extra', 'watch takes only HOST|TARGET: "extra" is too much.', 'firedup watch --help'],
    ['status a b', 'status takes only HOST|TARGET: "b" is too much.', 'firedup status --help'],
    ['relaunch local -- --tp 4', 'relaunch takes only HOST|TARGET: "--tp" is too much.', '--env NAME=value'],
    ['themes x', 'themes takes no argument: "x" is too much.', 'firedup themes --help'],
    ['watch local --prot 1', 'watch has no option --prot (did you mean --port?).', 'firedup watch --help'],
    ['tail local -x', 'tail has no option -x.', 'firedup tail --help shows its options.'],
    ['--json wait local', 'firedup has no option --json.', 'after the command: firedup COMMAND --json'],
    ['--nope', 'firedup has no option --nope.', 'firedup --help shows all commands.'],
    ['launch local vllm serve --tp 8', 'launch has no option --tp.', '[options] [-- COMMAND...]'],
    ['watch local --log', '--log needs a value: --log PATH.', 'firedup watch --help'],
    ['watch local --port 0', '--port takes a port, 1 to 65535, not "0".', 'firedup watch --help'],
    ['watch local --port 65536', '--port takes a port, 1 to 65535, not "65536".', ''],
    ['watch local -p ssh', '-p takes a port, 1 to 65535, not "ssh".', ''],
    ['watch local --pid 1.5', '--pid takes a whole number, not "1.5".', ''],
    ['dump local -n abc', '--lines takes a whole number, not "abc".', 'firedup dump --help'],
    ['dump local -n -5', '--lines takes a whole number, not "-5".', ''],
    ['tail local -n +2', '--lines takes a whole number, or +1 for all lines, not "+2".', ''],
    ['kill local --also self', '--also takes a whole number, not "self".', ''],
    ['kill local --grace -1', '--grace takes a duration such as 90s, 10m or 1h, not "-1".', ''],
    ['wait local --timeout soon', '--timeout takes a duration such as 90s, 10m or 1h, not "soon".', ''],
    ['kill local --signal FOO', '--signal takes TERM, INT or KILL, not "FOO".', ''],
    ['demo --speed 0', '--speed takes a number above 0, not "0".', ''],
    ['demo --scenario stal', 'There is no scenario stal (did you mean stall?).', 'There are: story, ready'],
    ['wait local --transport telnet', 'There is no transport telnet.', 'There are: ssh, ssh2.'],
    ['launch local --env 1=2 -- true', '--env takes NAME=VALUE, not "1=…".', ''],
    ['kill local --name a --pid 4', '--name and --pid cannot go together.', 'Give one of them.'],
    ['relaunch local --container a --log b', '--log and --container cannot go together.', ''],
  ])('%s', async (line, sentence, hint) => {
    const fault = await faultOf(line.split(' '));
    expect(fault).toMatchObject({ message: sentence, exitCode: exitCodes.usage });
    expect(fault?.hint).toContain(hint);
  });

  it('tell no secret that was meant for the command', async () => {
    const fault = await faultOf(['launch', 'local', '--env', '1TOKEN=abc', '--', 'true']);
    expect(fault?.message).toBe('--env takes NAME=VALUE, not "1TOKEN=…".');
  });

  it('are not looked for in a command to launch, nor in the value of an option', async () => {
    expect(await faultOf(['launch', 'local', '--', 'vllm', 'serve', '--nope', '--port', 'x'])).toBeNull();
    expect(await faultOf(['launch', 'local', '--before', '--nope', '--', 'true'])).toBeNull();
    expect(await faultOf(['kill', 'local', '--signal', 'SIGint', '--grace', '1.5m'])).toBeNull();
  });
});

describe('the help', () => {
  const all: readonly Command[] = every(createProgram());

  it.each(all.map((command) => [command.name(), command] as const))('of %s fits 80 columns', (_, command) => {
    let text = '';
    command.configureOutput({ writeOut: (more) => (text += more), getOutHelpWidth: () => 80 });
    command.outputHelp();
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(text).not.toMatch(/<|undefined/);
  });

  it('has examples of every command that has more than one use', () => {
    const names = all.map(fullName);
    expect(names.filter((name) => !examples[name])).toEqual(['firedup themes', 'firedup help']);
    expect(Object.keys(examples).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('the command lines that are shown are right:', () => {
  const pages = [
    'README.md',
    ...readdirSync(`${root}/docs`)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  const lines = pages.flatMap((page) =>
    [...readFileSync(`${root}/${page}`, 'utf8').matchAll(/^ {4}(firedup [^\n]*(?:\\\n[^\n]*)*)/gm)].map(
      ([, line = '']) => [page, line.replace(/\\\n\s*/g, '')] as const,
    ),
  );

  it('there are some', () => {
    expect(lines.length).toBeGreaterThan(30);
  });

  it.each(lines)('%s: %s', async (_page, line) => {
    if (/\[options\]/.test(line)) return;
    const words = wordsOf(line.replace(/ (?:&&|[|>#]) .*/, ''));
    expect((await faultOf(words.slice(1)))?.message ?? null).toBeNull();
  });
});

/** The words of a line for the shell, which has nothing but single quotes in it. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

const every = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(every)];

const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
