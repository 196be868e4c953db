import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { statOf } from '../support/processes.js';
import { localState, stopPrograms } from '../support/program.js';
import { openTmux, shows, type TmuxPane } from '../support/tmux.js';
import { until } from '../support/until.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

// Whoever takes the terminal meanwhile must find it as it was, and we what we had.
describe.skipIf(!available('tmux', 'bash', 'procfs'))('Ctrl-Z and fg', () => {
  let pane: TmuxPane | null = null;
  let mute: Server | null = null;

  afterEach(() => {
    pane?.close();
    pane = null;
    mute?.close();
    mute = null;
  });
  afterAll(stopPrograms);

  const shell = async (columns: number, rows: number): Promise<TmuxPane> => {
    const opened = openTmux({
      command: 'bash --norc --noprofile -i',
      columns,
      rows,
      env: { XDG_STATE_HOME: localState(), LANG: 'C.UTF-8' },
    });
    pane = opened;
    opened.keys('PS1=shell\\>', 'Enter');
    await opened.waitFor((shown) => shown.some((row) => row.startsWith('shell>')));
    return opened;
  };

  const run = (opened: TmuxPane, words: string): void => {
    opened.type(words);
    opened.keys('Enter');
  };

  /** The shell has a terminal to work with: nothing of ours is on it, what is typed is seen, lines are lines. */
  const expectShell = async (opened: TmuxPane, word: string): Promise<void> => {
    const rows = await opened.waitFor((shown) => shown.some((row) => row.includes('Stopped')));
    expect(rows.join('\n')).not.toMatch(/Phases|GPUs|Cancel|[╭│]/);
    expect(opened.flags()).toEqual({ alternate: false, cursor: true, wrap: true });
    run(
      opened,
      `clear; stty -a | tr ' ;' '\\n\\n' | grep -x -e icanon -e echo -e isig | paste -s; echo ${word}-is-run`,
    );
    await opened.waitFor(shows(/^isig\s+icanon\s+echo$/, new RegExp(`^${word}-is-run$`)));
  };

  it('leave a shell that works, catch up, and find screen, dialog and filter again at another size', async () => {
    const opened = await shell(120, 40);
    run(opened, `'${process.execPath}' '${bin}' demo --scenario ready --speed 6`);
    await opened.waitFor(shows(/Load weights +.*\d\/64/));
    opened.keys('C-z');
    await expectShell(opened, 'first');
    opened.resize(90, 28);
    run(opened, 'fg');
    // It went on meanwhile, and is caught up with.
    await opened.waitFor(
      (rows) =>
        rows.length === 28 &&
        /^ demo .* READY$/.test(rows[0] ?? '') &&
        shows(/✓ READY /, /fired up and ready/)(rows),
    );

    opened.keys('K');
    await opened.waitFor(shows(/Kill this server/, /Cancel/));
    opened.keys('C-z');
    await expectShell(opened, 'second');
    opened.resize(120, 40);
    run(opened, 'fg');
    await opened.waitFor(
      (rows) => rows.length === 40 && shows(/^╭─ Phases .*╮╭─ GPUs .*╮$/, /Kill this server/, /Cancel/)(rows),
    );
    opened.keys('Escape');
    await opened.waitFor((rows) => !shows(/Kill this server/)(rows));

    opened.keys('/');
    opened.type('Load wei');
    await opened.waitFor(shows(/^ \/ Load wei/));
    opened.keys('C-z');
    await expectShell(opened, 'third');
    run(opened, 'fg');
    await opened.waitFor(shows(/^ \/ Load wei/));
    opened.type('ght end');
    const found = await opened.settled(
      shows(/^ \/ Load weight end/, /\/Load weight end\/ only/, /Load weight end\./),
    );
    opened.keys('C-l');
    await opened.waitFor((rows) => rows.join('\n') === found.join('\n'));
    opened.keys('Escape', 'q');
    await opened.waitFor(shows(/^READY: /, /^shell>/));
    expect(opened.flags()).toEqual({ alternate: false, cursor: true, wrap: true });
  });

  it('give the cursor back while we still connect', async () => {
    // It takes the connection and never says a word.
    const server = createServer(() => {});
    mute = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const opened = await shell(100, 20);
    run(opened, `'${process.execPath}' '${bin}' watch -p ${port} root@127.0.0.1 --log /nowhere`);
    await opened.waitFor(shows(/connecting to/));
    await opened.waitFor(() => !opened.flags().cursor);
    opened.keys('C-z');
    await expectShell(opened, 'shell');
    run(opened, 'fg');
    await opened.waitFor(shows(/connecting to/));
    opened.keys('C-c');
    await opened.waitFor(
      (rows) => rows.filter((row) => row.startsWith('shell>')).length > 0 && opened.flags().cursor,
    );
  });

  it('is not needed after a stop by others: on SIGCONT everything is drawn again', async () => {
    const opened = openTmux({
      // Not tmux's own child, which it would continue at once.
      command: `'${process.execPath}' '${bin}' demo --scenario stall`,
      columns: 100,
      rows: 30,
      lingers: true,
      env: { XDG_STATE_HOME: localState(), LANG: 'C.UTF-8' },
    });
    pane = opened;
    await opened.waitFor(shows(/Join ranks/, /help$/));
    const pid = Number(execFileSync('pgrep', ['-P', String(opened.pid)], { encoding: 'utf8' }).trim());
    process.kill(pid, 'SIGSTOP');
    await until(() => statOf(pid)?.[0] === 'T', 'it is stopped');
    const tty = execFileSync('ps', ['-o', 'tty=', '-p', String(opened.pid)], { encoding: 'utf8' }).trim();
    execFileSync('sh', [
      '-c',
      `stty sane -F /dev/${tty}; printf '\\033[2J\\033[H\\033[?25hgarbage' > /dev/${tty}`,
    ]);
    await opened.waitFor((rows) => rows.join('').trim() === 'garbage');
    opened.resize(120, 30);
    process.kill(pid, 'SIGCONT');
    const drawn = await opened.waitFor(
      (rows) => shows(/╮╭─ GPUs .*╮$/, /Join ranks/, /help$/)(rows) && rows[1]?.length === 120,
    );
    expect(drawn.join('')).not.toContain('garbage');
    expect(opened.flags()).toEqual({ alternate: true, cursor: false, wrap: false });
    expect(opened.isRaw()).toBe(true);
    opened.keys('q');
    await opened.waitFor(shows(/Leaving stops nothing|LOADING: /));
  });
});
