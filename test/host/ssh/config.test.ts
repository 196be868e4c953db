import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveDestination } from '../../../src/host/ssh/config.js';
import { expandPath } from '../../../src/host/ssh/tokens.js';
import { available } from '../../support/available.js';

const home = userInfo().homedir;

describe('ssh config', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-config-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const write = (text: string, name = 'config'): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const resolve = (
    label: string,
    text: string,
    more: object = {},
    env: Record<string, string | undefined> = process.env,
  ) => resolveDestination({ label, configFile: write(text), ...more }, env);

  describe.skipIf(!available('ssh'))('as ssh -G resolves it', () => {
    it('gives an alias its name, user, port and key', async () => {
      const text =
        'Host gpu\n HostName %h.example\n User ops\n Port 2222\n IdentityFile ~/.ssh/id_%h_%r\n IdentitiesOnly yes\n HostKeyAlias farm\n HashKnownHosts yes\n ConnectTimeout 7\n ConnectionAttempts 3\n';
      expect(await resolve('gpu', text)).toMatchObject({
        label: 'gpu',
        host: 'gpu.example',
        user: 'ops',
        port: 2222,
        identityFiles: [`${home}/.ssh/id_gpu.example_ops`],
        identitiesOnly: true,
        hostKeyAlias: 'farm',
        hashKnownHosts: true,
        connectTimeoutMs: 7000,
        connectionAttempts: 3,
        unknownKeys: 'ask',
        jumps: [],
      });
    });

    it('lets the label and -p win over the config', async () => {
      const text = 'Host *\n User ops\n Port 2222\n';
      expect(await resolve('me@gpu:23', text)).toMatchObject({ user: 'me', host: 'gpu', port: 23 });
      expect(await resolve('me@gpu:23', text, { port: 24 })).toMatchObject({ port: 24 });
    });

    it('follows Include and Match', async () => {
      const part = write('Match user root\n Port 99\n', 'part');
      expect(await resolve('root@gpu', `Include ${part}\n`)).toMatchObject({ port: 99 });
    });

    it('puts the key of -i first', async () => {
      const key = write('', 'my key');
      const { identityFiles } = await resolve('gpu', 'Host *\n IdentityFile /other\n', { identityFile: key });
      expect(identityFiles).toEqual([key, '/other']);
      await expect(resolve('gpu', '', { identityFile: join(folder, 'missing') })).rejects.toMatchObject({
        code: 'usage',
      });
    });

    it.each([
      ['yes', 'refuse'],
      ['ask', 'ask'],
      ['accept-new', 'accept'],
      ['no', 'accept'],
      ['off', 'accept'],
    ])('reads StrictHostKeyChecking %s as %s', async (value, unknownKeys) => {
      expect(await resolve('gpu', `StrictHostKeyChecking ${value}\n`)).toMatchObject({ unknownKeys });
    });

    it('reads the lists of known hosts files', async () => {
      const text = 'UserKnownHostsFile ~/.ssh/a /b/c\nGlobalKnownHostsFile none\n';
      expect(await resolve('gpu', text)).toMatchObject({
        userKnownHosts: [`${home}/.ssh/a`, '/b/c'],
        globalKnownHosts: [],
      });
    });

    it('finds the agent: IdentityAgent, else SSH_AUTH_SOCK', async () => {
      const env = { ...process.env, SSH_AUTH_SOCK: '/run/agent', MINE: '/run/mine' };
      expect(await resolve('gpu', '', {}, env)).toMatchObject({ agentSocket: '/run/agent' });
      expect(await resolve('gpu', 'IdentityAgent none\n', {}, env)).toMatchObject({ agentSocket: null });
      expect(await resolve('gpu', 'IdentityAgent ~/a\n', {}, env)).toMatchObject({
        agentSocket: `${home}/a`,
      });
      expect(await resolve('gpu', 'IdentityAgent $MINE\n', {}, env)).toMatchObject({
        agentSocket: '/run/mine',
      });
      expect(await resolve('gpu', 'IdentityAgent SSH_AUTH_SOCK\n', {}, env)).toMatchObject({
        agentSocket: '/run/agent',
      });
      expect(await resolve('gpu', 'IdentityAgent $'.concat('{MINE}/sock\n'), {}, env)).toMatchObject({
        agentSocket: '/run/mine/sock',
      });
    });

    it('finds an agent whose path has a variable in it without an ssh program, too', async () => {
      const file = join(folder, 'agent_config');
      writeFileSync(file, 'IdentityAgent $'.concat('{MINE}/%u.sock\n'));
      const { username } = userInfo();
      expect(
        await resolveDestination({ label: 'gpu', configFile: file }, { PATH: folder, MINE: '/run/mine' }),
      ).toMatchObject({ hasSsh: false, agentSocket: `/run/mine/${username}.sock` });
    });

    it('reads jump hosts from the config and from -J', async () => {
      expect(await resolve('gpu', 'Host gpu\n ProxyJump a,me@b:23\n')).toMatchObject({
        jumps: ['a', 'me@b:23'],
      });
      expect(await resolve('gpu', 'Host gpu\n ProxyJump a\n', { jump: 'c' })).toMatchObject({ jumps: ['c'] });
      expect(await resolve('gpu', 'Host gpu\n ProxyJump none\n')).toMatchObject({ jumps: [] });
    });

    it('puts host, port and user into a ProxyCommand', async () => {
      const text = 'Host gpu\n HostName 10.0.0.7\n ProxyCommand nc %h %p # %r %n\n';
      expect(await resolve('me@gpu', text)).toMatchObject({ proxyCommand: 'nc 10.0.0.7 22 # me gpu' });
      expect(await resolve('gpu', 'ProxyCommand none\n')).toMatchObject({ proxyCommand: null });
    });

    it('reads what only the system ssh can do, and what the config forbids', async () => {
      const text =
        'CertificateFile ~/a-cert.pub\nRevokedHostKeys /krl\nPasswordAuthentication no\nBatchMode yes\n';
      expect(await resolve('gpu', text)).toMatchObject({
        certificateFiles: [`${home}/a-cert.pub`],
        revokedHostKeys: '/krl',
        methods: ['publickey', 'keyboard-interactive'],
        batchMode: true,
        onlySystemSsh: null,
        notes: [],
      });
      expect(await resolve('gpu', 'RevokedHostKeys none\n')).toMatchObject({ revokedHostKeys: null });
      expect(await resolve('gpu', 'PKCS11Provider /lib.so\n')).toMatchObject({
        onlySystemSsh: 'PKCS11Provider',
      });
    });

    it.each([
      ['', 2, 8000],
      ['ServerAliveInterval 1\nServerAliveCountMax 5\n', 1, 5000],
      ['ServerAliveInterval 1\nServerAliveCountMax 1\n', 1, 3000],
      ['ServerAliveInterval 60\n', 2, 8000],
    ])('lets %j make the limits of silence tighter only', async (text, intervalSeconds, silentMs) => {
      expect(await resolve('gpu', text)).toMatchObject({ alive: { intervalSeconds, silentMs } });
    });

    it("shows ssh's own words for a bad config", async () => {
      await expect(resolve('gpu', 'NoSuchOption yes\n')).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(/nosuchoption/i),
      });
    });

    it('lets no host name become an option', async () => {
      const mark = join(folder, 'mark');
      await expect(resolve(`-oProxyCommand=touch ${mark}`, '')).rejects.toMatchObject({ code: 'usage' });
      await expect(resolve('gpu', '', { jump: `-oProxyCommand=touch ${mark}` })).rejects.toMatchObject({
        code: 'usage',
      });
      const { existsSync } = await import('node:fs');
      expect(existsSync(mark)).toBe(false);
    });
  });

  it('reads the config itself where there is no ssh program, and says what is left out', async () => {
    const destination = await resolveDestination(
      { label: 'me@gpu:2222', acceptNew: true, configFile: 'none' },
      { PATH: folder, SSH_AUTH_SOCK: '/run/agent' },
    );
    expect(destination).toMatchObject({
      host: 'gpu',
      port: 2222,
      user: 'me',
      unknownKeys: 'accept',
      agentSocket: '/run/agent',
      notes: [expect.stringContaining('No ssh program')],
    });
    expect(destination.userKnownHosts).toContain(`${home}/.ssh/known_hosts`);
    expect(destination.identityFiles).toContain(`${home}/.ssh/id_ed25519`);
  });

  it('expands tokens and variables in paths', () => {
    const values = {
      originalHost: 'gpu',
      host: 'gpu.example',
      port: 22,
      user: 'ops',
      hostKeyAlias: null,
      env: { KEYS: '/keys' },
    };
    expect(expandPath('~/k/%n-%h-%p-%r-%%', values)).toBe(`${home}/k/gpu-gpu.example-22-ops-%`);
    expect(expandPath('$'.concat('{KEYS}/%k'), values)).toBe('/keys/gpu');
    expect(() => expandPath('%z', values)).toThrow(/%z/);
    expect(() => expandPath('$'.concat('{NOPE}'), values)).toThrow(/NOPE/);
  });
});
