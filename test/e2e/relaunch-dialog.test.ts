import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { launchSpec } from '../../src/core/launch-spec.js';
import { localHost } from '../../src/host/local.js';
import { launchCommand } from '../../src/runtime/actions/launch.js';
import { available } from '../support/available.js';
import { openTmux, shows } from '../support/tmux.js';
import { until } from '../support/until.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

describe.skipIf(!available('tmux', 'procfs'))('the relaunch dialog in a real terminal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'firedup relaunch-'));
  const started: number[] = [];
  afterAll(() => {
    for (const pid of started) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has gone, as it should.
      }
    }
    // Its supervisors write how it ended.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });
  const file = (name: string): string => join(folder, name);

  it('lends the terminal to the editor, shows the difference without secrets, and starts what was edited', async () => {
    // An editor that has the keys for itself: it reads a line from the terminal.
    writeFileSync(
      file('editor'),
      [
        '#!/bin/sh',
        `stat -c %a "$1" >>'${file('modes')}'`,
        `stat -c %a "\${1%/*}" >>'${file('modes')}'`,
        'echo "the editor has it"',
        'read -r answer',
        `sed -i "s/STAGE: .*/STAGE: $answer/" "$1"`,
      ].join('\n'),
    );
    chmodSync(file('editor'), 0o755);
    const env = {
      XDG_STATE_HOME: file('state'),
      TMPDIR: folder,
      EDITOR: `'${file('editor')}'`,
      VISUAL: '',
      LANG: 'C.UTF-8',
    };
    const before = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = env.XDG_STATE_HOME;
    const host = localHost();
    const spec = launchSpec({
      command: ['sh', '-c', 'echo "$STAGE"; exec sleep 600'],
      env: { STAGE: 'one', HF_TOKEN: 'hidden-value' },
    });
    const first = await launchCommand(host, { name: 'edit', spec });
    started.push(first.pid);
    await host.close();
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;

    const pane = openTmux({
      command: `'${process.execPath}' '${bin}' watch local --name edit`,
      columns: 100,
      rows: 30,
      env,
    });
    try {
      await pane.waitFor(shows(/is alive/));
      pane.keys('R');
      await pane.waitFor(shows(/Relaunch as attempt 2/));
      pane.keys('e');
      await pane.waitFor(shows(/the editor has it/));
      pane.type('two_y_Rq');
      pane.keys('Enter');
      const screen = await pane.waitFor(shows(/\+ STAGE=two_y_Rq/));
      expect(screen.join('\n')).toContain('- STAGE=one');
      expect(screen.join('\n')).not.toContain('hidden-value');
      expect(readFileSync(file('modes'), 'utf8')).toBe('600\n700\n');
      expect(readdirSync(folder).filter((name) => name.startsWith('firedup-edit-'))).toEqual([]);
      pane.keys('s');
      await pane.waitFor(shows(/by SIGINT/));
      pane.keys('y');
      await pane.waitFor(shows(/attempt 2/));
      await until(() => {
        const log = join(file('state'), 'firedup/edit/2/log');
        try {
          return readFileSync(log, 'utf8') === 'two_y_Rq\n';
        } catch {
          return false;
        }
      }, 'the edited start');
      const [pid = ''] = readFileSync(join(file('state'), 'firedup/edit/2/pid'), 'utf8').split(' ');
      started.push(Number(pid));
      expect(readFileSync(join(file('state'), 'firedup/edit/1/exit'), 'utf8')).toMatch(/^130 /);
      await pane.waitFor(shows(/attempt 2 .*is alive/));
      pane.keys('K');
      await pane.waitFor(shows(/ends +1 process by SIGTERM$|ends +1 process by SIGTERM /));
      pane.keys('y');
      await pane.waitFor(shows(/tree are gone/));
    } finally {
      pane.close();
    }
  });

  it('shows the checklist in place of the question, and then the next attempt from its beginning', async () => {
    // The step before the start lasts as long as this test wants.
    const [before, gate] = [`until [ -e "$GATE" ]; do sleep 0.1; done; echo made`, file('gate')];
    writeFileSync(gate, '');
    const pane = openTmux({
      command: `'${process.execPath}' '${bin}' launch local --name list --no-preflight --env GATE='${gate}' --before '${before}' -- sh -c 'echo up; exec sleep 600'`,
      columns: 100,
      rows: 30,
      // A login shell of its own: whose profile takes long is not asked here.
      env: { XDG_STATE_HOME: file('state'), TMPDIR: folder, HOME: folder, LANG: 'C.UTF-8' },
    });
    const pidOf = (number: number): void => {
      const [pid = ''] = readFileSync(join(file('state'), `firedup/list/${number}/pid`), 'utf8').split(' ');
      started.push(Number(pid));
    };
    try {
      await pane.waitFor(shows(/is alive/));
      pidOf(1);
      rmSync(gate);
      pane.keys('R');
      await pane.waitFor(shows(/changes +none/));
      pane.keys('y');
      const doing = (await pane.waitFor(shows(/● before +until \[/, /RELAUNCHING +before/))).join('\n');
      expect(doing).toMatch(/Relaunch as attempt 2 under way/);
      expect(doing).toMatch(/✓ kill +Every process has gone[\s\S]*○ start +attempt 2[\s\S]*○ watch/);
      expect(doing).not.toMatch(/changes|Cancel|pre-flight/);
      expect(doing).toMatch(/RELAUNCHING +before the start: until \[/);
      writeFileSync(gate, '');
      await pane.waitFor(shows(/attempt 2 .*is alive/, /attempt 2 · .*list\/2\/log/));
      pidOf(2);
      await pane.waitFor(shows(/list\/2\/log .* 1 line /));
      pane.keys('o');
      await pane.waitFor(shows(/milestones only .* 0 of 1 /));
      pane.keys('K');
      await pane.waitFor(shows(/ends +1 process/));
      pane.keys('y');
      await pane.waitFor(shows(/STOPPED +stopped by us/));
      pane.keys('R');
      await pane.waitFor(shows(/Relaunch as attempt 3\?/));
      // What we have ended has not crashed, whatever is asked next.
      await pane.waitFor(shows(/STOPPED +stopped by us/));
    } finally {
      pane.close();
    }
  });

  it('leaves no file with the secrets when the terminal goes away, though the editor stays', async () => {
    const editor = [
      '#!/bin/sh',
      "trap '' HUP",
      `echo $$ >'${file('editor-pid')}'`,
      'echo "it stays"',
      'exec sleep 300',
    ];
    writeFileSync(file('stays'), editor.join('\n'));
    chmodSync(file('stays'), 0o755);
    const pane = openTmux({
      command: `'${process.execPath}' '${bin}' watch local --name edit`,
      columns: 80,
      rows: 24,
      env: { XDG_STATE_HOME: file('state'), TMPDIR: folder, EDITOR: `'${file('stays')}'`, VISUAL: '' },
    });
    const left = () => readdirSync(folder).filter((name) => name.startsWith('firedup-edit-'));
    try {
      await pane.waitFor(shows(/attempt 2/));
      pane.keys('R');
      await pane.waitFor(shows(/Relaunch as attempt 3/));
      pane.keys('e');
      await pane.waitFor(shows(/it stays/));
      started.push(Number(readFileSync(file('editor-pid'), 'utf8')));
      expect(left()).toHaveLength(1);
    } finally {
      pane.close();
    }
    await until(() => left().length === 0, 'the file to be removed');
  });
});
