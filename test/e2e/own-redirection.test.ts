import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { firedup, stopPrograms } from '../support/program.js';
import { realPython } from '../support/real-python.js';

const server = fileURLToPath(new URL('../fixtures/server.mjs', import.meta.url));
const python = realPython();
const folder = mkdtempSync(join(tmpdir(), 'firedup-redirected-'));
afterAll(async () => {
  for (const name of ['ready', 'later', 'read'])
    await firedup(['kill', 'local', '--name', name, '--yes', '--grace', '0s']).ended();
  await stopPrograms();
  rmSync(folder, { recursive: true, force: true });
});

/** Launches that line by a shell on this machine, under that name, until there is a verdict. */
const launch = (name: string, line: string) =>
  firedup(['launch', 'local', '--name', name, '--timeout', '2m', '--no-preflight', '--shell', '--', line]);

describe('a command that sends its output elsewhere itself', () => {
  it.each([
    ['ready', '', 0, 'READY'],
    ['crashed', '--crash', 1, "CRASHED: KeyError: 'lm_head.weight'"],
  ])('is judged by what it writes there: %s', async (name, option, code, verdict) => {
    const log = join(folder, `${name}.log`);
    const go = join(folder, `${name}.go`);
    const starting = `echo starting; while [ ! -e '${go}' ]; do sleep 0.1; done`;
    const program = launch(
      name,
      `(${starting}; '${process.execPath}' '${server}' ${option}; sleep 3) >'${log}' 2>&1`,
    );
    await program.waitFor(new RegExp(`reading ${log}`));
    writeFileSync(go, '');
    expect(await program.ended()).toBe(code);
    const lines = program.lines.map(({ text }) => text);
    expect(lines.find((line) => line.startsWith(verdict))).toBeDefined();
  });

  it('is judged by what it writes there at its very end', async () => {
    const log = join(folder, 'late.log');
    // As long as a server takes to find that its arguments are wrong; it is looked at every half second.
    const fails = "import time; time.sleep(3); raise KeyError('lm_head.weight')";
    const program = launch('late', `exec '${python}' -c "${fails}" >'${log}' 2>&1`);
    expect(await program.ended()).toBe(1);
    const lines = program.lines.map(({ text }) => text);
    expect(lines.find((line) => line.startsWith("CRASHED: KeyError: 'lm_head.weight'"))).toBeDefined();
  });

  it('is judged by its own log once it writes there', async () => {
    const [log, done] = [join(folder, 'setup.log'), join(folder, 'done')];
    const setup = `(echo installed; while [ ! -e '${done}' ]; do sleep 0.1; done) >'${log}'`;
    const program = launch('later', `${setup}; exec '${process.execPath}' '${server}'`);
    await program.waitFor(new RegExp(`reading ${log}`));
    writeFileSync(done, '');
    expect(await program.ended()).toBe(0);
  });

  it('is dumped and tailed by what it writes there, while it runs and after its end', async () => {
    const log = join(folder, 'read.log');
    const [go, die] = [join(folder, 'read.go'), join(folder, 'read.die')];
    const waitsFor = (file: string): string => `while [ ! -e '${file}' ]; do sleep 0.1; done`;
    const run = `(echo its first line; ${waitsFor(die)}; '${process.execPath}' '${server}' --crash) >'${log}' 2>&1`;
    const named = ['local', '--name', 'read'];
    const said = async (...args: readonly string[]): Promise<readonly string[]> => {
      const program = firedup(args);
      expect(await program.ended()).toBe(0);
      return program.lines.map(({ text }) => text);
    };
    await said('launch', ...named, '--no-preflight', '--detach', '--shell', '--', `${waitsFor(go)}; ${run}`);
    const early = firedup(['tail', ...named, '--until-exit']);
    writeFileSync(go, '');
    await early.waitFor(/^its first line$/);
    // Nobody but these look at it.
    expect(await said('dump', ...named)).toEqual(['its first line']);
    const late = firedup(['tail', ...named]);
    await late.waitFor(/^its first line$/);
    const dumped = await said('dump', ...named, '--json');
    expect(JSON.parse(dumped[0] ?? '')).toMatchObject({ log, lines: ['its first line'] });

    writeFileSync(die, '');
    await late.waitFor(/Received sigquit/);
    late.signal('SIGINT');
    expect(await early.ended()).toBe(0);
    expect(early.stderr()).toContain(`the server writes to ${log}`);
    const content = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(early.lines.map(({ text }) => text)).toEqual(content);
    expect(await said('dump', ...named)).toEqual(content);
    expect(await said('tail', ...named, '-n', '+1', '--until-exit')).toEqual(content);

    const wait = firedup(['wait', ...named]);
    expect(await wait.ended()).toBe(1);
    expect(
      wait.lines.find(({ text }) => text.startsWith("CRASHED: KeyError: 'lm_head.weight'")),
    ).toBeDefined();
    const [kept] = await said('history', ...named, '--json');
    expect(JSON.parse(kept ?? '')).toMatchObject({ log });
    expect((await said('status', ...named)).join('\n')).toContain('lm_head.weight');
  }, 60_000);
});
