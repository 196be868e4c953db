import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import { isFinal, openQuestion } from '../../src/host/failures.js';
import type { Host, LinkLoss } from '../../src/host/host.js';
import { noPrompts, type Prompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import type { HostSpec } from '../../src/host/spec.js';
import { available } from '../support/available.js';
import { startLinkProxy } from '../support/link-proxy.js';
import { firedup } from '../support/program.js';
import { makeKey, type Sshd, type SshdOptions, startSshd } from '../support/sshd.js';
import { until } from '../support/until.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))("the system's ssh", () => {
  const undo: (() => Promise<unknown> | unknown)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  async function box(options: SshdOptions = {}): Promise<Sshd> {
    const sshd = await startSshd(options);
    undo.push(() => sshd.stop());
    return sshd;
  }
  /** Where its sockets are made, so that a test sees what is left. */
  function runtimeFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'fu-run-'));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }
  const environment = (more: Record<string, string | undefined> = {}) => ({
    ...process.env,
    SSH_AUTH_SOCK: undefined,
    ...more,
  });
  async function open(
    spec: Partial<HostSpec> & { configFile: string },
    options: {
      prompts?: Prompts;
      notice?: (text: string) => void;
      env?: Record<string, string | undefined>;
    } = {},
  ): Promise<Host> {
    const host = await connectHost(
      { label: '127.0.0.1', ...spec },
      { prompts: noPrompts, env: environment(), ...options },
    );
    undo.push(() => host.close());
    return host;
  }

  it('is taken for a user certificate, says why, and leaves nothing behind', async () => {
    const sshd = await box({ config: ['TrustedUserCAKeys %d/user_ca.pub'] });
    const mine = join(sshd.folder, 'certified');
    makeKey(mine);
    execFileSync('ssh-keygen', ['-q', '-s', sshd.userCa, '-I', 'me', '-n', sshd.user, `${mine}.pub`]);
    const configFile = sshd.sshConfig('Host *', `  IdentityFile ${mine}`, '  IdentitiesOnly yes');
    writeFileSync(sshd.authorizedKeys, '');
    await expect(open({ configFile, transport: 'ssh2' })).rejects.toMatchObject({
      code: 'login-failed',
    });

    const notices: string[] = [];
    const folder = runtimeFolder();
    const env = environment({ XDG_RUNTIME_DIR: folder });
    const host = await open({ configFile }, { notice: (line) => notices.push(line), env });
    expect(notices).toEqual([`Connecting by the system's ssh: ${mine}-cert.pub is a user certificate.`]);
    expect(await run(host, 'echo in; echo err >&2; exit 3')).toMatchObject({
      code: 3,
      stdout: 'in\n',
      stderr: 'err\n',
    });
    expect(readdirSync(folder)).toHaveLength(1);
    await host.close();
    expect(readdirSync(folder)).toEqual([]);
    await expect(host.exec('true')).rejects.toMatchObject({ code: 'host-closed' });
  });

  it('is taken for a host that only a certificate authority vouches for', async () => {
    const sshd = await box({ hostCertificate: true });
    const known = join(sshd.folder, 'ca_known');
    writeFileSync(known, `@cert-authority [127.0.0.1]:${sshd.port} ${sshd.hostCa}\n`);
    const configFile = sshd.sshConfig('Host *', `  UserKnownHostsFile ${known}`);
    await expect(open({ configFile, transport: 'ssh2' })).rejects.toMatchObject({
      code: 'host-key-unknown',
    });
    const notices: string[] = [];
    const host = await open({ configFile }, { notice: (line) => notices.push(line) });
    expect(notices.join()).toMatch(/known by a certificate authority only/);
    expect((await run(host, 'echo in')).stdout).toBe('in\n');
  });

  it('is taken when ssh2 and the server have no algorithm in common', async () => {
    const sshd = await box({ config: ['KexAlgorithms sntrup761x25519-sha512@openssh.com'] });
    const notices: string[] = [];
    const host = await open({ configFile: sshd.sshConfig() }, { notice: (line) => notices.push(line) });
    expect(notices.join()).toMatch(/none of the algorithms/);
    expect((await run(host, 'echo in')).stdout).toBe('in\n');
  });

  it('is not taken where ssh2 will do', async () => {
    const sshd = await box();
    const notices: string[] = [];
    await open({ configFile: sshd.sshConfig() }, { notice: (line) => notices.push(line) });
    expect(notices).toEqual([]);
  });

  it.each([1, 2, 10])('keeps everything on one connection with MaxSessions %i', async (count) => {
    const sshd = await box({ config: [`MaxSessions ${count}`] });
    const host = await open({ configFile: sshd.sshConfig(), transport: 'ssh' });
    const long = await Promise.all(Array.from({ length: 3 }, () => host.exec('cat')));
    const done = await Promise.all(Array.from({ length: 6 }, (_, i) => run(host, `echo ${i}`)));
    expect(done.map(({ stdout }) => stdout.trim())).toEqual(['0', '1', '2', '3', '4', '5']);
    for (const channel of long) {
      const heard = text(channel.stdout);
      channel.stderr.resume();
      channel.stdin.end('said\n');
      expect(await heard).toBe('said\n');
      expect(await channel.exited).toEqual({ code: 0, signal: null, lost: false });
    }
    expect(sshd.log().match(/Accepted publickey/g)).toHaveLength(1);
  });

  it("tells a command's own 255 from a lost link and from a signal", async () => {
    const sshd = await box();
    const host = await open({ configFile: sshd.sshConfig(), transport: 'ssh' });
    expect(await run(host, 'exit 255')).toMatchObject({ code: 255, lost: false });
    expect(await run(host, 'kill -KILL $$')).toMatchObject({ code: null, lost: false });
  });

  it('tells forbidden forwarding from a closed port, and forwards to an open one', async () => {
    const sshd = await box();
    const host = await open({ configFile: sshd.sshConfig(), transport: 'ssh' });
    const stream = await host.forward(sshd.port);
    const [first] = await Promise.race([
      new Promise<[Buffer]>((resolve) => stream.once('data', (chunk: Buffer) => resolve([chunk]))),
    ]);
    expect(first.toString()).toMatch(/^SSH-2.0/);
    stream.destroy();
    await expect(host.forward(1)).rejects.toMatchObject({ code: 'forward-refused' });
    const strict = await box({ config: ['AllowTcpForwarding no'] });
    const other = await open({ configFile: strict.sshConfig(), transport: 'ssh' });
    await expect(other.forward(strict.port)).rejects.toMatchObject({ code: 'forward-forbidden' });
  });

  it.each(['cut', 'reset', 'blackhole'] as const)('reports a link that goes by %s', async (how) => {
    const sshd = await box();
    const proxy = await startLinkProxy(sshd.port);
    undo.push(() => proxy.stop());
    const configFile = sshd.configBehind(proxy);
    const host = await open({ label: 'box', configFile, transport: 'ssh' });
    const lost = new Promise<LinkLoss>((resolve) => host.onDown(resolve));
    const running = await host.exec('cat');
    running.stdout.resume();
    running.stderr.resume();
    const since = performance.now();
    proxy[how]();
    const { reason } = await lost;
    expect(reason).toMatch(how === 'blackhole' ? /nothing heard for 8 s/ : /closed|reset/);
    expect(performance.now() - since).toBeLessThan(20_000);
    expect(await running.exited).toMatchObject({ code: null, lost: true });
    const refused = await host.exec('true').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'link-lost' });
    expect(isFinal(refused)).toBe(false);
  });

  it('refuses changed, revoked and unknown host keys, also with --accept-new', async () => {
    const sshd = await box();
    const at = `[127.0.0.1]:${sshd.port}`;
    const foreign = makeKey(join(sshd.folder, 'foreign'));
    const known = join(sshd.folder, 'other_known');
    const configFile = sshd.sshConfig(
      'Host *',
      `  UserKnownHostsFile ${known}`,
      '  StrictHostKeyChecking no',
    );
    const attempt = (acceptNew: boolean) =>
      open({ configFile, transport: 'ssh', acceptNew }).catch((error: unknown) => error);
    writeFileSync(known, `${at} ${foreign}\n`);
    const changed = await attempt(true);
    expect(changed).toMatchObject({ code: 'host-key-changed', exitCode: 5 });
    expect(String(changed)).toContain(known);
    expect(isFinal(changed)).toBe(true);
    writeFileSync(known, `${at} ${sshd.hostKeys.ed25519}\n@revoked * ${sshd.hostKeys.ed25519}\n`);
    expect(await attempt(true)).toMatchObject({ code: 'host-key-revoked' });
    const asking = sshd.sshConfig('Host *', `  UserKnownHostsFile ${known}`);
    writeFileSync(known, '');
    await expect(open({ configFile: asking, transport: 'ssh' })).rejects.toMatchObject({
      code: 'host-key-unknown',
    });
  });

  it('asks its questions through us, echoes nothing and asks again after a wrong answer', async () => {
    const sshd = await box();
    const locked = join(sshd.folder, 'locked');
    writeFileSync(sshd.authorizedKeys, `${makeKey(locked, 'ed25519', 'open sesame')}\n`);
    const known = join(sshd.folder, 'new_known');
    const configFile = sshd.sshConfig(
      'Host *',
      `  IdentityFile ${locked}`,
      '  IdentitiesOnly yes',
      `  UserKnownHostsFile ${known}`,
    );
    const asked: unknown[] = [];
    const prompts: Prompts = {
      ...noPrompts,
      canAsk: true,
      confirmHostKey: async (question) => {
        asked.push(question);
        return true;
      },
      passphrase: async (file, attempt) => {
        asked.push([file, attempt]);
        return attempt === 1 ? 'wrong' : 'open sesame';
      },
    };
    const host = await open({ configFile, transport: 'ssh' }, { prompts });
    expect((await run(host, 'echo in')).stdout).toBe('in\n');
    expect(asked).toEqual([
      {
        host: `[127.0.0.1]:${sshd.port}`,
        type: 'ED25519',
        fingerprint: expect.stringMatching(/^SHA256:[\w+/]{43}$/),
      },
      [locked, 1],
      [locked, 2],
    ]);
    expect(existsSync(known)).toBe(true);
  });

  it('asks nothing headless and says that the login failed', async () => {
    const sshd = await box();
    const locked = join(sshd.folder, 'locked');
    writeFileSync(sshd.authorizedKeys, `${makeKey(locked, 'ed25519', 'open sesame')}\n`);
    const configFile = sshd.sshConfig('Host *', `  IdentityFile ${locked}`, '  IdentitiesOnly yes');
    const refused = await open({ configFile, transport: 'ssh' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'login-failed',
      exitCode: 5,
      hint: `Unlock the key first: ssh-add ${locked}`,
    });
    expect(openQuestion(refused)).toMatch(/passphrase/);
  });

  it('leaves no ssh and no folder behind when we are killed', async () => {
    const sshd = await box();
    const configFile = sshd.sshConfig();
    const folder = runtimeFolder();
    const log = join(sshd.folder, 'server.log');
    writeFileSync(log, 'a line\n');
    const program = firedup(
      ['wait', sshd.label, '-F', configFile, '--transport', 'ssh', '--log', log, '--timeout', '60s'],
      { env: { XDG_RUNTIME_DIR: folder } },
    );
    await program.waitFor(/server.log/);
    expect(readdirSync(folder).length).toBeGreaterThan(0);
    const running = () =>
      execFileSync('ps', ['axo', 'pid,args'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
        .split('\n')
        .filter((line) => line.includes(folder));
    expect(running().length).toBeGreaterThan(1);
    program.signal('SIGKILL');
    await program.ended();
    await until(() => running().length === 0, 'no ssh is left');
    await until(() => readdirSync(folder).every((name) => name.startsWith('.')), 'no folder is left');
  });

  it('passes jump hosts', async () => {
    const [inner, outer] = await Promise.all([box(), box()]);
    const configFile = inner.sshConfig(
      'Host door',
      '  HostName 127.0.0.1',
      `  Port ${outer.port}`,
      `  IdentityFile ${outer.clientKey}`,
      `  UserKnownHostsFile ${outer.knownHostsFile}`,
      'Host box',
      '  HostName 127.0.0.1',
      '  ProxyJump door',
    );
    const host = await open({ label: 'box', configFile, transport: 'ssh' });
    expect((await run(host, 'echo in')).stdout).toBe('in\n');
    expect(outer.log()).toMatch(/Accepted publickey/);
  });
});
