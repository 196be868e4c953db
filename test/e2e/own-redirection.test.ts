import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { firedup, stopPrograms } from '../support/program.js';

const server = fileURLToPath(new URL('../fixtures/server.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'firedup-redirected-'));
afterAll(async () => {
  for (const name of ['ready', 'later'])
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

  it('is judged by its own log once it writes there', async () => {
    const [log, done] = [join(folder, 'setup.log'), join(folder, 'done')];
    const setup = `(echo installed; while [ ! -e '${done}' ]; do sleep 0.1; done) >'${log}'`;
    const program = launch('later', `${setup}; exec '${process.execPath}' '${server}'`);
    await program.waitFor(new RegExp(`reading ${log}`));
    writeFileSync(done, '');
    expect(await program.ended()).toBe(0);
  });
});
