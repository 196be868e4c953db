import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nothingInCommon, usualAlgorithms } from '../../../src/host/ssh/algorithms.js';
import { resolveDestination } from '../../../src/host/ssh/config.js';
import { signatureAlgorithms } from '../../../src/host/ssh/signature-algorithms.js';
import { whySystemSsh } from '../../../src/host/ssh/why-system-ssh.js';
import { available } from '../../support/available.js';

describe('the algorithms that the ssh config allows', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-algorithms-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const destination = (lines: string, env: Record<string, string | undefined> = process.env) => {
    const configFile = join(folder, 'config');
    writeFileSync(
      configFile,
      `${lines}\nGlobalKnownHostsFile none\nUserKnownHostsFile none\nIdentityFile none\n`,
    );
    return resolveDestination({ label: 'gpu', configFile }, { ...env, SSH_AUTH_SOCK: undefined });
  };
  const without = { ...process.env, PATH: '/nowhere' };

  it('are all known to ssh2, be they usual or not', async () => {
    const has = createRequire(import.meta.url)('ssh2/lib/protocol/constants.js') as Record<string, string[]>;
    const all = 'KexAlgorithms *\nCiphers *\nMACs *\nHostKeyAlgorithms *\nPubkeyAcceptedAlgorithms *';
    const { algorithms } = await destination(all, without);
    expect(has.SUPPORTED_KEX).toEqual(expect.arrayContaining([...algorithms.kex]));
    expect(has.SUPPORTED_CIPHER).toEqual(expect.arrayContaining([...algorithms.ciphers]));
    expect(has.SUPPORTED_MAC).toEqual(expect.arrayContaining([...algorithms.macs]));
    expect(has.SUPPORTED_SERVER_HOST_KEY).toEqual(expect.arrayContaining([...algorithms.hostKeys]));
    expect(algorithms.ciphers).toContain('aes256-cbc');
    expect(algorithms.hostKeys).not.toContain('ssh-rsa');
  });

  it.skipIf(!available('ssh'))(
    'are the usual ones where the config says nothing, the cheapest cipher first',
    async () => {
      const { algorithms } = await destination('');
      expect(algorithms).toEqual(usualAlgorithms());
      expect(algorithms.ciphers[0]).toBe('aes128-gcm@openssh.com');
      expect(nothingInCommon('gpu', algorithms)).toBeNull();
    },
  );

  const same: readonly (readonly [string, string, string, readonly string[]])[] = [
    [
      'a list, in its order',
      'Ciphers aes256-ctr,chacha20-poly1305@openssh.com,aes128-ctr',
      'ciphers',
      ['aes256-ctr', 'chacha20-poly1305@openssh.com', 'aes128-ctr'],
    ],
    ['what ssh2 lacks is left out', 'MACs umac-64@openssh.com,hmac-sha2-512', 'macs', ['hmac-sha2-512']],
    [
      'less than the defaults',
      'KexAlgorithms -curve25519*,diffie*,sntrup*,mlkem*',
      'kex',
      ['ecdh-sha2-nistp256', 'ecdh-sha2-nistp384', 'ecdh-sha2-nistp521'],
    ],
    [
      'a former name',
      'PubkeyAcceptedKeyTypes rsa-sha2-256,ssh-rsa',
      'publicKeys',
      ['rsa-sha2-256', 'ssh-rsa'],
    ],
  ];
  it.skipIf(!available('ssh')).each(same)(
    'are read alike with and without an ssh program: %s',
    async (_name, line, kind, names) => {
      expect((await destination(line)).algorithms[kind as 'kex']).toEqual(names);
      expect((await destination(line, without)).algorithms[kind as 'kex']).toEqual(names);
    },
  );

  it.skipIf(!available('ssh'))('have more or others in front by + and ^', async () => {
    for (const env of [process.env, without]) {
      expect((await destination('Ciphers +aes256-cbc', env)).algorithms.ciphers.slice(-1)).toEqual([
        'aes256-cbc',
      ]);
      expect((await destination('Ciphers ^aes256-ctr', env)).algorithms.ciphers[0]).toBe('aes256-ctr');
      expect((await destination('Ciphers ^aes256-ctr', env)).algorithms.ciphers).toHaveLength(6);
    }
  });

  it.skipIf(!available('ssh')).each([
    ['HostKeyAlgorithms ssh-rsa', /HostKeyAlgorithms ssh-rsa/],
    ['MACs umac-128@openssh.com', /MACs umac-128@openssh.com/],
    ['PubkeyAcceptedAlgorithms sk-ssh-ed25519@openssh.com', /PubkeyAcceptedAlgorithms/],
    ['PreferredAuthentications gssapi-with-mic', /no way to log in/],
    ['VerifyHostKeyDNS yes', /DNS may vouch/],
    ['HostbasedAuthentication yes', /HostbasedAuthentication/],
    ['RekeyLimit 1G 1h', /RekeyLimit/],
    ['CheckHostIP yes', /CheckHostIP/],
  ])("lead to the system's ssh where they leave ssh2 nothing: %s", async (line, why) => {
    expect(await whySystemSsh([await destination(line)])).toMatch(why);
    expect(await whySystemSsh([await destination(line, without)])).toMatch(why);
  });

  it.skipIf(!available('ssh'))(
    'do not lead there where the config only repeats what is so already',
    async () => {
      const lines = [
        'RekeyLimit default none',
        'CheckHostIP no',
        'VerifyHostKeyDNS no',
        'HostbasedAuthentication no',
      ];
      expect(await whySystemSsh([await destination(lines.join('\n'))])).toBeNull();
    },
  );

  it.skipIf(!available('ssh')).each([process.env, without])(
    'come with the order of methods and the limits',
    async (env) => {
      const lines =
        'PreferredAuthentications password,gssapi-with-mic,publickey\nRequiredRSASize 3072\nNumberOfPasswordPrompts 1';
      expect(await destination(lines, env)).toMatchObject({
        methods: ['password', 'publickey'],
        requiredRsaBits: 3072,
        passwordTries: 1,
      });
      expect(
        await destination('ChallengeResponseAuthentication no\nPubkeyAuthentication no', env),
      ).toMatchObject({
        methods: ['password'],
      });
    },
  );
});

describe('the signature algorithms of a login key', () => {
  const both = ['ssh-ed25519', 'rsa-sha2-512', 'rsa-sha2-256'];
  it.each([
    [
      'what the config prefers',
      'ssh-rsa',
      both,
      ['rsa-sha2-256', 'rsa-sha2-512'],
      ['rsa-sha2-512', 'rsa-sha2-256'],
    ],
    ['what the server takes', 'ssh-rsa', both, ['ssh-ed25519', 'rsa-sha2-256'], ['rsa-sha2-256']],
    ['nothing where it takes no RSA', 'ssh-rsa', both, ['ssh-ed25519'], []],
    ['all where it says nothing', 'ssh-rsa', both, null, ['rsa-sha2-512', 'rsa-sha2-256']],
    [
      'SHA-2 of OpenSSH 7.4, which does not say it',
      'ssh-rsa',
      both,
      ['ssh-rsa'],
      ['rsa-sha2-512', 'rsa-sha2-256'],
    ],
    ['never SHA-1 but where the config has it', 'ssh-rsa', ['ssh-rsa'], ['ssh-rsa'], ['ssh-rsa']],
    ['the one of its type', 'ssh-ed25519', both, [], ['ssh-ed25519']],
    ['none that the config leaves out', 'ecdsa-sha2-nistp256', both, null, []],
  ] as const)('are %s', (_name, type, accepted, announced, expected) => {
    expect(signatureAlgorithms(type, accepted, announced)).toEqual(expected);
  });
});
