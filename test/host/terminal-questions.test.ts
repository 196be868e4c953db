import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ssh2, { type Connection } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeKeyPair } from '../../src/demo/ssh-keys.js';
import { available } from '../support/available.js';
import { openTmux, type TmuxPane } from '../support/tmux.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

// The built program in a real terminal, before a server of ssh2's that wants a password and a code.
describe.skipIf(!available('ssh', 'tmux'))('the questions of a login on a terminal', () => {
  let folder: string;
  let port: number;
  let close: () => Promise<void>;
  let pane: TmuxPane | null = null;
  let logins: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-ask-'));
    logins = 0;
    const hostKey = makeKeyPair('test');
    const connections = new Set<Connection>();
    const server = new ssh2.Server({ hostKeys: [hostKey.privateKey] }, (connection) => {
      connections.add(connection);
      logins++;
      connection.on('error', () => {});
      connection.on('authentication', (login) => {
        if (login.method !== 'keyboard-interactive') return login.reject(['keyboard-interactive']);
        login.prompt([{ prompt: 'Password: ', echo: false }], 'Two steps', '', ([password]) => {
          if (password !== 'hunter2') return login.reject(['keyboard-interactive']);
          login.prompt([{ prompt: 'Code: ', echo: true }], ([code]) =>
            code === '123456' ? login.accept() : login.reject(['keyboard-interactive']),
          );
        });
      });
      connection.on('session', (accept) => {
        accept().on('exec', (acceptExec) => {
          const channel = acceptExec();
          channel.write('Darwin\n');
          channel.exit(0);
          channel.end();
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
    close = async () => {
      for (const connection of connections) connection.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    writeFileSync(join(folder, 'known'), `[127.0.0.1]:${port} ${hostKey.publicKey}\n`);
    writeFileSync(
      join(folder, 'config'),
      `Host *\n Port ${port}\n User me\n IdentityFile none\n IdentityAgent none\n UserKnownHostsFile ${folder}/known\n GlobalKnownHostsFile /dev/null\n`,
    );
  });
  afterEach(async () => {
    pane?.close();
    pane = null;
    await close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (transport: string): TmuxPane =>
    openTmux({
      command: `${process.execPath} ${bin} wait 127.0.0.1 -F ${folder}/config --transport ${transport} --log /x; echo "code $?"; exec cat`,
      columns: 100,
      env: { XDG_STATE_HOME: folder },
    });
  const shows = (pattern: RegExp) => (rows: readonly string[]) => pattern.test(rows.join('\n'));

  it.each(['ssh2', 'ssh'])(
    'are asked round by round by %s, and what is secret is never shown',
    async (transport) => {
      pane = open(transport);
      await pane.waitFor(shows(/Password:/));
      pane.type('wrong');
      pane.keys('Enter');
      await pane.waitFor((rows) => (rows.join('\n').match(/Password:/g) ?? []).length === 2);
      pane.type('hunter2');
      pane.keys('Enter');
      const asked = await pane.waitFor(shows(/Code:/));
      expect(asked.join('\n')).not.toMatch(/hunter2|wrong/);
      pane.type('123456');
      pane.keys('Enter');
      const done = await pane.waitFor(shows(/code \d/));
      expect(done.join('\n')).toMatch(/not a Linux host \(uname -s: Darwin\)[\s\S]*code 2/);
      expect(done.join('\n')).not.toContain('hunter2');
      expect(logins).toBe(1);
      expect(pane.isRaw()).toBe(false);
    },
  );

  it('end with Ctrl-C, without another try', async () => {
    pane = open('ssh2');
    await pane.waitFor(shows(/Password:/));
    pane.keys('C-c');
    const done = await pane.waitFor(shows(/code \d/));
    expect(done.join('\n')).toMatch(/refused the login[\s\S]*code 5/);
    expect(logins).toBe(1);
    expect(pane.isRaw()).toBe(false);
  });
});
