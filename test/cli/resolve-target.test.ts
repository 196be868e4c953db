import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comeBackCommand } from '../../src/cli/come-back.js';
import { loadConfig } from '../../src/cli/load-config.js';
import { type LaunchWords, resolveLaunch, resolveTarget } from '../../src/cli/resolve-target.js';
import { settingsOf } from '../../src/cli/target-settings.js';

let folder: string;
let config: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firedup-resolve-'));
  config = join(folder, 'firedup.yaml');
  writeFileSync(
    config,
    `
theme: light
defaults:
  grace: 20s
  timeout: 2h
  ssh: { identity: ~/.ssh/gpu, port: 22 }
targets:
  big:
    host: gpu-17
    command: [serve, --tp, 8]
    cwd: ~/serve
    log: /logs/big-{attempt}.log
    port: 30000
    engine: sglang
    shell: true
    env: { TIER: high, API_KEY: in-the-file }
    before: [first, { run: second }, { script: ./patch.sh }]
    ssh: { config: ./ssh_config, port: 2222 }
    container: box-1
  theirs: { host: gpu-18, log: /logs/theirs.log, read-only: true }
  both: { host: gpu-18, command: serve, log: /logs/both.log, name: named }
  bare: { host: gpu-19 }
`,
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The options of a command line with these values on it, as commander leaves them. */
const resolve = (label: string, given: Readonly<Record<string, unknown>> = {}) =>
  resolveTarget(label, { grace: '10s', config, ...given }, new Set(['config', ...Object.keys(given)]));

const launch = (
  label: string,
  command: readonly string[],
  given: Readonly<Record<string, unknown>> & LaunchWords = {},
) =>
  resolveLaunch(
    label,
    command,
    { grace: '10s', config, ...given },
    new Set(['config', ...Object.keys(given)]),
  );

describe('HOST|TARGET', () => {
  it('is the host and all that the config says of it, before what firedup fills in', async () => {
    const { label, options } = await resolve('big');
    expect(label).toBe('gpu-17');
    expect(options).toMatchObject({
      F: join(folder, 'ssh_config'),
      i: join(homedir(), '.ssh/gpu'),
      p: 2222,
      name: 'big',
      port: 30_000,
      engine: 'sglang',
      grace: '20s',
      patience: '2h',
      container: 'box-1',
      theme: 'light',
      before: ['first', 'second', `@${join(folder, 'patch.sh')}`],
    });
    // Its log has a number in it: only the attempt knows the path.
    expect(options.log).toBeUndefined();
  });

  it('gives way to the command line, option by option', async () => {
    const { options } = await resolve('big', {
      p: 22,
      port: 1,
      grace: '1s',
      before: ['mine'],
      F: 'my_config',
    });
    expect(options).toMatchObject({ p: 22, port: 1, grace: '1s', before: ['mine'], F: 'my_config' });
    expect(options).toMatchObject({ name: 'big', engine: 'sglang', i: join(homedir(), '.ssh/gpu') });
  });

  it.each([
    ['name', 'other'],
    ['log', '/else.log'],
    ['pid', 17],
  ])('means another server of the same host where --%s is given', async (option, value) => {
    const { label, options } = await resolve('both', { [option]: value });
    expect(label).toBe('gpu-18');
    expect([options.name, options.log, options.pid].filter((said) => said !== undefined)).toEqual([value]);
    expect(options.orAttached).toBeUndefined();
  });

  it('is the server that writes its log where nothing was launched, but never whoever has its port', async () => {
    expect((await resolve('theirs')).options).toMatchObject({ log: '/logs/theirs.log', readOnly: true });
    expect((await resolve('theirs')).options.name).toBeUndefined();
    expect((await resolve('both')).options).toMatchObject({
      name: 'named',
      log: '/logs/both.log',
      orAttached: true,
    });
    expect((await resolve('big')).options.orAttached).toBeUndefined();
  });

  it('that is no target is left as it is, but for the theme', async () => {
    const { label, options, target } = await resolve('gpu-17', { p: 22 });
    expect({ label, target }).toEqual({ label: 'gpu-17', target: null });
    expect(options).toEqual({ grace: '10s', config, p: 22, theme: 'light' });
  });
});

describe('a launch of a target', () => {
  it('takes command, folder, log and variables from the config', async () => {
    const { command, options } = await launch('big', []);
    expect(command).toEqual(['serve', '--tp', '8']);
    expect(options).toMatchObject({
      name: 'big',
      cwd: '~/serve',
      log: '/logs/big-{attempt}.log',
      shell: true,
      env: ['TIER=high', 'API_KEY=in-the-file'],
    });
  });

  it('takes from the command line what it says; a command of its own brings its own --shell', async () => {
    const { command, options } = await launch('big', ['mine'], {
      env: ['TIER=low'],
      cwd: '/',
      name: 'other',
      log: 'l',
    });
    expect(command).toEqual(['mine']);
    expect(options).toMatchObject({ name: 'other', cwd: '/', log: 'l' });
    // The last one of a name counts.
    expect(options.env).toEqual(['TIER=high', 'API_KEY=in-the-file', 'TIER=low']);
    expect(options.shell).toBeUndefined();
  });

  it('needs a command from somewhere', async () => {
    await expect(launch('bare', [])).rejects.toMatchObject({
      exitCode: 2,
      message: /target bare has no command/,
    });
    await expect(launch('gpu-17', [])).rejects.toMatchObject({
      exitCode: 2,
      message: /no command to launch/,
    });
    expect(await launch('bare', ['serve'])).toMatchObject({ command: ['serve'], options: { name: 'bare' } });
    expect(await launch('gpu-17', ['serve'])).toMatchObject({
      label: 'gpu-17',
      options: { name: 'default' },
    });
  });
});

describe('the command that comes back', () => {
  const back = async (label: string, given: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const { label: host, options } = await resolve(label, given);
    return comeBackCommand(host, options, options).replaceAll(config, 'CONFIG');
  };

  it('names the target, and no more than was typed', async () => {
    expect(await back('big')).toBe('firedup watch big --config CONFIG');
    expect(await back('big', { p: 22, port: 1 })).toBe('firedup watch big -p 22 --port 1 --config CONFIG');
    expect(await back('big', { name: 'other' })).toBe('firedup watch big --name other --config CONFIG');
    expect(await back('gpu-17', { name: 'x' })).toBe('firedup watch gpu-17 --name x --config CONFIG');
  });
});

describe('the settings of a target', () => {
  it('tell where each value comes from, and no secret', async () => {
    const read = await loadConfig(config);
    const settings = read?.targets.get('big');
    if (!read || !settings) throw new Error('no target');
    const options = { grace: '1s', env: ['MY_TOKEN=hidden'] };
    const given = new Set(['grace', 'env']);
    const all = settingsOf({ name: 'big', settings, config: read }, options, given);
    const of = (key: string) => all.find((setting) => setting.key === key);
    expect(of('host')).toEqual({
      key: 'host',
      value: 'gpu-17',
      from: { kind: 'file', file: config, line: 9, defaults: false },
    });
    expect(of('timeout')).toMatchObject({ value: '2h', from: { kind: 'file', line: 5, defaults: true } });
    expect(of('grace')).toEqual({ key: 'grace', value: '1s', from: { kind: 'flag' } });
    expect(of('read-only')).toEqual({ key: 'read-only', value: 'false', from: { kind: 'default' } });
    expect(of('ssh.port')).toMatchObject({ value: '2222', from: { line: 18 } });
    expect(of('env.API_KEY')).toMatchObject({ value: '***' });
    expect(of('env.MY_TOKEN')).toEqual({ key: 'env.MY_TOKEN', value: '***', from: { kind: 'flag' } });
    expect(JSON.stringify(all)).not.toMatch(/hidden|in-the-file/);
  });
});
