import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import { noPrompts, type Prompts } from '../../src/host/prompts.js';
import type { HostSpec } from '../../src/host/spec.js';
import { available } from '../support/available.js';
import { makeKey, type Sshd, startSshd } from '../support/sshd.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('what the ssh config allows a login', () => {
  let sshd: Sshd;
  beforeAll(async () => {
    sshd = await startSshd({ hostKeys: ['ed25519', 'rsa'], config: ['LogLevel DEBUG1'] });
  });
  afterAll(() => sshd?.stop());

  const env = { ...process.env, SSH_AUTH_SOCK: undefined };

  /** `in`, or the code of the error; what was said meanwhile; which way it took. */
  async function ours(
    configFile: string,
    more: Partial<HostSpec> = {},
    ownEnv: Record<string, string | undefined> = env,
  ) {
    const notices: string[] = [];
    const notice = (text: string) => notices.push(text);
    try {
      const host = await connectHost(
        { label: '127.0.0.1', configFile, ...more },
        { prompts: noPrompts, env: ownEnv, notice },
      );
      await host.close();
      return { end: 'in', words: '', notices: notices.join('\n') };
    } catch (error) {
      return {
        end: String((error as { code?: unknown }).code),
        words: String(error),
        notices: notices.join('\n'),
      };
    }
  }

  const realSsh = (config: string): Promise<string> =>
    new Promise((resolve) => {
      const args = ['-F', config, '-o', 'BatchMode=yes', '127.0.0.1', 'true'];
      execFile('ssh', args, { env }, (error, _stdout, stderr) => resolve(error === null ? 'in' : stderr));
    });

  const config = (...lines: readonly string[]) =>
    sshd.sshConfig('Host *', ...lines.map((line) => `  ${line}`));

  it.each([
    ['no-common-algorithm', ['Ciphers aes256-cbc']],
    ['no-common-algorithm', ['HostKeyAlgorithms ssh-rsa']],
    ['no-common-algorithm', ['HostKeyAlgorithms ecdsa-sha2-nistp256']],
    ['no-common-algorithm', ['KexAlgorithms diffie-hellman-group1-sha1']],
    ['no-common-algorithm', ['MACs hmac-md5', 'Ciphers aes128-ctr']],
    ['login-failed', ['PubkeyAcceptedAlgorithms ecdsa-sha2-nistp256']],
    ['login-failed', ['PreferredAuthentications password']],
    ['login-failed', ['PubkeyAuthentication no']],
  ])('is no more than ssh would take: %s by %j', async (code, lines) => {
    const file = config(...lines);
    expect(await realSsh(file)).not.toBe('in');
    expect(await ours(file)).toMatchObject({ end: code });
    expect(await ours(file, { transport: 'ssh2' })).toMatchObject({ end: code });
  });

  it('is named where a login fails by it', async () => {
    const { words } = await ours(config('PreferredAuthentications password'));
    expect(words).toMatch(
      /nothing could be tried; the server takes publickey; the ssh config allows password/,
    );
    expect((await ours(config('PubkeyAcceptedAlgorithms rsa-sha2-512'))).words).toMatch(
      /client: PubkeyAcceptedAlgorithms leaves its kind out/,
    );
  });

  it('is used by ssh2 in the order of the config', async () => {
    const lines = [
      'Ciphers aes256-ctr,aes128-ctr',
      'MACs hmac-sha2-512',
      'KexAlgorithms ecdh-sha2-nistp384',
      'HostKeyAlgorithms rsa-sha2-256',
    ];
    const before = sshd.log().length;
    expect(await ours(config(...lines))).toEqual({ end: 'in', words: '', notices: '' });
    const log = sshd.log().slice(before);
    expect(log).toMatch(/kex: algorithm: ecdh-sha2-nistp384/);
    expect(log).toMatch(/kex: host key algorithm: rsa-sha2-256/);
    expect(log).toMatch(/client->server cipher: aes256-ctr MAC: hmac-sha2-512/);
  });

  it('does not make a host look changed that is known by its RSA key, within the list', async () => {
    const known = join(sshd.folder, 'rsa_known');
    writeFileSync(known, `[127.0.0.1]:${sshd.port} ${sshd.hostKeys.rsa}\n`);
    const trusting = (list: string) => config(`UserKnownHostsFile ${known}`, `HostKeyAlgorithms ${list}`);
    expect(await ours(trusting('ssh-ed25519,rsa-sha2-512'))).toMatchObject({ end: 'in', notices: '' });
    const only = trusting('ssh-ed25519');
    expect(await realSsh(only)).toMatch(/IDENTIFICATION HAS CHANGED/);
    expect(await ours(only)).toMatchObject({ end: 'host-key-changed' });
  });

  it("goes by the system's ssh, with a line, where ssh2 has nothing of it", async () => {
    const file = config('MACs umac-128-etm@openssh.com', 'Ciphers aes128-ctr');
    expect(await ours(file)).toMatchObject({
      end: 'in',
      notices:
        "Connecting by the system's ssh: ssh2 has nothing of what the ssh config allows: MACs umac-128-etm@openssh.com.",
    });
    // Never by ssh2's own defaults.
    const refused = await ours(file, { transport: 'ssh2' });
    expect(refused).toMatchObject({ end: 'no-common-algorithm' });
    expect(refused.words).toMatch(/only what ssh2 does not have: MACs umac-128/);
    const alone = await ours(file, {}, { ...env, PATH: '/nowhere' });
    expect(alone).toMatchObject({ end: 'no-common-algorithm' });
    expect(alone.notices).toMatch(/There is no ssh program, which would be needed: .*MACs umac-128/);
  });

  it("refuses RSA keys that RequiredRSASize finds short, the host's and ours", async () => {
    const rsaHost = config('HostKeyAlgorithms rsa-sha2-512', 'RequiredRSASize 3072');
    expect(await realSsh(rsaHost)).toMatch(/Invalid key length/);
    const refused = await ours(rsaHost, { transport: 'ssh2' });
    expect(refused).toMatchObject({ end: 'host-key-refused' });
    expect(refused.words).toMatch(/has 2048 bits, and RequiredRSASize asks for 3072/);

    const mine = join(sshd.folder, 'mine_rsa');
    const before = readFileSync(sshd.authorizedKeys, 'utf8');
    writeFileSync(sshd.authorizedKeys, `${makeKey(mine, 'rsa')}\n`);
    const key = (bits: number) =>
      config(`IdentityFile ${mine}`, 'IdentitiesOnly yes', `RequiredRSASize ${bits}`);
    expect(await realSsh(key(2048))).toBe('in');
    expect(await ours(key(2048))).toMatchObject({ end: 'in' });
    expect(await realSsh(key(3072))).toMatch(/Permission denied/);
    const short = await ours(key(3072));
    expect(short).toMatchObject({ end: 'login-failed' });
    expect(short.words).toMatch(/mine_rsa: it has 2048 bits/);
    writeFileSync(sshd.authorizedKeys, before);
  });

  describe.each(['rsa-sha2-512', 'rsa-sha2-256'])(
    'with an RSA key at a server that takes %s alone',
    (only) => {
      let strict: Sshd;
      let mine: string;
      beforeAll(async () => {
        strict = await startSshd({
          config: [`PubkeyAcceptedAlgorithms ssh-ed25519,${only}`, 'MaxAuthTries 3'],
        });
        mine = join(strict.folder, 'mine');
        const known = makeKey(mine, 'rsa');
        writeFileSync(strict.authorizedKeys, `${readFileSync(strict.authorizedKeys, 'utf8')}${known}\n`);
      });
      afterAll(() => strict?.stop());
      const keys = (...files: readonly string[]) =>
        strict.sshConfig('Host *', '  IdentitiesOnly yes', ...files.map((file) => `  IdentityFile ${file}`));

      it('logs in', async () => {
        writeFileSync(
          join(strict.folder, 'c'),
          readFileSync(keys(mine), 'utf8').replace(/^ {2}IdentityFile .*client$/m, ''),
        );
        expect(await ours(join(strict.folder, 'c'), { transport: 'ssh2' })).toMatchObject({ end: 'in' });
      });

      it('offers every key once before one comes again', async () => {
        const foreign = join(strict.folder, 'foreign');
        makeKey(foreign, 'rsa');
        // The third try is the last one, and the third key the right one.
        writeFileSync(join(strict.folder, 'authorized_keys'), readFileSync(`${strict.clientKey}.pub`));
        expect(await ours(keys(foreign, mine), { transport: 'ssh2' })).toMatchObject({ end: 'in' });
      });
    },
  );

  it('asks for passwords as often, and in the order, as the config says', async () => {
    const asked: string[] = [];
    const prompts: Prompts = {
      ...noPrompts,
      canAsk: true,
      password: async () => {
        asked.push('password');
        return 'wrong';
      },
    };
    const open = await startSshd({ config: ['PasswordAuthentication yes'] });
    try {
      const file = (order: string) =>
        open.sshConfig('Host *', `  PreferredAuthentications ${order}`, '  NumberOfPasswordPrompts 1');
      const options = { prompts, env };
      const host = await connectHost({ label: '127.0.0.1', configFile: file('publickey,password') }, options);
      await host.close();
      expect(asked).toEqual([]);
      const second = await connectHost(
        { label: '127.0.0.1', configFile: file('password,publickey') },
        options,
      );
      await second.close();
      expect(asked).toEqual(['password']);
      await expect(
        connectHost({ label: '127.0.0.1', configFile: file('password') }, options),
      ).rejects.toMatchObject({ code: 'login-failed' });
      expect(asked).toEqual(['password', 'password']);
    } finally {
      await open.stop();
    }
  });
});
