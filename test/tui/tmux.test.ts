import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { compileProgram } from '../support/compile.js';
import { openTmux, type TmuxPane } from '../support/tmux.js';
import { until } from '../support/until.js';

describe.skipIf(!available('tmux', 'bash'))('the screen in tmux', () => {
  let program: ReturnType<typeof compileProgram>;
  let pane: TmuxPane | null = null;

  beforeAll(() => {
    program = compileProgram('test/tui/program.ts');
  });
  afterAll(() => program.remove());
  afterEach(() => {
    pane?.close();
    pane = null;
  });

  /** An interactive shell with the program started in it, once its key line is there. */
  const start = async (args: string, size: readonly [number, number] = [100, 30]): Promise<TmuxPane> => {
    const opened = openTmux({ command: 'bash --norc --noprofile -i', columns: size[0], rows: size[1] });
    pane = opened;
    opened.keys('PS1=shell\\>', 'Enter');
    await opened.waitFor((rows) => rows.some((row) => row.startsWith('shell>')));
    opened.type(`NODE_ENV=production node ${program.path} ${args}; echo status $?`);
    opened.keys('Enter');
    await opened.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    return opened;
  };

  /** The shell is back, in a terminal as it was before. */
  const expectRestored = async (opened: TmuxPane, words: string): Promise<void> => {
    const rows = await opened.waitFor((shown) => shown.some((row) => row.startsWith('ended')));
    expect(rows.join('\n')).toContain(words);
    expect(rows.join('\n')).not.toContain('GPUs');
    expect(opened.flags()).toEqual({ alternate: false, cursor: true, wrap: true });
  };

  const programPid = (opened: TmuxPane): number =>
    Number(execFileSync('pgrep', ['-P', String(opened.pid)], { encoding: 'utf8' }).trim());

  it('takes the alternate screen and hides the cursor', async () => {
    const opened = await start('loading');
    expect(opened.flags()).toEqual({ alternate: true, cursor: false, wrap: false });
    expect(opened.isRaw()).toBe(true);
  });

  it('fills the last column too', async () => {
    const opened = await start('loading');
    const rows = await opened.settled((shown) => shown.at(-1)?.includes('help') === true);
    expect(rows[1]).toMatch(/╮$/);
    expect(rows.slice(2, 14).every((row) => row.endsWith('│'))).toBe(true);
    expect(rows[16]).toMatch(/─$/);
  });

  it.each([
    ['q', 'ended: closed'],
    ['C-c', 'ended: closed'],
  ])('gives the terminal back on %s', async (key, words) => {
    const opened = await start('loading');
    opened.keys(key);
    await expectRestored(opened, words);
  });

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('gives the terminal back on %s', async (signal) => {
    const opened = await start('loading grow');
    process.kill(programPid(opened), signal);
    await expectRestored(opened, `ended: signal ${signal}`);
  });

  it.each([
    ['throw-render', 'TypeError'],
    ['throw-timer', 'boom in a timer'],
    ['reject', 'boom in a promise'],
  ])('gives the terminal back and says why on %s', async (mode, words) => {
    const opened = await start(`loading ${mode}`);
    process.kill(programPid(opened), 'SIGUSR2');
    await expectRestored(opened, words);
    await opened.waitFor((rows) => rows.includes('status 70'));
  });

  it('gives the terminal back when something else ends the process', async () => {
    const opened = await start('loading exit');
    process.kill(programPid(opened), 'SIGUSR2');
    const rows = await opened.waitFor((shown) => shown.includes('status 3'));
    expect(rows.join('\n')).not.toContain('GPUs');
    expect(opened.flags()).toEqual({ alternate: false, cursor: true, wrap: true });
  });

  it('ends when its terminal goes away', async () => {
    const opened = await start('loading grow');
    const pid = programPid(opened);
    opened.close();
    await waitUntilGone(pid);
  });

  it('ends when its terminal goes away without a signal', async () => {
    const opened = openTmux({ command: 'bash --norc --noprofile -i', columns: 100, rows: 30 });
    pane = opened;
    await opened.waitFor((rows) => rows.some((row) => row.includes('$') || row.includes('#')));
    // In a group of its own, without a controlling terminal, nobody gets SIGHUP: a read and a write fail.
    opened.type(`setsid node ${program.path} loading <$(tty) & echo pid $!; sleep 1000`);
    opened.keys('Enter');
    const shown = await opened.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    expect(shown).toHaveLength(30);
    const pid = Number(
      execFileSync('pgrep', ['-f', program.path], { encoding: 'utf8' }).trim().split('\n').at(-1),
    );
    opened.close();
    await waitUntilGone(pid);
  });

  it('names its window with state and percent, and gives the name back', async () => {
    const opened = await start('loading');
    const before = await opened.waitFor(() => opened.title().startsWith('firedup '));
    expect(before.at(-1)).toContain('help');
    expect(opened.title()).toMatch(/^firedup \S+ LOADING \d+ %$/);
    opened.keys('C-z');
    await opened.waitFor((rows) => rows.some((row) => row.includes('Stopped')));
    expect(opened.title()).not.toContain('firedup');
    opened.keys('fg', 'Enter');
    await opened.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    await opened.waitFor(() => opened.title().includes('LOADING'));
    opened.keys('q');
    await expectRestored(opened, 'ended: closed');
    expect(opened.title()).not.toContain('firedup');
  });

  it('scrolls by the wheel as arrow keys, and after m by the mouse itself', async () => {
    const opened = await start('loading');
    expect(opened.mouse()).toBe(false);
    opened.keys('Up');
    await opened.waitFor((rows) => rows.at(-1)?.includes('scrolled to 34') === true);
    opened.keys('m');
    await opened.waitFor(() => opened.mouse());
    opened.type('\u001B[<64;10;25M');
    await opened.waitFor((rows) => rows.at(-1)?.includes('scrolled to 32') === true);
    opened.keys('m');
    await opened.waitFor(() => !opened.mouse());
  });

  it('obeys keys that come faster than they are read', async () => {
    const opened = await start('loading');
    opened.type('jjjjjK');
    await opened.waitFor((rows) => rows.some((row) => row.includes('Cancel')));
    opened.type('yyyy');
    opened.keys('Escape');
    await opened.waitFor((rows) => !rows.some((row) => row.includes('Cancel')));
    expect(opened.capture().join('\n')).not.toContain('CONFIRMED');
  });

  it('suspends on Ctrl-Z and comes back on fg, with nothing left on the shell between', async () => {
    const opened = await start('loading grow');
    opened.keys('m');
    await opened.waitFor(() => opened.mouse());
    opened.keys('C-z');
    const stopped = await opened.waitFor((rows) => rows.some((row) => row.includes('Stopped')));
    expect(stopped.join('\n')).not.toContain('GPUs');
    expect(opened.mouse()).toBe(false);
    expect(opened.flags()).toEqual({ alternate: false, cursor: true, wrap: true });
    opened.resize(120, 40);
    opened.keys('fg', 'Enter');
    await opened.waitFor((rows) => rows.at(-1)?.includes('help') === true && rows.length === 40);
    await opened.waitFor((rows) => rows[0]?.includes('13 processes') === true);
    expect(opened.isRaw()).toBe(true);
    await opened.waitFor(() => opened.mouse());
    opened.keys('q');
    await expectRestored(opened, 'ended: closed');
    expect(opened.mouse()).toBe(false);
  });

  it('comes back after a plain SIGSTOP and SIGCONT', async () => {
    const opened = await start('loading');
    process.kill(programPid(opened), 'SIGSTOP');
    await opened.waitFor((rows) => rows.some((row) => row.includes('Stopped')));
    opened.keys('fg', 'Enter');
    await opened.waitFor(
      (rows) => rows[0]?.includes('13 processes') === true && rows.at(-1)?.includes('help') === true,
    );
    opened.keys('q');
    await expectRestored(opened, 'ended: closed');
  });

  it('leaves nothing behind after a resize', async () => {
    const opened = await start('loading', [200, 50]);
    const sizes = [
      [80, 24],
      [39, 9],
      [100, 30],
      [40, 12],
      [120, 40],
    ] as const;
    for (const [columns, rows] of sizes) {
      opened.resize(columns, rows);
      const last = columns < 40 ? 'too small' : 'help';
      await opened.waitFor((shown) => shown.length === rows && shown.some((row) => row.includes(last)));
    }
    // Quickly, so that several sizes pass before it is drawn again.
    for (let turn = 0; turn < 12; turn += 1)
      opened.resize(turn % 2 === 0 ? 61 : 163, turn % 2 === 0 ? 17 : 48);
    opened.resize(120, 40);
    const fresh = await start('loading', [120, 40]);
    const expected = await fresh.settled((rows) => rows.some((row) => row.includes('shards:')));
    fresh.close();
    expect(await opened.waitFor((rows) => rows.join('\n') === expected.join('\n'))).toEqual(expected);
    opened.close();
  });

  it('takes a question, confirms it with y only, and never by a paste', async () => {
    const opened = await start('loading');
    opened.keys('K');
    await opened.waitFor((rows) => rows.some((row) => row.includes('Cancel')));
    opened.paste('y');
    opened.paste('y\ny\n');
    opened.keys('Enter');
    await opened.waitFor((rows) => !rows.some((row) => row.includes('Cancel')));
    expect(opened.capture().join('\n')).not.toContain('CONFIRMED');
    opened.keys('K');
    await opened.waitFor((rows) => rows.some((row) => row.includes('Cancel')));
    opened.keys('y');
    await opened.waitFor((rows) => rows.some((row) => row.includes('CONFIRMED')));
  });

  it('types a filter in which letters are letters', async () => {
    const opened = await start('loading');
    opened.type('/qKR');
    await opened.waitFor((rows) => rows.at(-1)?.startsWith(' / qKR') === true);
    opened.paste('a|b');
    await opened.waitFor((rows) => rows.at(-1)?.startsWith(' / qKRa|b') === true);
    opened.keys('Escape');
    await opened.waitFor((rows) => rows.at(-1)?.includes('help') === true);
  });

  it('draws everything again on Ctrl-L', async () => {
    const opened = await start('loading');
    const before = await opened.settled((rows) => rows.at(-1)?.includes('help') === true);
    const tty = execFileSync('ps', ['-o', 'tty=', '-p', String(opened.pid)], { encoding: 'utf8' }).trim();
    execFileSync('sh', ['-c', `printf '\\033[5;5Hgarbage' > /dev/${tty}`]);
    await opened.waitFor((rows) => rows.join('').includes('garbage'));
    opened.keys('C-l');
    await opened.waitFor((rows) => rows.join('\n') === before.join('\n'));
  });

  it('is drawn where CI is set, too', async () => {
    pane = openTmux({ command: `node ${program.path} loading`, columns: 100, rows: 30, env: { CI: 'true' } });
    await pane.waitFor((shown) => shown.at(-1)?.includes('help') === true);
  });

  it('is drawn without colours where NO_COLOR is set', async () => {
    const opened = openTmux({
      command: `node ${program.path} crashed`,
      env: { NO_COLOR: '1', COLORTERM: 'truecolor' },
    });
    pane = opened;
    await opened.waitFor((shown) => shown.at(-1)?.includes('help') === true);
    const codes = (opened.captureStyled().match(/\u001B\[[\d;]*m/g) ?? []).flatMap((code) =>
      code.slice(2, -1).split(';'),
    );
    expect(codes).toContain('7');
    expect(codes.filter((code) => /^(3[0-8]|4[0-8]|9\d|10\d)$/.test(code))).toEqual([]);
  });

  it.each(['screen-256color', 'tmux-256color', 'linux', 'xterm'])('is drawn with TERM=%s', async (term) => {
    pane = openTmux({ command: `TERM=${term} node ${program.path} loading`, columns: 100, rows: 30 });
    const rows = await pane.waitFor((shown) => shown.at(-1)?.includes('help') === true);
    expect(rows.join('').includes('╭')).toBe(term !== 'linux');
  });

  it('is drawn in ASCII where the locale has no UTF-8', async () => {
    const opened = openTmux({ command: `LC_ALL=C node ${program.path} loading`, columns: 100, rows: 30 });
    pane = opened;
    const rows = await opened.waitFor((shown) => shown.at(-1)?.includes('help') === true);
    expect(rows.join('')).toMatch(/^[\x20-\x7e]*$/);
  });
});

const waitUntilGone = (pid: number): Promise<boolean> => until(() => !isThere(pid), `${pid} is gone`);

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
