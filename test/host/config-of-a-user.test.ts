import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { available } from '../support/available.js';
import { freePort, makeKey, type Sshd, startSshd } from '../support/sshd.js';
import { until } from '../support/until.js';

// What people have in their ssh config for a shell on that host, and a shared connection of theirs that is up.
describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('a config made for an interactive ssh', () => {
  let sshd: Sshd;
  let configFile: string;
  let known: string;
  let socket: string;
  let forwarded: number;
  let master: ChildProcess;

  beforeAll(async () => {
    sshd = await startSshd();
    known = join(sshd.folder, 'mine_known');
    socket = join(sshd.folder, 'mine');
    forwarded = await freePort();
    writeFileSync(known, sshd.knownHosts);
    configFile = sshd.sshConfig(
      'Host box',
      '  HostName 127.0.0.1',
      `  UserKnownHostsFile ${known}`,
      '  ControlMaster auto',
      `  ControlPath ${socket}`,
      '  ControlPersist 60',
      '  RemoteCommand tmux attach || tmux new',
      '  RequestTTY force',
      `  LocalForward ${forwarded} 127.0.0.1:${sshd.port}`,
      `  RemoteForward ${await freePort()} 127.0.0.1:${sshd.port}`,
      `  DynamicForward ${await freePort()}`,
      '  ExitOnForwardFailure yes',
      '  ForwardAgent yes',
      '  ForkAfterAuthentication yes',
      '  StdinNull yes',
      '  PermitLocalCommand yes',
      `  LocalCommand touch ${join(sshd.folder, 'local-command')}`,
      '  SetEnv PAGER=less',
      '  LogLevel QUIET',
    );
    const plain = ['PermitLocalCommand=no', 'ControlPersist=no', 'ForkAfterAuthentication=no'].flatMap(
      (option) => ['-o', option],
    );
    master = spawn('ssh', ['-F', configFile, ...plain, '-M', '-N', 'box'], { stdio: 'ignore' });
    await until(() => existsSync(socket), 'the shared connection is up');
  });
  afterAll(async () => {
    master?.kill();
    await sshd?.stop();
  });

  const open = (transport: 'ssh' | 'ssh2') =>
    connectHost({ label: 'box', configFile, transport }, { prompts: noPrompts });
  const masterLives = () => spawnSync('ssh', ['-F', configFile, '-O', 'check', 'box']).status === 0;

  describe.each(['ssh2', 'ssh'] as const)('by %s', (transport) => {
    it('disturbs no command and no port, and leaves the shared connection alone', async () => {
      expect(masterLives()).toBe(true);
      const logins = sshd.log().match(/Accepted publickey/g)?.length ?? 0;
      const host = await open(transport);
      expect(await run(host, 'echo in; test -t 0 || echo no terminal; exit 3')).toMatchObject({
        code: 3,
        stdout: 'in\nno terminal\n',
        stderr: '',
      });
      const stream = await host.forward(sshd.port);
      expect(String(await new Promise((resolve) => stream.once('data', resolve)))).toMatch(/^SSH-2.0/);
      stream.destroy();
      // A connection of its own, not the user's.
      expect(sshd.log().match(/Accepted publickey/g)).toHaveLength(logins + 1);
      await host.close();
      expect(masterLives()).toBe(true);
      expect(existsSync(join(sshd.folder, 'local-command'))).toBe(false);
      // Their forwarded port still leads there.
      const through = net.connect(forwarded, '127.0.0.1');
      expect(String(await new Promise((resolve) => through.once('data', resolve)))).toMatch(/^SSH-2.0/);
      through.destroy();
    });

    it('refuses a changed host key although the shared connection would go by it', async () => {
      writeFileSync(
        known,
        `[127.0.0.1]:${sshd.port} ${makeKey(join(sshd.folder, `foreign.${transport}`))}\n`,
      );
      try {
        // So it would: ssh asks nobody on a connection that is up.
        const rides = ['-F', configFile, '-o', 'RemoteCommand=none', '-T', 'box', 'echo rides'];
        expect(execFileSync('ssh', rides, { encoding: 'utf8' })).toBe('rides\n');
        await expect(open(transport)).rejects.toMatchObject({ code: 'host-key-changed' });
        expect(masterLives()).toBe(true);
      } finally {
        writeFileSync(known, sshd.knownHosts);
      }
    });

    it('nor does the way over a jump host ride on a shared connection to it, or leave one behind', async () => {
      const file = sshd.sshConfig(
        'Host door',
        '  HostName 127.0.0.1',
        `  UserKnownHostsFile ${known}`,
        '  ControlMaster auto',
        `  ControlPath ${join(sshd.folder, 'door')}`,
        '  ControlPersist 60',
        'Host inner',
        '  HostName 127.0.0.1',
        '  ProxyJump door',
      );
      const through = () =>
        connectHost({ label: 'inner', configFile: file, transport }, { prompts: noPrompts });
      const first = await through();
      expect((await run(first, 'echo in')).stdout).toBe('in\n');
      await first.close();
      expect(existsSync(join(sshd.folder, 'door'))).toBe(false);

      const shared = spawn('ssh', ['-F', file, '-o', 'ControlPersist=no', '-M', '-N', 'door'], {
        stdio: 'ignore',
      });
      await until(() => existsSync(join(sshd.folder, 'door')), 'the shared connection is up');
      writeFileSync(known, `[127.0.0.1]:${sshd.port} ${makeKey(join(sshd.folder, `door.${transport}`))}\n`);
      try {
        await expect(through()).rejects.toMatchObject({ code: 'host-key-changed' });
        expect(spawnSync('ssh', ['-F', file, '-O', 'check', 'door']).status).toBe(0);
      } finally {
        writeFileSync(known, sshd.knownHosts);
        const gone = new Promise((resolve) => shared.once('exit', resolve));
        shared.kill();
        await gone;
      }
    });
  });
});
