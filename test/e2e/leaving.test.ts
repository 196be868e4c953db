import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../cli/run-program.js';
import { available } from '../support/available.js';
import { firedup, stopPrograms } from '../support/program.js';
import { openTmux, shows } from '../support/tmux.js';
import { until } from '../support/until.js';

const folder = mkdtempSync(join(tmpdir(), 'firedup-leaving-'));
afterAll(async () => {
  await stopPrograms();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!available('procfs'))('Ctrl-C without a screen', () => {
  it('on a launch says that the server goes on, and how to come back', async () => {
    const program = firedup(['launch', 'local', '--name', 'leaving', '--', 'sleep', '300']);
    await program.waitFor(/process .* is alive/);
    program.signal('SIGINT');
    expect(await program.ended()).toBe(130);
    expect(program.stderr()).toContain('The server goes on. Leaving stops nothing.');
    expect(program.stderr()).toContain('Come back with: firedup watch local --name leaving');
    const ended = firedup(['kill', 'local', '--name', 'leaving', '--yes', '--grace', '1s']);
    expect(await ended.ended()).toBe(0);
  });

  it('in the middle of a launch says where to look', async () => {
    const begun = join(folder, 'begun');
    const before = `touch '${begun}' && sleep 30`;
    const program = firedup(['launch', 'local', '--name', 'half', '--before', before, '--', 'sleep', '300']);
    await until(() => existsSync(begun), 'the step before the start runs');
    program.signal('SIGINT');
    expect(await program.ended()).toBe(130);
    expect(program.stderr()).toContain(
      'It may have been started, and goes on then. Look at it with: firedup watch local --name half',
    );
  });

  it('on a wait says how to come back', async () => {
    const program = firedup(['wait', 'local', '--log', join(folder, 'missing.log')]);
    await program.waitFor(/not there/);
    program.signal('SIGTERM');
    expect(await program.ended()).toBe(130);
    expect(program.stderr()).toContain('Leaving stops nothing. Come back with: firedup watch local --log ');
  });
});

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));
const slowDisk = fileURLToPath(new URL('../fixtures/slow-disk.mjs', import.meta.url));

describe.skipIf(!available('tmux', 'procfs'))('the history of a crash, on a slow disk', () => {
  const crash = async (name: string) => {
    const env = { XDG_STATE_HOME: join(folder, name), LANG: 'C.UTF-8' };
    const pane = openTmux({
      command: `'${process.execPath}' '${bin}' launch local --name '${name}' -- false`,
      env: { ...env, NODE_OPTIONS: `--import=${slowDisk}` },
    });
    await pane.waitFor(shows(/CRASHED/));
    return { pane, history: async () => (await run(['history', 'local', '--json'], { env })).out };
  };

  it('is kept before the last words, after which the terminal may be closed', async () => {
    const { pane, history } = await crash('words');
    try {
      pane.keys('q');
      await pane.waitFor(shows(/Come back with/));
    } finally {
      pane.close();
    }
    expect(await history()).toContain('"outcome":"crashed"');
  });

  it('is kept when the terminal is closed instead', async () => {
    const { pane, history } = await crash('closed');
    pane.close();
    let kept = '';
    await until(async () => {
      kept = await history();
      return kept !== '';
    }, 'the attempt is kept');
    expect(kept).toContain('"outcome":"crashed"');
  });
});
