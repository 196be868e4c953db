import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type AskingServer, startAskingServer } from '../support/asking-server.js';
import { available } from '../support/available.js';
import { startLinkProxy } from '../support/link-proxy.js';
import { firedup, localState, stopPrograms } from '../support/program.js';
import { makeKey, type Sshd, startSshd } from '../support/sshd.js';
import { openTmux, type TmuxPane } from '../support/tmux.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

// The built program on its full screen, whose connection breaks where the next login has questions.
describe.skipIf(!available('ssh', 'sshd', 'ssh-keygen', 'tmux', 'procfs'))('a login on the screen', () => {
  const undo: (() => unknown)[] = [];

  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
    await stopPrograms();
  });

  const shows = (pattern: RegExp) => (rows: readonly string[]) => pattern.test(rows.join('\n'));

  function open(words: string, size: readonly [number, number] = [100, 30]): TmuxPane {
    const env = { XDG_STATE_HOME: localState(), XDG_RUNTIME_DIR: '' };
    const command = `${process.execPath} ${bin} ${words}; echo "code $?"; exec cat`;
    const pane = openTmux({ command, columns: size[0], rows: size[1], env });
    undo.push(() => pane.close());
    return pane;
  }

  /** A log that a process of the test's holds open. */
  function serverLog(folder: string): string {
    const log = join(folder, 'server.log');
    writeFileSync(log, 'first line\n');
    const writer = spawn('sh', ['-c', 'exec sleep 600 >>"$0"', log], { stdio: 'ignore' });
    undo.push(() => writer.kill('SIGKILL'));
    return log;
  }

  async function askingBox(): Promise<{ readonly box: AskingServer; readonly log: string }> {
    const box = await startAskingServer((login) => {
      if (login.method !== 'keyboard-interactive') return login.reject(['keyboard-interactive']);
      login.prompt(
        [{ prompt: 'Password: ', echo: false }],
        'Two\u001b]0;stolen\u0007 steps',
        '',
        ([password]) => {
          if (password !== 'hunKyDter2') return login.reject(['keyboard-interactive']);
          login.prompt([{ prompt: 'Code:\u001b[2J ', echo: true }], ([code]) =>
            code === '123456' ? login.accept() : login.reject(['keyboard-interactive']),
          );
        },
      );
    });
    undo.push(() => box.stop());
    return { box, log: serverLog(box.folder) };
  }

  async function typeLogin(pane: TmuxPane, password: string): Promise<void> {
    await pane.waitFor(shows(/Password:/));
    pane.type(password);
    pane.keys('Enter');
  }

  it.each([
    ['ssh2', 100, 30],
    ['ssh', 80, 24],
  ] as const)(
    'answers its questions in a dialog after %s lost the connection, and all goes on (%ix%i)',
    async (transport, columns, rows) => {
      const { box, log } = await askingBox();
      const pane = open(`watch box -F ${box.config} --transport ${transport} --log ${log}`, [columns, rows]);
      await typeLogin(pane, 'hunKyDter2');
      await pane.waitFor(shows(/Code:/));
      pane.type('123456');
      pane.keys('Enter');
      await pane.waitFor(shows(/first line/));
      await pane.waitFor(shows(/connected/));
      expect(box.connections()).toBe(1);

      box.cut();
      const waiting = await pane.waitFor(shows(/connection lost, login needed/));
      expect(waiting.join('\n')).toMatch(/UNKNOWN/);
      const tries = box.connections();
      appendFileSync(log, 'written while away\n');

      pane.keys('c');
      await pane.waitFor(shows(/Log in to box[\s\S]*Password:/));
      // Left unanswered, it waits on.
      pane.keys('Escape');
      await pane.waitFor(
        (shown) => !shows(/Password:/)(shown) && shows(/connection lost, login needed/)(shown),
      );
      pane.keys('c');
      // Letters that are shortcuts elsewhere, one of them alone, and a line that is wrong.
      await pane.waitFor(shows(/Password:/));
      pane.keys('K');
      pane.type('Rq?');
      const masked = await pane.waitFor(shows(/•••• /));
      expect(masked.join('\n')).not.toMatch(/KRq|Kill this|Relaunch as/);
      pane.keys('Enter');
      // ssh2 asks again up to three times; the system's ssh does, too.
      await pane.waitFor((shown) => !shows(/••/)(shown) && shows(/Password:/)(shown));
      pane.paste('hunKyDter2');
      await pane.waitFor(shows(/•{10} /));
      pane.keys('Enter');
      await pane.waitFor(shows(/Code:/));
      pane.type('12345');
      pane.keys('6');
      // ssh does not tell its helper what may be seen: then nothing is.
      await pane.waitFor(shows(transport === 'ssh2' ? /123456/ : /•{6} /));
      pane.keys('Enter');
      const resumed = await pane.waitFor(shows(/written while away/));
      expect(resumed.join('\n')).toMatch(/connected/);
      expect(resumed.join('\n')).not.toMatch(/Log in to|hunKyDter2|123456|stolen/);
      expect(box.connections()).toBe(tries + 2);
      pane.keys('q');
      const left = await pane.waitFor(shows(/code \d/));
      expect(left.join('\n')).toMatch(/code 0/);
      // The code was asked with an echo when there was no screen yet.
      expect(left.join('\n')).not.toMatch(/hunKyDter2/);
      expect(pane.isRaw()).toBe(false);
    },
  );

  it.each(['wait', 'tail'])('is asked at once by %s, which has no screen', async (command) => {
    const { box, log } = await askingBox();
    const more = command === 'wait' ? '--timeout 60s' : '-n +1';
    const pane = open(`${command} box -F ${box.config} --log ${log} ${more} | sed s/^/out:/`, [120, 40]);
    await typeLogin(pane, 'hunKyDter2');
    await pane.waitFor(shows(/Code:/));
    pane.type('123456');
    pane.keys('Enter');
    await pane.waitFor(shows(command === 'wait' ? /out:.*reading/ : /out:first line/));
    box.cut();
    await pane.waitFor((rows) => (rows.join('\n').match(/Password:/g) ?? []).length === 2);
    pane.type('hunKyDter2');
    pane.keys('Enter');
    await pane.waitFor((rows) => (rows.join('\n').match(/Code:/g) ?? []).length === 2);
    pane.type('123456');
    pane.keys('Enter');
    appendFileSync(log, 'written later\n');
    const end = await pane.waitFor(shows(command === 'wait' ? /out:.*connected again/ : /out:written later/));
    expect(end.join('\n')).not.toMatch(/hunKyDter2/);
  });

  it('is lost for good where nobody can be asked: a clear sentence, and exit code 5', async () => {
    const sshd = await startSshd();
    undo.push(() => sshd.stop());
    const proxy = await startLinkProxy(sshd.port);
    undo.push(() => proxy.stop());
    const config = sshd.sshConfig('Host box', '  HostName 127.0.0.1', `  Port ${proxy.port}`);
    const known = `[127.0.0.1]:${proxy.port} ${sshd.hostKeys.ed25519}\n`;
    const log = serverLog(sshd.folder);
    for (const args of [['wait'], ['wait', '--json'], ['tail']]) {
      writeFileSync(sshd.knownHostsFile, known);
      const [command = '', ...more] = args;
      const program = firedup([command, 'box', '-F', config, '--log', log, ...more]);
      await program.waitFor(/first line|reading/);
      writeFileSync(sshd.knownHostsFile, '');
      proxy.cut();
      expect(await program.ended()).toBe(5);
      const said = `${program.lines.map(({ text }) => text).join('\n')}\n${program.stderr()}`;
      expect(said).toMatch(
        /Somebody must say whether the host key of .* is right, and nobody can be asked\./,
      );
      expect(said).not.toMatch(/CRASHED|"crashed"/);
    }
  });

  it('says when it was refused, and ignores what is typed on; c tries once more', async () => {
    let allowed = true;
    const box = await startAskingServer((login, connection) => {
      if (login.method === 'none') return login.reject(['password']);
      if (login.method === 'password' && allowed && login.password === 'right') return login.accept();
      if (login.method === 'password' && !allowed) connection.end();
      else login.reject(['password']);
    });
    undo.push(() => box.stop());
    const pane = open(`watch box -F ${box.config} --log ${serverLog(box.folder)}`, [80, 24]);
    await pane.waitFor(shows(/Password of me/));
    pane.type('right');
    pane.keys('Enter');
    await pane.waitFor(shows(/first line/));
    allowed = false;
    box.cut();
    await pane.waitFor(shows(/connection lost, login needed/));
    pane.keys('c');
    await pane.waitFor(shows(/Password of me on box:/));
    pane.type('right');
    pane.keys('Enter');
    await pane.waitFor(shows(/It did not work/));
    pane.type('KyRyq');
    pane.keys('Enter');
    const still = pane.capture().join('\n');
    expect(still).toMatch(/It did not work/);
    expect(still).not.toMatch(/Kill this|Relaunch as|KyRyq/);
    const tries = box.connections();
    pane.keys('Escape');
    allowed = true;
    // Esc and a letter in one piece would be Alt and that letter.
    await pane.waitFor((shown) => !shows(/Log in to/)(shown) && shows(/no connection \(c tries\)/)(shown));
    expect(box.connections()).toBe(tries);
    pane.keys('c');
    await pane.waitFor(shows(/Password of me on box:/));
    pane.type('right');
    pane.keys('Enter');
    await pane.waitFor((shown) => !shows(/Log in to/)(shown) && shows(/connected/)(shown));
    expect(box.connections()).toBe(tries + 1);
  });

  it('asks for a real sshd key that is new on the way back, and never takes a changed one', async () => {
    const sshd: Sshd = await startSshd();
    undo.push(() => sshd.stop());
    const proxy = await startLinkProxy(sshd.port);
    undo.push(() => proxy.stop());
    const config = sshd.configBehind(proxy);
    const log = serverLog(sshd.folder);
    const pane = open(`watch box -F ${config} --log ${log}`);
    await pane.waitFor(shows(/first line/));
    writeFileSync(sshd.knownHostsFile, '');
    proxy.cut();
    await pane.waitFor(shows(/connection lost, login needed/));
    pane.keys('c');
    await pane.waitFor(shows(/is not known yet[\s\S]*SHA256:/));
    pane.type('yes');
    pane.keys('Enter');
    await pane.waitFor((shown) => !shows(/Log in to/)(shown) && shows(/connected/)(shown));
    expect(readFileSync(sshd.knownHostsFile, 'utf8')).toContain(sshd.hostKeys.ed25519);

    const other = makeKey(join(sshd.folder, 'other'));
    writeFileSync(sshd.knownHostsFile, `[127.0.0.1]:${sshd.port} ${other}\n`);
    proxy.cut();
    await pane.waitFor(shows(/no connection \(c tries\)/));
    const tries = proxy.connections;
    pane.keys('c');
    await pane.waitFor(shows(/has changed/));
    await pane.waitFor(shows(/It did not work/));
    expect(proxy.connections).toBe(tries + 1);
    pane.keys('Escape');
    await pane.waitFor((shown) => !shows(/Log in to/)(shown));
    writeFileSync(sshd.knownHostsFile, sshd.knownHosts);
    pane.keys('c');
    await pane.waitFor((shown) => !shows(/Log in to/)(shown) && shows(/connected/)(shown));
  });
});
