import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { available } from '../support/available.js';
import { startLinkProxy } from '../support/link-proxy.js';
import { firedup, stopPrograms } from '../support/program.js';
import { makeKey, type Sshd, startSshd } from '../support/sshd.js';
import { startTail } from '../support/tail.js';
import { openTmux } from '../support/tmux.js';
import { until } from '../support/until.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

// The built program at servers that give a login little time, or few at once.
describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'procfs'))(
  'a login at a server that limits it',
  () => {
    afterAll(stopPrograms);

    async function box({ onTestFinished }: TestContext, ...config: readonly string[]): Promise<Sshd> {
      const sshd = await startSshd({ config });
      onTestFinished(() => sshd.stop());
      return sshd;
    }

    async function behindProxy({ onTestFinished }: TestContext, sshd: Sshd) {
      const proxy = await startLinkProxy(sshd.port);
      onTestFinished(() => proxy.stop());
      const config = sshd.configBehind(proxy);
      return { proxy, config };
    }

    /** Takes up one of the server's places for connections that are not logged in; returns what gives it back. */
    async function squat({ onTestFinished }: TestContext, port: number): Promise<() => void> {
      const socket = net.connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('data', resolve));
      onTestFinished(() => void socket.destroy());
      return () => socket.destroy();
    }

    it.concurrent.for(['ssh2', 'ssh'])(
      'says by %s that the login took too long over a slow way: exit code 5',
      async (transport, test) => {
        const sshd = await box(test, 'LoginGraceTime 5');
        const { proxy, config } = await behindProxy(test, sshd);
        proxy.delay(700);
        const program = firedup(['wait', 'box', '-F', config, '--transport', transport, '--log', '/x']);
        expect(await program.ended()).toBe(5);
        expect(program.stderr()).toMatch(/box ended the connection during the login/);
        expect(program.stderr()).toMatch(/LoginGraceTime/);
        expect(program.stderr()).not.toMatch(/\n\s+at /);
      },
    );

    it.skipIf(!available('tmux')).concurrent.for(['ssh2', 'ssh'])(
      'says by %s that the answer to a question came too late, and gives the terminal back',
      async (transport, test) => {
        const sshd = await box(test, 'LoginGraceTime 10');
        const locked = join(sshd.folder, 'locked');
        appendFileSync(sshd.authorizedKeys, `${makeKey(locked, 'ed25519', 'open sesame')}\n`);
        const config = join(sshd.folder, 'locked_config');
        writeFileSync(
          config,
          `Host *\n User ${sshd.user}\n Port ${sshd.port}\n IdentityFile ${locked}\n IdentityAgent none\n UserKnownHostsFile ${sshd.knownHostsFile}\n`,
        );
        const pane = openTmux({
          command: `${process.execPath} ${bin} wait 127.0.0.1 -F ${config} --transport ${transport} --log /x; echo "code $?"; exec cat`,
          columns: 120,
          env: { XDG_STATE_HOME: sshd.folder },
        });
        test.onTestFinished(() => pane.close());
        await pane.waitFor((rows) => /passphrase/i.test(rows.join('\n')));
        // ssh itself looks at its connection only when it has the answer.
        if (transport === 'ssh') {
          await until(() => closedByServer(sshd.port), 'the server has given up');
          pane.type('open sesame');
          pane.keys('Enter');
        }
        const done = (await pane.waitFor((rows) => /code \d/.test(rows.join('\n')))).join('\n');
        expect(done).toMatch(/ended the connection during the login[\s\S]*code 5/);
        expect(done).not.toContain('sesame');
        expect(pane.isRaw()).toBe(false);
        pane.type('seen again');
        await pane.waitFor((rows) => rows.join('\n').includes('seen again'));
      },
    );

    it.concurrent.for(['ssh2', 'ssh'])(
      'says by %s that the server takes no more for now (MaxStartups), at the first connection',
      async (transport, test) => {
        const sshd = await box(test, 'MaxStartups 1:100:1');
        await squat(test, sshd.port);
        const words = ['-F', sshd.sshConfig(), '--transport', transport, '--log', '/x'];
        const program = firedup(['wait', sshd.label, ...words]);
        expect(await program.ended()).toBe(5);
        expect(program.stderr()).toMatch(/MaxStartups/);
        expect(program.stderr()).toMatch(/try again/);
      },
    );

    it.concurrent('tries again after a loss, with growing waits, until the server takes it (MaxStartups)', async (test) => {
      const sshd = await box(test, 'MaxStartups 1:100:1');
      const { proxy, config } = await behindProxy(test, sshd);
      const folder = mkdtempSync(join(tmpdir(), 'firedup-startups-'));
      test.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const log = join(folder, 'server.log');
      writeFileSync(log, 'one\n');
      const tail = startTail(['box', '-F', config, '--log', log, '-n', '+1']);
      test.onTestFinished(() => tail.stop());
      await tail.waitForBytes(4);
      const leave = await squat(test, sshd.port);
      const [before, since] = [proxy.connections, performance.now()];
      proxy.cut();
      appendFileSync(log, 'two\n');
      await until(() => proxy.connections >= before + 2, 'it has tried twice');
      // 1 s and 2 s, each 30 % less at the most.
      expect(performance.now() - since).toBeGreaterThan(2000);
      leave();
      await tail.waitForError(/connected again/);
      await tail.waitForBytes(8);
      expect(tail.bytes().toString()).toBe('one\ntwo\n');
      expect(proxy.connections).toBeLessThanOrEqual(before + 4);
      expect(tail.stderr()).not.toMatch(/gap|for good/);
    });
  },
);

/** Whether somebody has not yet noticed that the server on `port` has closed (from /proc/net/tcp: CLOSE_WAIT). */
function closedByServer(port: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return new RegExp(` 0100007F:${hex} 08 `).test(readFileSync('/proc/net/tcp', 'utf8'));
}
