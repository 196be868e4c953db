import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import { isFinal, openQuestion } from '../../src/host/failures.js';
import { keyring } from '../../src/host/keyring.js';
import { noPrompts, type Prompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import type { HostSpec } from '../../src/host/spec.js';
import { fromPkcs8 } from '../../src/host/ssh/pkcs8.js';
import { available } from '../support/available.js';
import { type SshAgent, startSshAgent } from '../support/ssh-agent.js';
import { makeKey, type Sshd, startSshd } from '../support/sshd.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'ssh-agent'))('the login', () => {
  let sshd: Sshd;
  let agent: SshAgent | null = null;

  beforeEach(async () => {
    sshd = await startSshd();
  });
  afterEach(async () => {
    await agent?.stop();
    agent = null;
    await sshd.stop();
  });

  const path = (name: string) => join(sshd.folder, name);

  /** A config without the key that works, but with `lines`. */
  function config(...lines: readonly string[]): string {
    const file = path('login_config');
    const own = [
      ...lines,
      `User ${sshd.user}`,
      `Port ${sshd.port}`,
      `UserKnownHostsFile ${sshd.knownHostsFile}`,
      'GlobalKnownHostsFile /dev/null',
    ];
    writeFileSync(file, `Host *\n${own.map((line) => `  ${line}\n`).join('')}`);
    return file;
  }

  async function logIn(
    configFile: string,
    prompts: Prompts = noPrompts,
    env: Record<string, string | undefined> = {},
    more: Partial<HostSpec> = {},
  ) {
    const { SSH_AUTH_SOCK: _own, ...rest } = process.env;
    const host = await connectHost(
      { label: '127.0.0.1', configFile, ...more },
      { prompts, env: { ...rest, ...env } },
    );
    try {
      return (await run(host, 'echo in')).stdout;
    } finally {
      await host.close();
    }
  }

  const withPassphrases = (...answers: readonly (string | null)[]) => {
    const asked: [string, number][] = [];
    const prompts: Prompts = {
      ...noPrompts,
      canAsk: true,
      passphrase: async (file, attempt) => {
        asked.push([file, attempt]);
        return answers[attempt - 1] ?? null;
      },
    };
    return { prompts, asked };
  };

  it.each(['ed25519', 'ecdsa', 'rsa'] as const)('works by a key file of type %s', async (type) => {
    appendFileSync(sshd.authorizedKeys, `${makeKey(path('mine'), type)}\n`);
    expect(await logIn(config(`IdentityFile ${path('mine')}`))).toBe('in\n');
  });

  it('works by a key file in the old PEM form', async () => {
    appendFileSync(sshd.authorizedKeys, `${makeKey(path('mine'), 'rsa', '', '-m', 'PEM')}\n`);
    expect(readFileSync(path('mine'), 'utf8')).toContain('BEGIN RSA PRIVATE KEY');
    expect(await logIn(config(`IdentityFile ${path('mine')}`))).toBe('in\n');
  });

  it.each([
    ['ed25519', []],
    ['ecdsa', []],
    ['rsa', []],
    ['ecdsa', ['-m', 'PEM']],
    ['rsa', ['-m', 'PEM']],
    ['ecdsa', ['-m', 'PKCS8']],
    ['rsa', ['-m', 'PKCS8']],
  ] as const)(
    'asks for the passphrase of an encrypted %s key %j, again after a wrong one',
    async (type, more) => {
      appendFileSync(sshd.authorizedKeys, `${makeKey(path('mine'), type, 'open sesame', ...more)}\n`);
      const { prompts, asked } = withPassphrases('wrong', 'open sesame');
      expect(await logIn(config(`IdentityFile ${path('mine')}`), prompts)).toBe('in\n');
      expect(asked).toEqual([
        [path('mine'), 1],
        [path('mine'), 2],
      ]);
    },
  );

  it.each(['ed25519', 'ec', 'rsa'] as const)(
    'works by a PKCS#8 file of type %s, open or locked',
    async (type) => {
      const { privateKey, publicKey } = pair(type);
      const key = ssh2.utils.parseKey(
        fromPkcs8(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
      );
      if (key instanceof Error) throw key;
      appendFileSync(sshd.authorizedKeys, `${key.type} ${key.getPublicSSH().toString('base64')}\n`);
      expect(publicKey.asymmetricKeyType).toBe(type);
      writeFileSync(path('open'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
      expect(await logIn(config(`IdentityFile ${path('open')}`))).toBe('in\n');

      const locked = privateKey.export({
        type: 'pkcs8',
        format: 'pem',
        cipher: 'aes-256-cbc',
        passphrase: 'open sesame',
      });
      writeFileSync(path('locked'), locked, { mode: 0o600 });
      const { prompts, asked } = withPassphrases('wrong', 'open sesame');
      expect(await logIn(config(`IdentityFile ${path('locked')}`), prompts)).toBe('in\n');
      expect(asked.map(([, attempt]) => attempt)).toEqual([1, 2]);
    },
  );

  it('goes on with its work while a key with many rounds is unlocked', async () => {
    // Some five seconds of bcrypt.
    appendFileSync(sshd.authorizedKeys, `${makeKey(path('slow'), 'ed25519', 'open sesame', '-a', '200')}\n`);
    let ticks = 0;
    let during = 0;
    const timer = setInterval(() => ticks++, 20);
    const prompts: Prompts = {
      ...noPrompts,
      canAsk: true,
      passphrase: async () => {
        during = ticks;
        return 'open sesame';
      },
    };
    expect(await logIn(config(`IdentityFile ${path('slow')}`), prompts)).toBe('in\n');
    clearInterval(timer);
    expect(ticks - during).toBeGreaterThan(20);
  });

  it('says which key of the agent is of a kind that it cannot use', async () => {
    agent = await startSshAgent(path('agent'));
    makeKey(path('ca'));
    makeKey(path('mine'));
    execFileSync('ssh-keygen', ['-q', '-s', path('ca'), '-I', 'me', '-n', sshd.user, `${path('mine')}.pub`]);
    agent.add(path('mine'));
    const refused = await logIn(
      config('IdentityFile none'),
      noPrompts,
      { SSH_AUTH_SOCK: agent.socket },
      { transport: 'ssh2' },
    ).catch((error: unknown) => error);
    expect(String(refused)).toMatch(/ssh-ed25519-cert-v01@openssh.com, which is not supported/);
  });

  it('does not ask for the passphrase of a key that the server would not take', async () => {
    makeKey(path('unwanted'), 'ed25519', 'secret');
    const { prompts, asked } = withPassphrases('secret');
    expect(
      await logIn(config(`IdentityFile ${path('unwanted')}`, `IdentityFile ${sshd.clientKey}`), prompts),
    ).toBe('in\n');
    expect(asked).toEqual([]);
    await expect(logIn(config(`IdentityFile ${path('unwanted')}`), prompts)).rejects.toMatchObject({
      code: 'login-failed',
    });
    expect(asked).toEqual([]);
  });

  it('does not ask again on a later connection with the same keyring, unless the file has changed', async () => {
    appendFileSync(sshd.authorizedKeys, `${makeKey(path('mine'), 'ed25519', 'first')}\n`);
    const configFile = config(`IdentityFile ${path('mine')}`, 'IdentityAgent none');
    const { prompts, asked } = withPassphrases('first');
    const ring = keyring();
    const logInWith = async (asker: Prompts) => {
      const host = await connectHost({ label: '127.0.0.1', configFile }, { prompts: asker, keyring: ring });
      await host.close();
    };
    await logInWith(prompts);
    await logInWith(noPrompts);
    expect(asked).toHaveLength(1);

    rmSync(path('mine'));
    appendFileSync(sshd.authorizedKeys, `${makeKey(path('mine'), 'ed25519', 'second')}\n`);
    await expect(logInWith(noPrompts)).rejects.toMatchObject({ code: 'login-failed' });
  });

  it('says headless which key is locked, and what to do', async () => {
    appendFileSync(sshd.authorizedKeys, `${makeKey(path('mine'), 'ed25519', 'secret')}\n`);
    const refused = await logIn(config(`IdentityFile ${path('mine')}`)).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'login-failed',
      exitCode: 5,
      hint: expect.stringContaining('ssh-add'),
    });
    expect(String(refused)).toContain(path('mine'));
    expect(isFinal(refused)).toBe(true);
    expect(openQuestion(refused)).toMatch(/passphrase/);
  });

  it('asks nothing with BatchMode', async () => {
    appendFileSync(sshd.authorizedKeys, `${makeKey(path('mine'), 'ed25519', 'secret')}\n`);
    const { prompts, asked } = withPassphrases('secret');
    const refused = logIn(config(`IdentityFile ${path('mine')}`, 'BatchMode yes'), prompts);
    await expect(refused).rejects.toMatchObject({ code: 'login-failed' });
    expect(asked).toEqual([]);
  });

  it('works by the agent', async () => {
    agent = await startSshAgent(path('agent'));
    agent.add(sshd.clientKey);
    expect(await logIn(config('IdentityFile none'), noPrompts, { SSH_AUTH_SOCK: agent.socket })).toBe('in\n');
    expect(await logIn(config('IdentityFile none', `IdentityAgent ${agent.socket}`))).toBe('in\n');
    await expect(
      logIn(config('IdentityFile none', 'IdentityAgent none'), noPrompts, { SSH_AUTH_SOCK: agent.socket }),
    ).rejects.toMatchObject({
      code: 'login-failed',
    });
  });

  it('works by the agent for an RSA key', async () => {
    appendFileSync(sshd.authorizedKeys, `${makeKey(path('mine'), 'rsa')}\n`);
    agent = await startSshAgent(path('agent'));
    agent.add(path('mine'));
    expect(await logIn(config('IdentityFile none'), noPrompts, { SSH_AUTH_SOCK: agent.socket })).toBe('in\n');
  });

  it('is not locked out by seven foreign keys in the agent', async () => {
    agent = await startSshAgent(path('agent'));
    const foreign = Array.from({ length: 7 }, (_, i) => path(`foreign${i}`));
    for (const key of foreign) makeKey(key);
    agent.add(...foreign);
    const env = { SSH_AUTH_SOCK: agent.socket };
    // The key is a file: before the foreign ones.
    expect(await logIn(config(`IdentityFile ${sshd.clientKey}`), noPrompts, env)).toBe('in\n');
    // It is in the agent, as the last: the config names it.
    agent.add(sshd.clientKey);
    expect(await logIn(config(`IdentityFile ${sshd.clientKey}`), noPrompts, env)).toBe('in\n');
    // It is in the agent only; all that the config names is its public half.
    rmSync(sshd.clientKey);
    expect(await logIn(config(`IdentityFile ${sshd.clientKey}`), noPrompts, env)).toBe('in\n');
    expect(sshd.log()).not.toMatch(/Failed publickey.*\n.*Failed publickey/);
  });

  it.each(['ssh2', 'ssh'] as const)(
    'offers by %s the one key that IdentitiesOnly leaves of the eight in the agent',
    async (transport) => {
      agent = await startSshAgent(path('agent'));
      const foreign = Array.from({ length: 7 }, (_, i) => path(`foreign${i}`));
      for (const key of foreign) makeKey(key);
      agent.add(...foreign, sshd.clientKey);
      rmSync(sshd.clientKey);
      const only = config(`IdentityFile ${sshd.clientKey}`, 'IdentitiesOnly yes');
      const env = { SSH_AUTH_SOCK: agent.socket };
      expect(await logIn(only, noPrompts, env, { transport })).toBe('in\n');
      expect(sshd.log()).not.toMatch(/Failed publickey/);
    },
  );

  it('offers no foreign key with IdentitiesOnly', async () => {
    agent = await startSshAgent(path('agent'));
    agent.add(sshd.clientKey);
    makeKey(path('unwanted'));
    const only = config(`IdentityFile ${path('unwanted')}`, 'IdentitiesOnly yes');
    await expect(logIn(only, noPrompts, { SSH_AUTH_SOCK: agent.socket })).rejects.toMatchObject({
      code: 'login-failed',
    });
  });

  it('stops before the server does, and says how many keys were left', async () => {
    agent = await startSshAgent(path('agent'));
    const foreign = Array.from({ length: 9 }, (_, i) => path(`foreign${i}`));
    for (const key of foreign) makeKey(key);
    agent.add(...foreign);
    const refused = await logIn(config('IdentityFile none'), noPrompts, {
      SSH_AUTH_SOCK: agent.socket,
    }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'login-failed', hint: expect.stringContaining('IdentityFile') });
    expect(isFinal(refused)).toBe(true);
    expect(String(refused)).toContain('3 more keys were not tried');
  });

  it('goes on with key files when the agent is dead', async () => {
    expect(
      await logIn(config(`IdentityFile ${sshd.clientKey}`), noPrompts, { SSH_AUTH_SOCK: path('nobody') }),
    ).toBe('in\n');
  });

  it('goes on to the next key when one file is of no use', async () => {
    writeFileSync(path('junk'), 'not a key');
    const both = config(
      `IdentityFile ${path('junk')}`,
      `IdentityFile ${path('missing')}`,
      `IdentityFile ${sshd.clientKey}`,
    );
    expect(await logIn(both)).toBe('in\n');
    await expect(logIn(config(`IdentityFile ${path('junk')}`))).rejects.toThrow(/junk/);
  });

  it.each(['ssh2', 'ssh'] as const)(
    'by %s takes no private key that others can read, and says which',
    async (transport) => {
      const configFile = config(`IdentityFile ${sshd.clientKey}`);
      chmodSync(sshd.clientKey, 0o640);
      const refused = logIn(configFile, noPrompts, {}, { transport });
      await expect(refused).rejects.toMatchObject({ code: 'login-failed' });
      if (transport === 'ssh2')
        await expect(refused).rejects.toThrow(
          `${sshd.clientKey} can be read by others (mode 0640): chmod 600`,
        );
      chmodSync(sshd.clientKey, 0o600);
      expect(await logIn(configFile, noPrompts, {}, { transport })).toBe('in\n');
    },
  );

  it('passes a server that wants two keys', async () => {
    const two = await startSshd({ config: ['AuthenticationMethods publickey,publickey'] });
    try {
      const second = makeKey(join(two.folder, 'second'));
      appendFileSync(two.authorizedKeys, `${second}\n`);
      const configFile = two.sshConfig('Host *', `  IdentityFile ${join(two.folder, 'second')}`);
      const host = await connectHost(
        { label: '127.0.0.1', configFile },
        { prompts: noPrompts, env: { ...process.env, SSH_AUTH_SOCK: undefined } },
      );
      expect((await run(host, 'echo in')).stdout).toBe('in\n');
      await host.close();
    } finally {
      await two.stop();
    }
  });

  it('that is refused is final, and says who, where and what was tried', async () => {
    makeKey(path('unwanted'));
    const refused = await logIn(config(`IdentityFile ${path('unwanted')}`)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'login-failed', exitCode: 5 });
    expect(isFinal(refused)).toBe(true);
    expect(String(refused)).toMatch(
      new RegExp(
        `127.0.0.1 refused the login of ${sshd.user}: tried: .*unwanted; the server takes publickey`,
      ),
    );
  });

  it('does not wait for ever at a server that closes during the login', async () => {
    const strict = await startSshd({ config: ['LoginGraceTime 2'] });
    try {
      appendFileSync(strict.authorizedKeys, `${makeKey(join(strict.folder, 'locked'), 'ed25519', 'x')}\n`);
      let answerLate: (passphrase: string) => void = () => {};
      const late = new Promise<string>((resolve) => {
        answerLate = resolve;
      });
      const prompts: Prompts = { ...noPrompts, canAsk: true, passphrase: () => late };
      const file = path('strict_config');
      writeFileSync(
        file,
        `Host *\n Port ${strict.port}\n IdentityFile ${join(strict.folder, 'locked')}\n UserKnownHostsFile ${strict.knownHostsFile}\n`,
      );
      chmodSync(file, 0o600);
      const refused = await connectHost({ label: '127.0.0.1', configFile: file }, { prompts }).catch(
        (error: unknown) => error,
      );
      expect(refused).toMatchObject({ code: 'closed-by-host', exitCode: 5 });
      // The answer that comes then must do no harm (a fault would be an unhandled rejection).
      answerLate('x');
      await late;
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      await strict.stop();
    }
  });
});

function pair(type: 'ed25519' | 'ec' | 'rsa') {
  if (type === 'ed25519') return generateKeyPairSync('ed25519');
  return type === 'ec'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 });
}
