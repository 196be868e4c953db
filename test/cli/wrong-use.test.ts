import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { bin, type Ran, run, runCommand } from './run-program.js';

let folder: string;
let env: Readonly<Record<string, string>>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firedup-wrong-'));
  mkdirSync(join(folder, 'a-folder'));
  const files = {
    'empty.yaml': '',
    'broken.yaml': 'targets: [1, 2\n',
    'key.yaml': 'targets: { a: { hst: x } }\n',
    'regex.yaml': 'engines: { sglang: { ready: ["("] } }\n',
    'theme.yaml': 'theme: drak\n',
    'binary.yaml': Buffer.from([0xff, 0xfe, 0x00, 0x80]),
    'targets.yaml': [
      'targets:',
      '  big: { host: local, command: [python, -m, sglang.launch_server, --api-key, hidden-word] }',
      '  bare: { host: local }',
      '',
    ].join('\n'),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  env = { HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each line has a state folder of its own: what one leaves there is no server to another. */
const firedup = (line: string): Promise<Ran> =>
  run(line === '' ? [] : line.split(' ').map((word) => (word === "''" ? '' : word)), {
    cwd: folder,
    env: { ...env, XDG_STATE_HOME: mkdtempSync(join(folder, 'state-')) },
  });

/** A sentence of ours, or a place in a config and what is wrong there; below it, two columns further in, what to try. */
const voice = /^firedup: (?:\S.*[.?]|\S+:\d+:\d+: .*)\n(?: {2}\S.*\n)*$/m;

describe.skipIf(!available('procfs')).concurrent('is told in a sentence, with the right exit code:', () => {
  it.each<[string, number, string | RegExp]>([
    ["wait ''", 2, '"" is not a valid host name.\n  A host is written local, as an alias'],
    ['wait [::1 --log x', 2, '"[::1" is not a valid host name.'],
    ['wait :22 --log x', 2, '":22" is not a valid host name.'],
    ['wait box:99999 --log x', 2, '99999 is not a port number (1 to 65535).'],
    ['wait no-such-host.invalid --log x', 5, 'The name no-such-host.invalid cannot be resolved.\n  Check'],
    [
      'status no-such-host.invalid --json --config nowhere.yaml',
      2,
      'nowhere.yaml cannot be read: there is no such file.',
    ],
    ['wait box -F nowhere --log x', 2, 'The ssh config file nowhere cannot be read: there is no such file.'],
    ['wait box -i nowhere --log x', 2, 'The key file nowhere cannot be read: there is no such file.'],
    [
      'wait local',
      2,
      'Nothing was launched by firedup on local: which server is meant?\n  Start one: firedup launch local -- COMMAND; or name what runs by --log PATH, --pid PID or --port PORT.',
    ],
    [
      'tail local --name x',
      2,
      'There is no server "x" on local.\n  Start it: firedup launch local --name x -- COMMAND; or',
    ],
    [
      'kill local --pid 999999999 --yes',
      2,
      'There is no process 999999999 on local.\n  firedup status local shows',
    ],
    [
      'kill local --log nowhere --yes',
      2,
      /There is no such server to end on local: .*\.\n {2}firedup status local shows/,
    ],
    [
      'kill local --yes --read-only',
      2,
      'kill acts on the host, and --read-only switches every action off.\n  Leave it away',
    ],
    ['doctor local --name x', 2, 'There is no attempt of "x" on local.\n  firedup status local'],
    [
      'dump local --log nowhere',
      2,
      'There is no file nowhere on local.\n  A path without / at its beginning',
    ],
    ['dump local --log a-folder', 2, 'a-folder on local is a folder, not a log.\n  Name the log file in it.'],
    ["launch local --no-preflight -- ''", 2, 'There is no command to start.'],
    [
      'launch local --no-preflight --cwd /nowhere -- true',
      2,
      'There is no folder /nowhere on local.\n  Give another --cwd.',
    ],
    [
      'launch local --no-preflight --before @nowhere -- true',
      2,
      'The script nowhere cannot be read: there is no such file.\n  Nothing was done.',
    ],
    [
      'launch local --no-preflight --name a/b -- true',
      2,
      '"a/b" is no name for a server.\n  Letters, digits',
    ],
    [
      'launch local -- no-such-program --x',
      2,
      /Nothing was started\. In the way: command: no-such-program: not found in PATH\.\n {2}Give --yes/,
    ],
    ['wait local --log x --config a-folder', 2, 'a-folder cannot be read: it is a folder.'],
    ['wait local --log x --config binary.yaml', 2, 'binary.yaml is not UTF-8 text.'],
    ['wait local --log x --config broken.yaml', 2, /broken\.yaml:2:1: .*\n {2}It must be YAML\./],
    [
      'triage x --config regex.yaml',
      2,
      /regex\.yaml:1:30: engines\.sglang\.ready\[0\] is not a regular expression/,
    ],
    [
      'status --config key.yaml',
      2,
      /key\.yaml:1:15: targets\.a lacks host\.\n {2}key\.yaml:1:17: .*did you mean host\?/,
    ],
    ['wait local --log x --config theme.yaml', 2, /theme\.yaml:1:8: theme cannot be drak; it may be default/],
    ['status --config empty.yaml', 2, 'empty.yaml has no targets.\n  Name a host: firedup status HOST.'],
    ['config print x --config empty.yaml', 2, 'There is no target x in empty.yaml.\n  It has no targets.'],
    [
      'config print bg --config targets.yaml',
      2,
      'There is no target bg in targets.yaml (did you mean big?).\n  Targets: big, bare.',
    ],
    [
      'config check',
      2,
      'There is no config: neither ./firedup.yaml nor ~/.config/firedup/config.yaml.\n  docs/config.md',
    ],
    ["engines show ''", 2, 'There is no engine "".\n  Engines: sglang, vllm'],
    [
      'wait bare --config targets.yaml',
      2,
      'The target bare has not been started on local.\n  Give the target command: or log: in the config',
    ],
    ...['watch', 'wait', 'dump', 'tail', 'kill --yes', 'relaunch --yes'].map(
      (command): [string, number, string] => {
        const [verb = '', ...more] = command.split(' ');
        const words = [verb, 'big', '--config', 'targets.yaml', ...more].join(' ');
        return [
          words,
          2,
          'The target big has not been started on local.\n  Start it: firedup launch big --config targets.yaml (python -m sglang.launch_server --api-key ***); or name what runs by',
        ];
      },
    ),
  ])('%s', async (line, code, words) => {
    const ran = await firedup(line);
    expect(ran.err).toMatch(voice);
    expect({ ...ran, err: '' }).toEqual({ code, out: '', err: '' });
    if (typeof words === 'string') expect(ran.err).toContain(`firedup: ${words}`);
    else expect(ran.err).toMatch(words);
    expect(ran.err).not.toContain('hidden-word');
  });

  it('with --json nothing else comes on stdout', async () => {
    expect(await firedup('wait local --name x --json')).toMatchObject({ code: 2, out: '' });
    expect(await firedup('status no-such-host.invalid --json')).toMatchObject({
      code: 5,
      out: expect.stringMatching(/^\{"servers":\[\{.*"outcome":"unreachable".*\}\]\}\n$/),
    });
  });

  it('a wait that is to last no time says that the time is over', async () => {
    const { code, out, err } = await firedup('wait local --log nowhere.log --timeout 0');
    expect({ code, err }).toEqual({ code: 4, err: '' });
    expect(out).toMatch(/^TIMED OUT, the server is left alone: /m);
  });

  it('nothing at all is answered with the help', async () => {
    expect(await firedup('')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^Usage: firedup/),
    });
    expect(await firedup('help')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^Usage: firedup/),
    });
    expect((await firedup('help engines check')).out).toMatch(/^Usage: firedup engines check \[FILE\]/);
  });
});

describe.concurrent('the surroundings may be poor:', () => {
  const shell = (line: string, more: Readonly<Record<string, string>> = {}): Promise<Ran> =>
    runCommand('sh', ['-c', line.replaceAll('FIREDUP', `"${process.execPath}" "${bin}"`)], {
      cwd: folder,
      env: { ...env, ...more },
    });

  it('a device without room for the output', async () => {
    expect(await shell('FIREDUP engines >/dev/full')).toEqual({
      code: 2,
      out: '',
      err: 'firedup: The output cannot be written: no space left on its device.\n',
    });
  });

  it.each(['engines', 'help', 'themes', 'status local'])('a reader that goes: %s', async (command) => {
    const { out, err } = await shell(`{ FIREDUP ${command}; echo $? >&2; } | true`);
    expect({ out, err }).toEqual({ out: '', err: expect.stringMatching(/^(?:0|130)\n$/) });
  });

  it('all three of stdin, stdout and stderr closed', async () => {
    expect(await shell('FIREDUP bogus <&- >&- 2>&-; echo $?')).toMatchObject({ out: '2\n' });
    expect(await shell('FIREDUP engines <&- >&- 2>&-; echo $?')).toMatchObject({ out: '0\n' });
  });

  it('no HOME, and no TERM', async () => {
    const ran = await shell('unset HOME TERM XDG_STATE_HOME XDG_CONFIG_HOME; FIREDUP engines');
    expect(ran).toMatchObject({ code: 0, err: '' });
    const none = await shell('HOME= XDG_CONFIG_HOME= FIREDUP config check');
    expect(none).toMatchObject({ code: 2, err: expect.stringMatching(/^firedup: There is no config/) });
  });

  it.skipIf(!available('procfs'))('a state folder that cannot be made: what to set is said', async () => {
    // A file in the place of the folder stops even root.
    const state = join(folder, 'no-folder');
    writeFileSync(state, '');
    const launched = await shell('FIREDUP launch local --no-preflight -- true', { XDG_STATE_HOME: state });
    expect(launched).toMatchObject({ code: 2, out: '', err: expect.stringMatching(voice) });
    expect(launched.err).toMatch(/cannot be made\.\n {2}Set XDG_STATE_HOME there\./);
  });
});
