import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { localState, stopPrograms } from '../support/program.js';
import { openTmux } from '../support/tmux.js';
import { underScript } from '../support/under-script.js';
import { until } from '../support/until.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

const lines = [
  "[2026-03-01 12:00:00] server_args=ServerArgs(model_path='/models/demo', port=30000, tp_size=2)",
  '[2026-03-01 12:00:10 TP0] Init torch distributed begin.',
  '[2026-03-01 12:00:15 TP0] Load weight begin. avail mem=140.00 GB',
  'Loading safetensors checkpoint shards:  50% Completed | 32/64 [00:10<00:10,  3.20it/s]',
  'a line with 宽字符 and é',
];

describe.skipIf(!available('tmux', 'script', 'procfs'))('kinds of terminals', () => {
  let folder: string;
  let log: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-terminals-'));
    log = join(folder, 'server.log');
    writeFileSync(log, lines.map((line) => `${line}\n`).join(''));
  });
  afterAll(async () => {
    await stopPrograms();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The first screen of the built program, and its colours. */
  async function firstScreen(env: Readonly<Record<string, string>>) {
    const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
    const pane = openTmux({
      command: `env ${settings.join(' ')} '${process.execPath}' '${bin}' watch local --log '${log}'`,
      columns: 100,
      rows: 30,
      env: { XDG_STATE_HOME: localState(), LANG: 'C.UTF-8' },
    });
    try {
      const rows = await pane.settled(
        (shown) =>
          /Load weights .*32\/64/.test(shown.join('\n')) &&
          // What is known of the GPUs.
          shown[2]?.slice(48, 90).trim() !== '' &&
          shown.at(-1)?.endsWith('help') === true,
      );
      const styled = pane.captureStyled().split('\n');
      // Without the header and the last lines, whose words come and go.
      const styles = new Set(
        styled
          .slice(1, -3)
          .join('\n')
          .match(/\u001B\[[\d;]*m/g),
      );
      return {
        rows,
        colors: [...styles].filter((style) => /[[;](?:3[0-8]|4[0-8]|9\d|10\d)[;m]/.test(style)).sort(),
      };
    } finally {
      pane.close();
    }
  }

  const still = (rows: readonly string[]): string =>
    rows.filter((row) => /server_args|Init torch|shards:|a line with|^ K kill/.test(row)).join('\n');

  it('show the same first screen, each with the marks and colours that it has', async () => {
    const [xterm, ...others] = await Promise.all(
      ['xterm', 'screen-256color', 'tmux-256color'].map((TERM) => firstScreen({ TERM })),
    );
    expect(xterm?.rows[1]).toMatch(/^╭─ Phases .*╮$/);
    expect(still(xterm?.rows ?? []).split('\n')).toHaveLength(lines.length);
    expect(xterm?.colors.length).toBeGreaterThan(1);
    for (const { rows, colors } of others) {
      expect(still(rows)).toBe(still(xterm?.rows ?? []));
      expect(colors).toEqual(xterm?.colors);
    }
    const [linux, ascii, mono] = await Promise.all([
      firstScreen({ TERM: 'linux' }),
      firstScreen({ TERM: 'xterm', LC_ALL: 'C' }),
      firstScreen({ TERM: 'xterm', NO_COLOR: '1', COLORTERM: 'truecolor' }),
    ]);
    expect(ascii?.rows.join('')).toMatch(/^[\x20-\x7e]*$/);
    expect(ascii?.rows.join('\n')).toContain('a line with ??? and ?');
    expect(linux?.rows.join('')).not.toMatch(/[╭✓◆▸⠿]/);
    expect(linux?.rows.join('\n')).toContain('Load weights');
    expect(mono?.colors).toEqual([]);
    expect(still(mono?.rows ?? [])).toBe(still(xterm?.rows ?? []));
  });

  it('that are dumb get lines and a word why, and no escape sequence', async () => {
    for (const command of ['watch', 'tail']) {
      const words = [process.execPath, bin, command, 'local', '--log', log];
      const env = { XDG_STATE_HOME: localState(), TERM: 'dumb' };
      const { child, text, ended } = underScript(words, [100, 30], env);
      try {
        const last = command === 'watch' ? 'Load weights' : 'a line with';
        await until(() => text().includes(last), `${command} has told it: ${text()}`);
        if (command === 'watch') expect(text()).toMatch(/TERM=dumb: there is no screen/);
        expect(text()).not.toContain('\u001B');
      } finally {
        child.stdin.write('\u0003');
        await ended;
      }
      expect(text()).not.toContain('\u001B');
    }
  });
});
