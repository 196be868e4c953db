import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { localState, stopPrograms } from '../support/program.js';
import { openTmux, type TmuxPane } from '../support/tmux.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

const open = (args: string, columns: number, rows: number): TmuxPane =>
  openTmux({
    command: `'${process.execPath}' '${bin}' ${args}`,
    columns,
    rows,
    lingers: true,
    env: { XDG_STATE_HOME: localState(), LANG: 'C.UTF-8' },
  });

const shows =
  (...patterns: readonly RegExp[]) =>
  (rows: readonly string[]): boolean =>
    patterns.every((pattern) => rows.some((row) => pattern.test(row)));

afterAll(stopPrograms);

// The waits inside have their own limits, and say what was on the screen.
describe.skipIf(!available('tmux', 'procfs'))('the screen in a real terminal', { timeout: 240_000 }, () => {
  it.each([
    [200, 50],
    [100, 30],
    [80, 24],
  ])('shows phases, GPUs and log at %i x %i, from the first phase to READY', async (columns, rows) => {
    const pane = open('demo --scenario ready --speed 8', columns, rows);
    try {
      const screen = await pane.waitFor(shows(/Load weights/, /GPU|H200/i, /TP0\]/), 60_000);
      expect(
        screen.filter((row) => /^\S*\s*7\b.*(?:GiB|MiB|%)/.test(row.replace(/[│|]/g, ' ').trim())).length,
      ).toBeLessThan(3);
      const ready = await pane.waitFor(shows(/READY/), 60_000);
      expect(ready.every((row) => row.length <= columns)).toBe(true);
      pane.keys('q');
      await pane.waitFor(shows(/READY: /), 40_000);
      expect(pane.flags()).toEqual({ alternate: false, cursor: true, wrap: true });
    } finally {
      pane.close();
    }
  });

  it('plays the evening by R alone: missing method, context length, READY', async () => {
    const pane = open('demo --speed 12', 120, 40);
    try {
      await pane.waitFor(shows(/CRASHED/, /set_eagle3_layers_to_capture/), 60_000);
      pane.keys('R');
      await pane.waitFor(shows(/Relaunch as attempt 2/), 30_000);
      pane.keys('y');
      await pane.waitFor(shows(/CRASHED/, /context_length/), 90_000);
      pane.keys('R');
      await pane.waitFor(
        shows(/Relaunch as attempt 3/, /SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1/),
        30_000,
      );
      pane.keys('y');
      await pane.waitFor(shows(/READY/), 90_000);
      pane.keys('h');
      await pane.waitFor(shows(/1 .*crashed/, /2 .*crashed/, /3 .*ready/), 30_000);
      // The patch did away with the first crash, the variable with the second.
      const rows = await pane.waitFor(shows(/helped: Allow the longer context/), 30_000);
      expect(rows.filter((row) => /✓ helped/.test(row))).toHaveLength(2);
      pane.keys('q', 'q');
      await pane.waitFor(shows(/READY: /), 40_000);
    } finally {
      pane.close();
    }
  });

  it('plays context-length from crash to READY by keys, and h says which remedy helped', async () => {
    const pane = open('demo --scenario context-length --speed 14', 100, 30);
    try {
      await pane.waitFor(shows(/CRASHED/, /context_length/), 60_000);
      const card = shows(/remedy/, /Allow the longer context/);
      await pane.waitFor(card, 30_000);
      pane.keys('t');
      await pane.waitFor(shows(/What followed from it/), 30_000);
      pane.keys('t');
      await pane.waitFor((rows) => card(rows) && !shows(/What followed from it/)(rows), 30_000);
      pane.keys('a');
      await pane.waitFor(
        shows(/Relaunch as attempt 2/, /SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1/),
        30_000,
      );
      // To the dialog by its own key as well: what `a` put in stays in.
      pane.keys('Escape');
      await pane.waitFor((rows) => !shows(/Relaunch as/)(rows), 30_000);
      pane.keys('R');
      await pane.waitFor(
        shows(/Relaunch as attempt 2/, /SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1/),
        30_000,
      );
      pane.keys('y');
      await pane.waitFor(shows(/READY/), 90_000);
      await pane.waitFor(shows(/was \d+\.\ds/), 30_000);
      pane.keys('h');
      await pane.waitFor(
        shows(
          /2 .*✓ ready/,
          /→ .*SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1/,
          /✓ helped: Allow the longer context/,
          /1 .*✗ crashed .*ValueError/,
        ),
        30_000,
      );
      pane.keys('j');
      await pane.waitFor(shows(/▸ +1 .*crashed/), 30_000);
      pane.keys('Enter');
      await pane.waitFor(shows(/attempt 1 \(crashed\)/, /its last 40 lines/), 30_000);
      pane.keys('s');
      await pane.waitFor(shows(/Changed since attempt 1 \(crashed\)/, /Phase times/), 30_000);
      pane.keys('q');
      await pane.waitFor((rows) => !shows(/Changed since/)(rows), 30_000);
      pane.keys('q');
      await pane.waitFor(shows(/READY: /), 40_000);
    } finally {
      pane.close();
    }
  });

  it('plays missing-method from crash to READY by keys, and h says that the step before helped', async () => {
    const pane = open('demo --scenario missing-method --speed 14', 80, 24);
    try {
      await pane.waitFor(shows(/CRASHED/, /set_eagle3_layers/), 60_000);
      pane.keys('R');
      await pane.waitFor(shows(/Relaunch as attempt 2/), 30_000);
      pane.keys('y');
      await pane.waitFor(shows(/READY/), 90_000);
      pane.keys('h');
      await pane.waitFor(shows(/2 .*✓ ready/, /→ before: /, /✓ helped/, /1 .*✗ crashed/), 30_000);
      pane.keys('q');
      await pane.waitFor((rows) => !shows(/ready in {2}cause/)(rows), 30_000);
      pane.keys('q');
      await pane.waitFor(shows(/READY: /), 40_000);
    } finally {
      pane.close();
    }
  });

  it('asks before it kills, does not kill on Esc, Enter or a paste, and does on y', async () => {
    const pane = open('demo --scenario stall --speed 1', 100, 30);
    try {
      await pane.waitFor(shows(/Join ranks/, /alive|pid/), 60_000);
      for (const key of ['Escape', 'Enter', 'n']) {
        pane.keys('K');
        await pane.waitFor(shows(/Kill this server/), 30_000);
        pane.keys(key);
        await pane.waitFor((rows) => !shows(/Kill this server/)(rows), 30_000);
      }
      pane.keys('K');
      await pane.waitFor(shows(/Kill this server/), 30_000);
      pane.paste('y');
      pane.keys('Escape');
      await pane.waitFor((rows) => !shows(/Kill this server/)(rows), 30_000);
      pane.keys('K');
      await pane.waitFor(shows(/Kill this server/), 30_000);
      pane.keys('y');
      await pane.waitFor(shows(/STOPPED/), 40_000);
    } finally {
      pane.close();
    }
  });

  it('filters, holds and dumps', async () => {
    const pane = open('demo --scenario ready --speed 8', 120, 40);
    try {
      await pane.waitFor(shows(/READY/), 60_000);
      pane.keys('/');
      pane.type('fired up');
      await pane.waitFor(
        (rows) => shows(/fired up and ready/, /Enter keep/)(rows) && !shows(/Uvicorn running/)(rows),
        30_000,
      );
      pane.keys('Enter');
      await pane.waitFor((rows) => !shows(/Enter keep/)(rows), 30_000);
      pane.keys('D');
      await pane.waitFor(shows(/40 lines copied, and in \S+\.dumps/), 30_000);
    } finally {
      pane.close();
    }
  });
});
