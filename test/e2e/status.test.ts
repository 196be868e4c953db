import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { firedup, localState, type Program, stopPrograms } from '../support/program.js';
import { makeKey, type Sshd, startSshd } from '../support/sshd.js';
import { openTmux, shows, type TmuxPane } from '../support/tmux.js';

const serverScript = fileURLToPath(new URL('../fixtures/server.mjs', import.meta.url));
const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

describe.skipIf(!available('sshd', 'ssh', 'procfs'))('the state of several servers', () => {
  let sshd: Sshd;
  let folder: string;
  let config: string;

  beforeAll(async () => {
    sshd = await startSshd();
    folder = mkdtempSync(join(tmpdir(), 'firedup-status-'));
    const locked = join(folder, 'locked');
    appendFileSync(sshd.authorizedKeys, `${makeKey(locked, 'ed25519', 'a passphrase')}\n`);
    const lockedConfig = join(folder, 'ssh_config');
    writeFileSync(
      lockedConfig,
      `Host *\n  HostName 127.0.0.1\n  Port ${sshd.port}\n  User ${sshd.user}\n  IdentityFile ${locked}\n  IdentitiesOnly yes\n  IdentityAgent none\n  UserKnownHostsFile ${sshd.knownHostsFile}\n`,
    );
    config = join(folder, 'firedup.yaml');
    const command = (...args: readonly string[]): string =>
      `[${[process.execPath, serverScript, ...args].join(', ')}]`;
    writeFileSync(
      config,
      `
defaults: { grace: 2s, ssh: { config: ${sshd.sshConfig('Host box', '  HostName 127.0.0.1')} } }
targets:
  up: { host: box, command: ${command()} }
  down: { host: box, command: ${command('--crash')} }
  slow: { host: box, command: ${command('--hold')} }
  mute: { host: box, command: [sh, -c, 'echo starting; exit 3'] }
  never: { host: box, command: ${command()} }
  locked: { host: box, command: ${command()}, ssh: { config: ${lockedConfig} } }
  away: { host: 127.0.0.1, log: /nowhere, ssh: { port: 1 } }
`,
    );
    for (const target of ['up', 'down', 'slow', 'mute']) {
      expect(await on('launch', target, '--detach').ended()).toBe(0);
    }
    expect(await on('wait', 'up').ended()).toBe(0);
    expect(await on('wait', 'down').ended()).toBe(1);
    expect(await on('wait', 'mute').ended()).toBe(1);
    const loading = on('wait', 'slow');
    await loading.waitFor(/phase +Load weights/);
    loading.signal('SIGINT');
    await loading.ended();
  });

  afterAll(async () => {
    for (const target of ['up', 'slow']) await on('kill', target, '--yes').ended();
    await stopPrograms();
    await sshd?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const on = (command: string, ...args: readonly string[]): Program =>
    firedup([command, ...args, '--config', config]);
  const textOf = (program: Program): string => program.lines.map(({ text }) => text).join('\n');

  it('is told of all targets, over one connection a host, and nobody is asked for a passphrase', async () => {
    const before = logins();
    const program = on('status', '--json');
    expect(await program.ended()).toBe(0);
    const { servers } = JSON.parse(textOf(program));
    expect(servers.map(({ target, outcome }: Record<string, unknown>) => [target, outcome])).toEqual([
      ['up', 'ready'],
      ['down', 'crashed'],
      ['slow', 'loading'],
      // Told by its process alone, which counts only when its last lines have had their time.
      ['mute', 'crashed'],
      ['never', 'none'],
      ['locked', 'unreachable'],
      ['away', 'unreachable'],
    ]);
    expect(servers[0]).toMatchObject({
      host: 'box',
      name: 'up',
      attempt: 1,
      phase: 'ready',
      provisional: false,
    });
    expect(servers[1].summary).toBe("KeyError: 'lm_head.weight'");
    expect(servers[2].phase).toBe('weights');
    expect(servers[5].needsAnswer).toBe(true);
    expect(servers[6].needsAnswer).toBe(false);
    expect(logins() - before).toBe(1);
  });

  it('is a table for people, of one target or of all that was launched on a host', async () => {
    const one = on('status', 'slow');
    expect(await one.ended()).toBe(0);
    expect(textOf(one)).toMatch(
      /^SERVER +HOST +STATE +ATTEMPT +SINCE\nslow +box +LOADING +1 +\d+ s +Load weights$/,
    );
    const host = firedup(['status', 'box', '-F', sshd.sshConfig('Host box', '  HostName 127.0.0.1')]);
    expect(await host.ended()).toBe(0);
    // A long word on one goes on below, within 80 columns.
    const names = host.lines.slice(1).map(({ text }) => text.split(/ +/)[0]);
    expect(names.filter((name) => name !== '')).toEqual(['down', 'mute', 'slow', 'up']);
    expect(Math.max(...host.lines.map(({ text }) => text.length))).toBeLessThanOrEqual(80);
  });

  it('is 5 where no host can be reached, and 2 where there is nothing to ask', async () => {
    expect(await on('status', 'away').ended()).toBe(5);
    const none = join(folder, 'empty.yaml');
    writeFileSync(none, '');
    expect(await firedup(['status', '--config', none]).ended()).toBe(2);
  });

  describe.skipIf(!available('tmux', 'bash'))('on a terminal', () => {
    let pane: TmuxPane | null = null;

    const start = async (command = ''): Promise<TmuxPane> => {
      const env = `XDG_STATE_HOME=${localState()} XDG_CONFIG_HOME=/nonexistent`;
      pane = openTmux({
        command: `cd ${folder} && ${env} ${process.execPath} ${bin} ${command}; echo "status $?"; cat`,
      });
      return pane;
    };

    it('is a list, from which one after the other is watched; leaving says how to come back', async () => {
      const list = await start();
      const is = (...patterns: readonly RegExp[]): Promise<readonly string[]> =>
        list.waitFor(shows(...patterns));
      const asked = (): Promise<readonly string[]> =>
        list.waitFor((shown) => shown[0]?.includes('asked at') === true);
      try {
        await asked();
        const rows = await is(
          /▸ up +box +✓ READY +1 /,
          / down +box +✗ CRASHED +1 /,
          / never +box +○ not started/,
          / locked +box +▲ login needed/,
        );
        expect(rows).toHaveLength(24);
        list.keys('r');
        await list.waitFor((shown) => shown[0]?.includes('asked at') === true && shown[0] !== rows[0]);
        list.keys('Enter');
        await is(/fired up and ready to roll/);
        list.keys('q');
        await asked();
        list.keys('j', 'Enter');
        await is(/CRASHED/, /cause .*KeyError/);
        list.keys('q');
        // The last answers stand until there are new ones.
        await is(/▸ down +box +\S CRASHED/, / up +box +\S READY +1 /);
        // One that cannot be reached says why, over the list.
        list.keys('G', 'Enter');
        await is(/▸ away/, /Nothing listens on .*Is sshd running/);
        list.keys('g');
        await list.waitFor((shown) => !shown.join('\n').includes('Is sshd running'));
        list.keys('Enter');
        await is(/fired up and ready to roll/);
        // Ctrl-C leaves at once, over the list.
        list.keys('C-c');
        const left = await is(/^status 0/);
        expect(left.join('\n')).toContain('Come back with: firedup watch up');
        expect(list.flags()).toMatchObject({ alternate: false, cursor: true });
      } finally {
        list.close();
      }
    });

    it('is the help where there is no config', async () => {
      const help = openTmux({
        command: `cd / && XDG_CONFIG_HOME=/nonexistent ${process.execPath} ${bin}; echo "status $?"; cat`,
        rows: 60,
      });
      try {
        const rows = await help.waitFor((shown) => shown.some((row) => row.startsWith('status')));
        expect(rows.join('\n')).toContain('Usage: firedup');
      } finally {
        help.close();
      }
    });
  });

  /** How many logins sshd has let in so far. */
  const logins = (): number => sshd.log().split('Accepted publickey').length - 1;
});
