import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { localState, stopPrograms } from '../support/program.js';
import { openTmux, shows, type TmuxPane } from '../support/tmux.js';
import { until } from '../support/until.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

const open = (args: string, columns: number, rows: number): TmuxPane =>
  openTmux({
    command: `'${process.execPath}' '${bin}' ${args}`,
    columns,
    rows,
    lingers: true,
    env: { XDG_STATE_HOME: localState(), LANG: 'C.UTF-8' },
  });

afterAll(stopPrograms);

// The waits inside have their own limits, and say what was on the screen.
describe.skipIf(!available('tmux', 'procfs'))('the screen in a real terminal', () => {
  it.each([
    [200, 50],
    [100, 30],
    [80, 24],
  ])('shows phases, GPUs and log at %i x %i, from the first phase to READY', async (columns, rows) => {
    const pane = open('demo --scenario ready --speed 4', columns, rows);
    try {
      const screen = await pane.waitFor(shows(/Load weights/, /GPU|H200/i, /TP0\]/));
      expect(
        screen.filter((row) => /^\S*\s*7\b.*(?:GiB|MiB|%)/.test(row.replace(/[│|]/g, ' ').trim())).length,
      ).toBeLessThan(3);
      const ready = await pane.settled(shows(/READY/));
      expect(ready.every((row) => row.length <= columns)).toBe(true);
      pane.keys('q');
      await pane.waitFor(shows(/READY: /));
      expect(pane.flags()).toEqual({ alternate: false, cursor: true, wrap: true });
    } finally {
      pane.close();
    }
  });

  it('plays the evening by R alone: missing method, context length, READY', async () => {
    const pane = open('demo --speed 12', 120, 40);
    try {
      await pane.waitFor(shows(/CRASHED/, /set_eagle3_layers_to_capture/));
      pane.keys('R');
      await pane.waitFor(shows(/Relaunch as attempt 2/));
      pane.keys('y');
      // The checklist of the relaunch foresees it, while the first crash still stands.
      await pane.waitFor(shows(/attempt 2/, /CRASHED/, /ValueError.*context_length/));
      pane.keys('R');
      await pane.waitFor(shows(/Relaunch as attempt 3/, /SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1/));
      pane.keys('y');
      await pane.waitFor(shows(/READY/));
      pane.keys('h');
      await pane.waitFor(shows(/1 .*crashed/, /2 .*crashed/, /3 .*ready/));
      // The patch did away with the first crash, the variable with the second.
      const rows = await pane.waitFor(shows(/helped: Allow the longer context/));
      expect(rows.filter((row) => /✓ helped/.test(row))).toHaveLength(1);
      expect(rows.filter((row) => /✓ got (?:further|past it): /.test(row))).toHaveLength(1);
      pane.keys('q', 'q');
      await pane.waitFor(shows(/READY: /));
    } finally {
      pane.close();
    }
  });

  it('plays context-length from crash to READY by keys, and h says which remedy helped', async () => {
    const pane = open('demo --scenario context-length --speed 14', 100, 30);
    try {
      await pane.waitFor(shows(/CRASHED/, /context_length/));
      const card = shows(/remedy/, /Allow the longer context/);
      await pane.waitFor(card);
      pane.keys('t');
      await pane.waitFor(shows(/What followed from it/));
      pane.keys('t');
      await pane.waitFor((rows) => card(rows) && !shows(/What followed from it/)(rows));
      pane.keys('a');
      await pane.waitFor(shows(/Relaunch as attempt 2/, /SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1/));
      // To the dialog by its own key as well: what `a` put in stays in.
      pane.keys('Escape');
      await pane.waitFor((rows) => !shows(/Relaunch as/)(rows));
      pane.keys('R');
      await pane.waitFor(shows(/Relaunch as attempt 2/, /SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1/));
      pane.keys('y');
      await pane.waitFor(shows(/READY/));
      await pane.waitFor(shows(/was \d+\.\ds/));
      pane.keys('h');
      await pane.waitFor(
        shows(
          /2 .*✓ ready/,
          /→ .*SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1/,
          /✓ helped: Allow the longer context/,
          /1 .*✗ crashed .*ValueError/,
        ),
      );
      pane.keys('j');
      await pane.waitFor(shows(/▸ +1 .*crashed/));
      pane.keys('Enter');
      await pane.waitFor(shows(/attempt 1 \(crashed\)/, /its last 40 lines/));
      pane.keys('s');
      await pane.waitFor(shows(/Changed since attempt 1 \(crashed\)/, /Phase times/));
      pane.keys('q');
      await pane.waitFor((rows) => !shows(/Changed since/)(rows));
      pane.keys('q');
      await pane.waitFor(shows(/READY: /));
    } finally {
      pane.close();
    }
  });

  it('plays missing-method from crash to READY by keys, and h says that the step before helped', async () => {
    const pane = open('demo --scenario missing-method --speed 14', 80, 24);
    try {
      await pane.waitFor(shows(/CRASHED/, /set_eagle3_layers/));
      pane.keys('R');
      await pane.waitFor(shows(/Relaunch as attempt 2/));
      pane.keys('y');
      await pane.waitFor(shows(/READY/));
      pane.keys('h');
      await pane.waitFor(shows(/2 .*✓ ready/, /→ before: /, /✓ helped/, /1 .*✗ crashed/));
      pane.keys('q');
      await pane.waitFor((rows) => !shows(/ready in {2}cause/)(rows));
      pane.keys('q');
      await pane.waitFor(shows(/READY: /));
    } finally {
      pane.close();
    }
  });

  it('asks before it kills, does not kill on Esc, Enter or a paste, and does on y', async () => {
    const pane = open('demo --scenario stall --speed 1', 100, 30);
    try {
      await pane.waitFor(shows(/Join ranks/, /alive|pid/));
      for (const key of ['Escape', 'Enter', 'n']) {
        pane.keys('K');
        await pane.waitFor(shows(/Kill this server/));
        pane.keys(key);
        await pane.waitFor((rows) => !shows(/Kill this server/)(rows));
      }
      pane.keys('K');
      await pane.waitFor(shows(/Kill this server/));
      pane.paste('y');
      pane.keys('Escape');
      await pane.waitFor((rows) => !shows(/Kill this server/)(rows));
      pane.keys('K');
      await pane.waitFor(shows(/Kill this server/));
      pane.keys('y');
      await pane.waitFor(shows(/STOPPED/));
    } finally {
      pane.close();
    }
  });

  it('takes a crash along: copies the card, pastes it elsewhere, goes to its line, marks it and comes back', async () => {
    const pane = open('demo --scenario missing-method --speed 16', 120, 40);
    const is = (...patterns: readonly RegExp[]): Promise<readonly string[]> =>
      pane.waitFor(shows(...patterns));
    try {
      const crashed = await pane.settled(shows(/CRASHED/, /set_eagle3_layers/, /is gone/, /remedy/));
      // The help stays whole while the window changes, and leaves nothing behind.
      pane.keys('?');
      await is(/─ Keys /, /py-spy/);
      pane.resize(80, 24);
      await pane.waitFor(
        (rows) => rows.length === 24 && /^╭─ Keys .*╮$/.test(rows[1] ?? '') && rows[1]?.length === 80,
      );
      pane.keys('j', 'j');
      pane.resize(120, 40);
      await pane.waitFor((rows) => rows.length === 40 && rows[1]?.length === 120);
      pane.keys('Escape');
      const again = await pane.settled((rows) => !shows(/─ Keys /)(rows) && shows(/remedy/)(rows));
      const phases = (rows: readonly string[]) => rows.slice(1, 14).map((row) => row.slice(0, 50));
      expect(phases(again)).toEqual(phases(crashed));

      pane.keys('y');
      await is(/the triage card copied \(tmux\), and in \S+\.dumps/);
      const editor = pane.beside('cat');
      await pane.waitFor((rows) => rows.length < 40 && rows.at(-1)?.includes('help') === true);
      editor.paste();
      await until(() => /AttributeError: .*\n.*remedy: /s.test(editor.capture()), 'the card is pasted');
      editor.close();
      await pane.waitFor((rows) => rows.length === 40 && rows.at(-1)?.includes('help') === true);

      pane.keys('e');
      await is(/errors only/, / of \d+ /);
      pane.keys('v');
      const found = await is(/▸AttributeError/, /= held/);
      const line = found.find((row) => row.includes('▸AttributeError')) ?? '';
      pane.keys('M', 'e', 'G');
      await is(/ follow /);
      pane.keys("'", 'y');
      await is(/the marked line copied \(tmux\)/, /▸AttributeError/);
      expect(pane.buffer()).toMatch(/^AttributeError: .*\n$/);
      expect(line).toContain('▸ ×8');
      // Wrapped, at the top: each key moves by a row.
      pane.keys('w', 'g');
      const top = await is(/ 1 ◆ \[.*server_args/, / wrap /);
      pane.keys('j');
      const first = top.findIndex((row) => row.includes('server_args'));
      await pane.waitFor((rows) => rows[first] === top[first + 1] && rows[first + 1] === top[first + 2]);
    } finally {
      pane.close();
    }
  });

  it('folds a crash of eight ranks, opens it, finds, marks and comes back to it', async () => {
    const pane = open('demo --scenario missing-method --speed 14', 120, 40);
    const is = (...patterns: readonly RegExp[]): Promise<readonly string[]> =>
      pane.waitFor(shows(...patterns));
    try {
      // All ranks are done dying.
      await pane.waitFor(shows(/CRASHED/, /set_eagle3_layers/, /is gone/));
      // From the card to its line, which stands for the tracebacks of all.
      pane.keys('Enter');
      await is(/─.Log /, /▸AttributeError.*▸ ×\d \d+ lines/, /Memory pool end.*▸ ×\d/, /64\/64 .*▸ 65 lines/);
      pane.keys('G');
      await is(/ follow /);
      pane.keys('Enter');
      await is(/│ +File .*scheduler/, /▾ ×\d \d+ lines/, /= held/);
      pane.keys('Enter');
      await pane.waitFor((rows) => shows(/▸ ×\d \d+ lines/)(rows) && !shows(/│ +File/)(rows));
      pane.keys('/');
      pane.type('KV Cache @TP5');
      await is(/TP5\] KV Cache/, / 1 of \d+/);
      pane.keys('Enter', 'M');
      await is(/marked/, /●\[.*TP5\] KV Cache/);
      pane.keys('Escape');
      await is(/▸ ×\d \d+ lines/);
      pane.keys("'");
      // Folded again: the row of all eight stands for it.
      await is(/▸\[.*\] KV Cache.*▸ ×\d/);
      pane.keys('x');
      await is(/every line is shown/);
      pane.keys('g');
      await is(/ 1 ◆ \[\d{4}-\d\d-\d\d .*server_args/, /↓ \d+ new/);
      pane.keys('i');
      await is(/ 1 ◆ \[\d\d:\d\d:\d\d\] server_args/);
      pane.keys('/');
      pane.type('begin');
      await is(/ of \d+ .*held/, /\/begin\/ only/);
      pane.type('(');
      await is(/Unterminated group/);
      pane.keys('Enter');
      await is(/no regular expression/, /\/begin\/ only/);
      pane.keys('&');
      await is(/\/begin\/ highlighted/, /matches highlighted/);
      pane.keys('N');
      await is(/▸\[.*begin/);
    } finally {
      pane.close();
    }
  });

  it('filters, holds and dumps', async () => {
    const pane = open('demo --scenario ready --speed 8', 120, 40);
    try {
      await pane.waitFor(shows(/READY/));
      pane.keys('/');
      pane.type('fired up');
      await pane.waitFor(
        (rows) => shows(/fired up and ready/, /Enter keep/)(rows) && !shows(/Uvicorn running/)(rows),
      );
      pane.keys('Enter');
      await pane.waitFor((rows) => !shows(/Enter keep/)(rows));
      pane.keys('D');
      await pane.waitFor(shows(/40 lines copied \(tmux\), and in \S*firedup-demo-\S+\.dumps/));
      expect(pane.buffer().trimEnd().split('\n')).toHaveLength(40);
      expect(pane.buffer()).toContain('fired up and ready to roll');
      expect(pane.title()).toMatch(/^firedup \S+ READY$/);
    } finally {
      pane.close();
    }
  });
});
