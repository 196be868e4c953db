import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../cli/run-program.js';
import { available } from '../support/available.js';
import { openTmux, type TmuxPane } from '../support/tmux.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));
const server = fileURLToPath(new URL('../fixtures/talkative-server.mjs', import.meta.url));

/** A word each, so that a failure names what leaked. */
const secrets = {
  env: 'wordofhftoken11',
  password: 'wordofpassword22',
  variable: 'wordofservice33',
  custom: 'wordofmytoken44',
  option: 'wordofapikey55',
  assigned: 'wordofadmin66',
  bare: 'wordofsecretopt77',
  url: 'wordofurl88',
} as const;

const env = [
  `HF_TOKEN=${secrets.env}`,
  `MY_PASSWORD=${secrets.password}`,
  `SERVICE_SECRET=${secrets.variable}`,
  `MYTOKEN=${secrets.custom}`,
].flatMap((pair) => ['--env', pair]);

const args = [
  '--api-key',
  secrets.option,
  `--admin-api-key=${secrets.assigned}`,
  '--client-secret',
  secrets.bare,
  `--store=postgres://me:${secrets.url}@db.internal/x`,
];

describe.skipIf(!available('tmux', 'procfs'))('secrets of a launch', () => {
  let folder: string;
  let state: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-secrets-'));
    state = join(folder, 'state');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

  const leaks = (text: string): readonly string[] =>
    Object.entries(secrets)
      .filter(([, secret]) => text.includes(secret))
      .map(([name]) => name);

  /** What every file below the state folder leaks, but for the log and the launch as it is started again (mode 0600). */
  function leaksOfFiles(): readonly string[] {
    const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    return files.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      if (['launch.json', 'start'].includes(entry.name)) {
        expect(lstatSync(path).mode & 0o077, path).toBe(0);
        return [];
      }
      return entry.name === 'log' ? [] : leaks(readFileSync(path, 'utf8')).map((name) => `${path}: ${name}`);
    });
  }

  it('show on no screen, in no overlay, dialog or dump, and are in no file', async () => {
    const gate = join(folder, 'go');
    const command = [
      process.execPath,
      bin,
      'launch',
      'local',
      '--name',
      'talkative',
      ...env,
      '--',
      process.execPath,
      server,
      ...args,
      '--until',
      gate,
    ];
    const pane = openTmux({
      command: command.map((word) => `'${word}'`).join(' '),
      columns: 160,
      rows: 60,
      env: { XDG_STATE_HOME: state, LANG: 'C.UTF-8' },
    });
    const screens: string[] = [];
    const look = async (pattern: RegExp): Promise<void> => {
      const rows = await pane.waitFor((shown) => shown.some((row) => pattern.test(row)));
      // What is wrapped is one word all the same.
      screens.push(rows.join('\n'), rows.map((row) => row.replace(/^│ *| *│$/g, '')).join(''));
    };
    try {
      await look(/Load weight begin/);
      await walk(pane, look);
      writeFileSync(gate, '');
      await look(/CRASHED/);
      await look(/PermissionError/);
      await walk(pane, look);
      pane.keys('D');
      await look(/copied .*, and in/);
      pane.keys('q');
      await look(/Come back with/);
    } finally {
      pane.close();
    }
    expect(screens.join('\n')).toContain('api_key=');
    expect(leaks(screens.join('\n'))).toEqual([]);
    expect(leaksOfFiles()).toEqual([]);
  });

  it('are in no output of the commands, as text or as JSON', async () => {
    const log = join(state, 'firedup', 'talkative', '1', 'log');
    const outputs = await Promise.all(
      [
        ['history', 'local', '--json'],
        ['history', 'local', '--name', 'talkative'],
        ['dump', 'local', '--name', 'talkative'],
        ['dump', 'local', '--name', 'talkative', '--json'],
        ['triage', log],
        ['triage', log, '--json'],
        ['wait', 'local', '--name', 'talkative', '--timeout', '20s'],
        ['wait', 'local', '--name', 'talkative', '--timeout', '20s', '--json'],
      ].map(async (words) => {
        const { out, err } = await run(words, { env: { XDG_STATE_HOME: state } });
        expect(out, words.join(' ')).not.toBe('');
        return [words.join(' '), leaks(out + err)];
      }),
    );
    expect(outputs.filter(([, leaked]) => leaked?.length !== 0)).toEqual([]);
    expect(leaksOfFiles()).toEqual([]);
    const { out } = await run(['history', 'local', '--json'], { env: { XDG_STATE_HOME: state } });
    expect(JSON.parse(out)).toMatchObject({ schema: 2, outcome: 'crashed', env: { HF_TOKEN: '***' } });
  });
});

/** Through every overlay and dialog, and back. */
async function walk(pane: TmuxPane, look: (pattern: RegExp) => Promise<void>): Promise<void> {
  pane.keys('h');
  await look(/Attempts/);
  pane.keys('Enter');
  await look(/command/);
  pane.keys('Escape');
  await look(/ready in {2}cause/);
  pane.keys('s');
  await look(/Server arguments/);
  pane.keys('s');
  // Two keys that arrive as one are taken for a paste.
  await look(/─ Phases/);
  pane.keys('R');
  await look(/Relaunch as attempt 2/);
  pane.keys('Escape');
  await look(/R relaunch/);
}
