import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectionError } from '../../../src/errors.js';
import { LoginRefused } from '../../../src/host/login-refused.js';
import { resolveDestination } from '../../../src/host/ssh/config.js';
import { whySystemSsh, whySystemSshAfter } from '../../../src/host/ssh/why-system-ssh.js';
import { available } from '../../support/available.js';
import { startSshAgent } from '../../support/ssh-agent.js';
import { makeKey } from '../../support/sshd.js';

describe.skipIf(!available('ssh', 'ssh-keygen', 'ssh-agent'))("what needs the system's ssh", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-why-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const path = (name: string) => join(folder, name);
  const destination = (...lines: readonly string[]) => {
    const own = [
      ...lines,
      `UserKnownHostsFile ${path('known')}`,
      'GlobalKnownHostsFile none',
      'IdentityFile none',
    ];
    writeFileSync(path('config'), own.join('\n'));
    return resolveDestination(
      { label: 'gpu', configFile: path('config') },
      { ...process.env, SSH_AUTH_SOCK: undefined },
    );
  };
  const why = async (...lines: readonly string[]) => whySystemSsh([await destination(...lines)]);

  it('is nothing of the usual', async () => {
    makeKey(path('id'));
    expect(await why(`IdentityFile ${path('id')}`, 'GSSAPIAuthentication yes')).toBeNull();
  });

  it('is a security key', async () => {
    writeFileSync(path('id_sk'), 'a key handle');
    writeFileSync(path('id_sk.pub'), 'sk-ssh-ed25519@openssh.com AAAA me\n');
    expect(await why(`IdentityFile ${path('id_sk')}`)).toMatch(/id_sk is on a security key/);
  });

  it('is a user certificate: named, beside its key, or in the agent', async () => {
    makeKey(path('ca'));
    makeKey(path('id'));
    execFileSync('ssh-keygen', ['-q', '-s', path('ca'), '-I', 'me', '-n', 'me', `${path('id')}.pub`]);
    expect(await why(`IdentityFile ${path('id')}`)).toMatch(/id-cert.pub is a user certificate/);
    expect(await why(`CertificateFile ${path('id-cert.pub')}`)).toMatch(/id-cert.pub is a user certificate/);
    expect(await why(`CertificateFile ${path('none-cert.pub')}`)).toBeNull();
    const agent = await startSshAgent(path('agent'));
    try {
      agent.add(path('id'));
      expect(await why(`IdentityAgent ${agent.socket}`)).toMatch(/the agent holds a user certificate/);
      expect(await why(`IdentityAgent ${agent.socket}`, 'IdentitiesOnly yes')).toBeNull();
    } finally {
      await agent.stop();
    }
  });

  it('is a host that a certificate authority alone vouches for', async () => {
    const ca = makeKey(path('ca'));
    writeFileSync(path('known'), `@cert-authority gpu ${ca}\n`);
    expect(await why()).toMatch(/gpu is known by a certificate authority only/);
    writeFileSync(path('known'), `@cert-authority gpu ${ca}\ngpu ${ca}\n`);
    expect(await why()).toBeNull();
  });

  it('is an option that ssh2 does not have, at any machine on the way', async () => {
    expect(await why('KnownHostsCommand /bin/keys %H')).toMatch(/KnownHostsCommand/);
    expect(await why('PKCS11Provider /lib/p11.so')).toMatch(/PKCS11Provider/);
    expect(await why('BindAddress 127.0.0.9')).toMatch(/BindAddress/);
    expect(await why('BindInterface lo')).toMatch(/BindInterface/);
    const [plain, special] = [await destination(), await destination('PKCS11Provider /lib/p11.so')];
    expect(await whySystemSsh([special, plain])).toMatch(/PKCS11Provider/);
  });

  it('is a ticket, where config and server take one and there is one', async () => {
    const refused = (...offered: string[]) =>
      connectionError('login-failed', 'no', undefined, new LoginRefused(offered, null));
    const tickets = [await destination('GSSAPIAuthentication yes')];
    const none = [await destination('GSSAPIAuthentication no')];
    const env = { KRB5CCNAME: path('cache') };
    expect(whySystemSshAfter(refused('gssapi-with-mic'), tickets, env)).toMatch(/Kerberos/);
    expect(whySystemSshAfter(refused('publickey'), tickets, env)).toBeNull();
    expect(whySystemSshAfter(refused('gssapi-with-mic'), none, env)).toBeNull();
    expect(whySystemSshAfter(connectionError('host-key-changed', 'no'), tickets, env)).toBeNull();
  });
});
