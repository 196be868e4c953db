import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type AuthContext, type Connection } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeKeyPair } from '../../src/demo/ssh-keys.js';
import { connectHost } from '../../src/host/connect.js';
import { type InteractiveRound, noPrompts, type Prompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { available } from '../support/available.js';

// A server of ssh2's, because a real sshd asks for passwords only with root's PAM.
describe.skipIf(!available('ssh'))('questions during the login', () => {
  let folder: string;
  let close: () => Promise<void> = async () => {};
  const hostKey = makeKeyPair('test');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-login-'));
  });
  afterEach(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Listens, judges logins by `judge`, answers each command with `in`; returns a config for `-F`. */
  async function serve(judge: (login: AuthContext, connection: Connection) => void): Promise<string> {
    const connections = new Set<Connection>();
    const server = new ssh2.Server({ hostKeys: [hostKey.privateKey] }, (connection) => {
      connections.add(connection);
      connection.on('error', () => {});
      connection.on('close', () => connections.delete(connection));
      connection.on('authentication', (login) => judge(login, connection));
      connection.on('session', (accept) => {
        accept().on('exec', (acceptExec) => {
          const channel = acceptExec();
          channel.write('in\n');
          channel.exit(0);
          channel.end();
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    close = async () => {
      for (const connection of connections) connection.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    const address = server.address() as { port: number };
    const config = join(folder, 'config');
    writeFileSync(join(folder, 'known'), `[127.0.0.1]:${address.port} ${hostKey.publicKey}\n`);
    writeFileSync(
      config,
      `Host *\n Port ${address.port}\n User me\n IdentityFile none\n IdentityAgent none\n UserKnownHostsFile ${folder}/known\n GlobalKnownHostsFile /dev/null\n`,
    );
    return config;
  }

  async function logIn(configFile: string, prompts: Prompts) {
    const host = await connectHost({ label: '127.0.0.1', configFile }, { prompts });
    try {
      return (await run(host, 'x')).stdout;
    } finally {
      await host.close();
    }
  }

  it('asks for a password, again after a wrong one', async () => {
    const config = await serve((login) => {
      if (login.method === 'password' && login.password === 'right') login.accept();
      else login.reject(['password']);
    });
    const attempts: [string, string, number][] = [];
    const prompts: Prompts = {
      ...noPrompts,
      canAsk: true,
      password: async (...question) => {
        attempts.push(question);
        return question[2] === 1 ? 'wrong' : 'right';
      },
    };
    expect(await logIn(config, prompts)).toBe('in\n');
    expect(attempts).toEqual([
      ['me', '127.0.0.1', 1],
      ['me', '127.0.0.1', 2],
    ]);
  });

  it('asks three times at most, and not again after a no', async () => {
    const config = await serve((login) => login.reject(['password']));
    let asked = 0;
    const answering = (answer: string | null): Prompts => ({
      ...noPrompts,
      canAsk: true,
      password: async () => {
        asked++;
        return answer;
      },
    });
    await expect(logIn(config, answering('wrong'))).rejects.toMatchObject({ code: 'login-failed' });
    expect(asked).toBe(3);
    asked = 0;
    await expect(logIn(config, answering(null))).rejects.toMatchObject({ code: 'login-failed' });
    expect(asked).toBe(1);
  });

  it('passes several rounds of questions after a key, with the texts made harmless', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(join(folder, 'id'), privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
    const config = await serve((login) => {
      if (login.method === 'publickey') {
        if (login.signature === undefined) login.accept();
        else login.reject(['keyboard-interactive'], true);
      } else if (login.method === 'keyboard-interactive') {
        login.prompt(
          [{ prompt: 'Code:\u001b[2J ', echo: true }],
          'Second\u0007 factor',
          'Look at\nyour phone',
          ([code]) => {
            login.prompt([{ prompt: 'PIN: ', echo: false }], ([pin]) =>
              code === '123' && pin === '9' ? login.accept() : login.reject(),
            );
          },
        );
      } else login.reject(keyAccepted(login) ? ['keyboard-interactive'] : ['publickey']);
    });
    let noneCalls = 0;
    function keyAccepted(login: AuthContext): boolean {
      return login.method === 'none' && ++noneCalls > 1;
    }
    const rounds: InteractiveRound[] = [];
    const prompts: Prompts = {
      ...noPrompts,
      canAsk: true,
      interactive: async (round) => {
        rounds.push(round);
        return round.prompts[0]?.text === 'PIN:' ? ['9'] : ['123'];
      },
    };
    const host = await connectHost(
      { label: '127.0.0.1', configFile: config, identityFile: join(folder, 'id') },
      { prompts },
    );
    await host.close();
    expect(rounds).toEqual([
      {
        host: '127.0.0.1',
        name: 'Second factor',
        instructions: 'Look at your phone',
        prompts: [{ text: 'Code: [2J', echo: true }],
      },
      { host: '127.0.0.1', name: '', instructions: '', prompts: [{ text: 'PIN:', echo: false }] },
    ]);
  });

  it('refuses headless with a word about what the server wanted', async () => {
    const config = await serve((login) => login.reject(['password', 'keyboard-interactive']));
    const refused = await logIn(config, noPrompts).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'login-failed' });
    expect(String(refused)).toMatch(/no terminal/);
  });

  it('does not show what was typed when a login fails', async () => {
    const config = await serve((login) => login.reject(['password']));
    const prompts: Prompts = { ...noPrompts, canAsk: true, password: async () => 'hunter2' };
    const refused = await logIn(config, prompts).catch((error: unknown) => error);
    expect(JSON.stringify(refused, Object.getOwnPropertyNames(refused as object))).not.toContain('hunter2');
  });

  it('connects to a server of our own by the key that it was given, and to no other', async () => {
    const login = makeKeyPair('test');
    const wanted = ssh2.utils.parseKey(login.publicKey);
    if (wanted instanceof Error) throw wanted;
    const config = await serve((attempt) => {
      if (attempt.method === 'publickey' && attempt.key.data.equals(wanted.getPublicSSH())) attempt.accept();
      else attempt.reject(['publickey']);
    });
    const port = Number(
      /Port (\d+)/.exec(await import('node:fs').then((fs) => fs.readFileSync(config, 'utf8')))?.[1],
    );
    const spec = {
      label: 'demo@127.0.0.1',
      port,
      trusted: { hostKey: hostKey.publicKey, privateKey: login.privateKey },
    };
    const host = await connectHost(spec, { prompts: noPrompts });
    expect((await run(host, 'x')).stdout).toBe('in\n');
    await host.close();

    const other = makeKeyPair('test');
    const impostor = { ...spec, trusted: { hostKey: other.publicKey, privateKey: login.privateKey } };
    await expect(connectHost(impostor, { prompts: noPrompts })).rejects.toMatchObject({
      code: 'host-key-changed',
    });
    const stranger = { ...spec, trusted: { hostKey: hostKey.publicKey, privateKey: other.privateKey } };
    await expect(connectHost(stranger, { prompts: noPrompts })).rejects.toMatchObject({
      code: 'login-failed',
    });
  });
});
