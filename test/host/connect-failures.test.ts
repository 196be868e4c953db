import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import { isFinal } from '../../src/host/failures.js';
import { keyring } from '../../src/host/keyring.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { configuredHop } from '../../src/host/ssh/hop.js';
import { destinationsTo, openRoute } from '../../src/host/ssh/route.js';
import { available } from '../support/available.js';
import { startLinkProxy } from '../support/link-proxy.js';
import { freePort, type Sshd, startSshd } from '../support/sshd.js';

describe('a connection that fails', () => {
  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  /** Listens on a loopback port and does `greet` to each connection. */
  async function peer(greet: (socket: net.Socket) => void): Promise<string> {
    const sockets = new Set<net.Socket>();
    const server = net.createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      greet(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    undo.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    return `me@127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  }

  const failure = (label: string) =>
    connectHost({ label, configFile: 'none' }, { prompts: noPrompts }).then(
      (host) => host.close(),
      (error: unknown) => error,
    );

  it('says that nothing listens', async () => {
    const error = await failure(`me@127.0.0.1:${await freePort()}`);
    expect(error).toMatchObject({
      code: 'unreachable',
      exitCode: 5,
      message: expect.stringContaining('Nothing listens'),
    });
    expect(isFinal(error)).toBe(false);
  });

  it('says that a name cannot be resolved', async () => {
    const error = await failure('me@no-such-host.invalid');
    expect(error).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('cannot be resolved'),
    });
  });

  it('shows what a peer that is no SSH server says, made harmless', async () => {
    const error = await failure(
      await peer((socket) => socket.end('HTTP/1.1 400 Bad\u001b[31m Request\r\n\r\n')),
    );
    expect(error).toMatchObject({ code: 'not-ssh', exitCode: 5 });
    expect(String(error)).toContain('HTTP/1.1 400 Bad [31m Request');
  });

  it('tells a busy sshd from a wrong port', async () => {
    const error = await failure(await peer((socket) => socket.end('Exceeded MaxStartups\r\n')));
    expect(error).toMatchObject({
      code: 'closed-by-host',
      message: expect.stringContaining('Exceeded MaxStartups'),
    });
    expect(isFinal(error)).toBe(false);
  });

  it('ends when the peer closes without a word', async () => {
    expect(await failure(await peer((socket) => socket.end()))).toMatchObject({ code: 'closed-by-host' });
    expect(await failure(await peer((socket) => socket.resetAndDestroy()))).toMatchObject({ exitCode: 5 });
  });

  it('ends when the peer closes in the handshake', async () => {
    const error = await failure(await peer((socket) => socket.end('SSH-2.0-Test\r\n')));
    expect(error).toMatchObject({ code: 'closed-by-host', message: expect.stringContaining('handshake') });
  });

  it('does not wait for ever at a peer that says nothing', async () => {
    const label = await peer(() => {});
    const limits = { handshakeMs: 200, loginMs: 200, promptMs: 200 };
    const destinations = await destinationsTo({ label, configFile: 'none' }, process.env);
    const route = openRoute(destinations.map(configuredHop), {
      prompts: noPrompts,
      keyring: keyring(),
      env: process.env,
      signal: new AbortController().signal,
      notice: () => {},
      limits,
    });
    await expect(route).rejects.toMatchObject({ code: 'handshake-timeout', exitCode: 5 });
  });

  it('waits for a peer that says nothing no longer than ConnectTimeout', async () => {
    const label = await peer(() => {});
    const folder = mkdtempSync(join(tmpdir(), 'firedup-timeout-'));
    undo.push(async () => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'config'), 'ConnectTimeout 3\n');
    const since = performance.now();
    const connecting = connectHost({ label, configFile: join(folder, 'config') }, { prompts: noPrompts });
    await expect(connecting).rejects.toMatchObject({ code: 'handshake-timeout' });
    // Without it, it would be a quarter of a minute and more.
    expect(performance.now() - since).toBeLessThan(20_000);
  });

  it.skipIf(!available('sshd', 'ssh')).each(['ssh2', 'ssh'] as const)(
    'tries by %s as often as ConnectionAttempts says, and finds a machine that comes up late',
    async (transport) => {
      const sshd = await startSshd();
      undo.push(() => sshd.stop());
      const late = net.createServer((socket) => {
        const there = net.connect(sshd.port, '127.0.0.1');
        socket.pipe(there).pipe(socket);
        for (const end of [socket, there]) end.on('error', () => {});
      });
      const port = await freePort();
      const config = (attempts: number): string =>
        sshd.sshConfig(
          'Host late',
          '  HostName 127.0.0.1',
          `  Port ${port}`,
          `  HostKeyAlias [127.0.0.1]:${sshd.port}`,
          `  ConnectionAttempts ${attempts}`,
        );
      const connect = (attempts: number) =>
        connectHost({ label: 'late', configFile: config(attempts), transport }, { prompts: noPrompts });
      await expect(connect(1)).rejects.toMatchObject({ exitCode: 5 });
      const connecting = connect(30);
      const timer = setTimeout(() => late.listen(port, '127.0.0.1'), 1500);
      undo.push(async () => clearTimeout(timer));
      undo.push(async () => void late.close());
      await (await connecting).close();
    },
  );

  it.skipIf(!available('python3', 'ssh')).each(['ssh2', 'ssh'] as const)(
    'waits by %s for a machine that does not answer no longer than ConnectTimeout',
    async (transport) => {
      // A listener whose queue is full and that takes nobody: further connections are not answered at all.
      const code =
        'import socket, time\ns = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0); print(s.getsockname()[1], flush=True); time.sleep(300)';
      const child = spawn('python3', ['-c', code], { stdio: ['ignore', 'pipe', 'inherit'] });
      undo.push(async () => void child.kill('SIGKILL'));
      const port = Number(String((await once(child.stdout, 'data'))[0]));
      const first = net.connect(port, '127.0.0.1');
      undo.push(async () => void first.destroy());
      await once(first, 'connect');
      const folder = mkdtempSync(join(tmpdir(), 'firedup-timeout-'));
      undo.push(async () => rmSync(folder, { recursive: true, force: true }));
      writeFileSync(join(folder, 'config'), 'ConnectTimeout 2\nIdentityAgent none\n');
      const spec = { label: `me@127.0.0.1:${port}`, configFile: join(folder, 'config'), transport };
      const since = performance.now();
      await expect(connectHost(spec, { prompts: noPrompts })).rejects.toMatchObject({
        code: 'connect-timeout',
        exitCode: 5,
      });
      // Without it, it would be a quarter of a minute and more.
      expect(performance.now() - since).toBeLessThan(12_000);
    },
  );

  it('ends at once when it is aborted', async () => {
    const label = await peer(() => {});
    const stop = new AbortController();
    const connecting = connectHost(
      { label, configFile: 'none' },
      { prompts: noPrompts, signal: stop.signal },
    );
    setTimeout(() => stop.abort(), 50);
    await expect(connecting).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 });
    await expect(connectHost({ label }, { prompts: noPrompts, signal: stop.signal })).rejects.toMatchObject({
      code: 'interrupted',
    });
  });
});

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('jump hosts', () => {
  let inner: Sshd;
  let outer: Sshd;
  beforeEach(async () => {
    [inner, outer] = await Promise.all([startSshd(), startSshd()]);
  });
  afterEach(async () => {
    await inner.stop();
    await outer.stop();
  });

  /** Two hosts with their own keys; each is known under its own name. */
  const config = () =>
    inner.sshConfig(
      'Host door',
      '  HostName 127.0.0.1',
      `  Port ${outer.port}`,
      `  IdentityFile ${outer.clientKey}`,
      '  IdentitiesOnly yes',
      `  UserKnownHostsFile ${outer.knownHostsFile}`,
      'Host box',
      '  HostName 127.0.0.1',
      '  ProxyJump door',
      '  IdentitiesOnly yes',
    );

  it('are passed, each verified and logged in to on its own', async () => {
    const host = await connectHost({ label: 'box', configFile: config() }, { prompts: noPrompts });
    expect((await run(host, 'echo in; head -c 3000000 /dev/zero | wc -c')).stdout).toBe('in\n3000000\n');
    expect(outer.log()).toMatch(/Accepted publickey/);
    expect(inner.log()).toMatch(/Accepted publickey/);
    await host.close();
    await expect.poll(() => outer.log()).toMatch(/Disconnected from user|Received disconnect/);
  });

  it.each(['cut', 'reset'] as const)('report their loss: %s', async (fault) => {
    const proxy = await startLinkProxy(outer.port);
    const through = inner.sshConfig(
      'Host door',
      `  Port ${proxy.port}`,
      '  HostName 127.0.0.1',
      `  HostKeyAlias [127.0.0.1]:${outer.port}`,
      `  IdentityFile ${outer.clientKey}`,
      `  UserKnownHostsFile ${outer.knownHostsFile}`,
      'Host box',
      '  HostName 127.0.0.1',
      '  ProxyJump door',
    );
    const host = await connectHost({ label: 'box', configFile: through }, { prompts: noPrompts });
    const down = new Promise<string>((resolve) => {
      host.onDown(({ reason }) => resolve(reason));
    });
    const running = await host.exec('cat');
    proxy[fault]();
    expect(await down).toBe('the host closed it');
    running.stdout.resume();
    running.stderr.resume();
    expect(await running.exited).toMatchObject({ lost: true });
    await expect(host.exec('true')).rejects.toMatchObject({ code: 'link-lost' });
    await host.close();
    await proxy.stop();
  });

  it('may stand behind a ProxyCommand, which ends with the connection', async () => {
    const mark = join(outer.folder, 'proxy.pid');
    const through = inner.sshConfig(
      'Host box',
      '  HostName 127.0.0.1',
      `  ProxyCommand sh -c 'echo $$ >${mark}; exec ssh -F ${config()} -W %h:%p door'`,
    );
    const host = await connectHost({ label: 'box', configFile: through }, { prompts: noPrompts });
    expect((await run(host, 'echo in; head -c 3000000 /dev/zero | wc -c')).stdout).toBe('in\n3000000\n');
    const pid = Number(readFileSync(mark, 'utf8'));
    const down = new Promise((resolve) => host.onDown(resolve));
    process.kill(pid, 'SIGKILL');
    expect(await down).toMatchObject({ reason: expect.any(String) });
    await host.close();

    const again = await connectHost({ label: 'box', configFile: through }, { prompts: noPrompts });
    const second = Number(readFileSync(mark, 'utf8'));
    await again.close();
    await expect.poll(() => existsSync(`/proc/${second}/exe`)).toBe(false);
  });

  it('show what a ProxyCommand complains of', async () => {
    const through = inner.sshConfig('Host box', '  ProxyCommand sh -c "echo no tunnel here >&2; exit 1"');
    const notices: string[] = [];
    const error = await connectHost(
      { label: 'box', configFile: through },
      { prompts: noPrompts, notice: (text) => notices.push(text) },
    ).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'closed-by-host', exitCode: 5 });
    expect(notices).toContain('ProxyCommand: no tunnel here');
  });

  it('are refused for their own host key', async () => {
    const distrusting = inner.sshConfig(
      'Host door',
      '  HostName 127.0.0.1',
      `  Port ${outer.port}`,
      `  IdentityFile ${outer.clientKey}`,
      'Host box',
      '  HostName 127.0.0.1',
      '  ProxyJump door',
    );
    await expect(
      connectHost({ label: 'box', configFile: distrusting }, { prompts: noPrompts }),
    ).rejects.toMatchObject({
      code: 'host-key-unknown',
      message: expect.stringContaining(`[127.0.0.1]:${outer.port}`),
    });
    expect(inner.log()).not.toMatch(/Connection from/);
  });

  it('say which machine they do not reach', async () => {
    const port = await freePort();
    const error = await connectHost(
      { label: 'box', port, configFile: config() },
      { prompts: noPrompts },
    ).catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: 'jump-failed',
      message: expect.stringContaining(`127.0.0.1:${port}`),
    });
  });
});
