import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConfig } from '../../src/store/config-file.js';
import { type ConfigTargets, readTargets } from '../../src/store/config-targets.js';
import { readEnvValues } from '../../src/store/env-values.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firedup-targets-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What a config says of its targets, and its problems as they are told, without the file's name. */
async function read(text: string): Promise<ConfigTargets & { readonly said: readonly string[] }> {
  const path = join(folder, 'firedup.yaml');
  writeFileSync(path, text);
  const file = await openConfig(path);
  const targets = readTargets(file);
  return { ...targets, said: file.say(targets.problems).map((line) => line.slice(path.length + 1)) };
}

const target = (...lines: readonly string[]): string =>
  `targets:\n  big:\n    host: gpu-17\n${lines.map((line) => `    ${line}\n`).join('')}`;

describe('targets', () => {
  it('are what is written, and what the defaults add to it', async () => {
    const { targets, said } = await read(`
defaults: { host: gpu-17, grace: 20s, env: { HF_HOME: /data/hf, TIER: low }, ssh: { jump: gate, port: 22 } }
targets:
  big: { command: [serve, --tp, 8], env: { TIER: high }, ssh: { port: 2222 } }
  small: { host: gpu-18, grace: 5s, log: '~/log-{attempt}' }
`);
    expect(said).toEqual([]);
    expect(Object.fromEntries(targets)).toEqual({
      big: {
        host: 'gpu-17',
        grace: '20s',
        command: ['serve', '--tp', '8'],
        env: { HF_HOME: '/data/hf', TIER: 'high' },
        ssh: { jump: 'gate', port: 2222 },
      },
      small: {
        host: 'gpu-18',
        grace: '5s',
        log: '~/log-{attempt}',
        env: { HF_HOME: '/data/hf', TIER: 'low' },
        ssh: { jump: 'gate', port: 22 },
      },
    });
  });

  it('take numbers and truths as they are written where a text stands', async () => {
    const { targets, said } = await read(
      target(
        'port: 30000',
        'shell: true',
        'timeout: 90',
        'env: { A: 1, B: 0644, C: yes, D: true, E: 1.50, port: 8, shell: false, F: "2" }',
        'command: [run, 0x10, 1e3]',
      ),
    );
    expect(said).toEqual([]);
    expect(targets.get('big')).toEqual({
      host: 'gpu-17',
      port: 30_000,
      shell: true,
      timeout: '90',
      env: { A: '1', B: '0644', C: 'yes', D: 'true', E: '1.50', port: '8', shell: 'false', F: '2' },
      command: ['run', '0x10', '1e3'],
    });
  });

  it.each([
    ['hots: x', '4:5: targets.big has no key hots (did you mean host?)'],
    ['port: 0', '4:11: targets.big.port must be at least 1.'],
    ['port: 70000', '4:11: targets.big.port must be at most 65535.'],
    ['port: "1"', '4:11: targets.big.port must be a'],
    ['timeout: soon', '4:14: targets.big.timeout must be a duration such as 90s, 10m or 1h.'],
    ['grace: 5 minutes', '4:12: targets.big.grace must be a duration'],
    ['env: { 1A: x }', '4:12: targets.big.env.1A is no name for a variable'],
    ['env: { A: { from-evn: B } }', '4:17: targets.big.env.A has no key from-evn (did you mean from-env?)'],
    ['env: { A: { from-env: B, file: c } }', '4:15: targets.big.env.A takes one of from-env and file.'],
    ['env: { A: [b] }', '4:15: targets.big.env.A must be text, {from-env: NAME} or {file: PATH}.'],
    ['env: { A: }', '4:15: targets.big.env.A must be text, {from-env: NAME}'],
    ['env: [A=b]', '4:10: targets.big.env must be a map'],
    ['command: []', '4:14: targets.big.command must begin with a program.'],
    ['command: { a: b }', '4:14: targets.big.command must be a line for a shell, or a list of words.'],
    ['command: ""', '4:14: targets.big.command must not be empty.'],
    ['before: rm -rf x', '4:13: targets.big.before must be a list.'],
    ['before: [{ scirpt: a }]', '4:16: targets.big.before[0] has no key scirpt (did you mean script?)'],
    ['shell: 1', '4:12: targets.big.shell must be true or false.'],
    ['name: "../up"', '4:11: targets.big.name is no name for a server'],
    ['ssh: { transport: shs }', '4:23: targets.big.ssh.transport cannot be shs (did you mean ssh?)'],
    ['ssh: { prot: 22 }', '4:12: targets.big.ssh has no key prot (did you mean port?)'],
    ['container: ""', '4:16: targets.big.container must not be empty.'],
    ['before:', '4:12: targets.big.before is empty.'],
  ])('are refused with %s', async (line, message) => {
    const { said, targets } = await read(target(line));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(message);
    expect(targets.size).toBe(0);
  });

  it.each([
    ['targets: { big: { port: 1 } }', 'targets.big lacks host.'],
    ['targets: { local: { host: x } }', 'targets.local is no name for a target'],
    ['targets: { "a b": { host: x } }', 'targets.a b is no name for a target'],
    ['targets: { "a:b": { host: x } }', 'targets."a:b" is no name for a target'],
    ['targets: { "\\e[31mred": { host: x } }', 'targets."\\u001b[31mred" is no name for a target'],
    ['targets: [big]', 'targets must be a map'],
    ['targets: { big: gpu-17 }', 'targets.big must be a map'],
    ['defaults: { comand: x }', 'defaults has no key comand'],
    ['theme: [dark]', 'theme must be text'],
    ['bell: loud', 'bell must be true or false'],
  ])('say of %s what is wrong', async (text, message) => {
    const { said } = await read(text);
    expect(said.join('\n')).toContain(message);
  });

  it('tell everything that is wrong at once, in the order of the file', async () => {
    const { said } = await read(`targets:\n  a: { host: x, port: 0 }\n  b: { pot: 1 }\ntheme: 1\n`);
    expect(said.map((line) => line.split(' ')[0])).toEqual(['2:23:', '3:6:', '3:8:', '4:8:']);
  });

  it('may be none', async () => {
    for (const text of ['', 'targets:\n', 'targets: {}\n', 'engines: {}\n'])
      expect(await read(text)).toMatchObject({ said: [], screen: {} });
  });
});

describe('values of the environment', () => {
  it('come from the config, the environment, or a file beside the config', async () => {
    writeFileSync(join(folder, 'token'), 'from a file\n');
    const { env, problems } = await readEnvValues(
      { A: 'plain', B: { 'from-env': 'MINE' }, C: { file: 'token' }, D: { 'from-env': 'EMPTY' } },
      folder,
      { MINE: 'from here', EMPTY: '' },
    );
    expect(env).toEqual({ A: 'plain', B: 'from here', C: 'from a file', D: '' });
    expect(problems).toEqual([]);
  });

  it('that cannot be had are told, and never guessed', async () => {
    writeFileSync(join(folder, 'endless'), Buffer.alloc(1024 * 1024 + 1, 'x'));
    const { env, problems } = await readEnvValues(
      {
        A: { 'from-env': 'NOWHERE' },
        B: { file: 'nowhere' },
        C: { file: '/dev/zero' },
        D: { file: 'endless' },
        E: { file: '.' },
      },
      folder,
      {},
    );
    expect(env).toEqual({});
    expect(problems.map(({ path, text }) => `${path.join('.')}: ${text}`)).toEqual([
      'A: is to come from the variable NOWHERE, which is not set here',
      `B: ${join(folder, 'nowhere')} cannot be read: there is no such file`,
      'C: /dev/zero is larger than 1 MiB, so it is not what is meant',
      `D: ${join(folder, 'endless')} is larger than 1 MiB, so it is not what is meant`,
      `E: ${folder} cannot be read: it is a folder`,
    ]);
  });
});
