import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import { isFinal } from '../../src/host/failures.js';
import { type HostKeyQuestion, noPrompts, type Prompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { hostField } from '../../src/host/ssh/known-hosts.js';
import { available } from '../support/available.js';
import { makeKey, type Sshd, startSshd } from '../support/sshd.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('host keys', () => {
  let sshd: Sshd;
  let foreign: string;
  let foreignRsa: string;
  let files = 0;

  beforeAll(async () => {
    sshd = await startSshd({ hostKeys: ['ed25519', 'rsa'] });
    foreign = makeKey(join(sshd.folder, 'foreign'), 'ed25519');
    foreignRsa = makeKey(join(sshd.folder, 'foreign_rsa'), 'rsa');
  });
  afterAll(() => sshd?.stop());

  /** A config whose only known hosts file holds `text`. */
  function trusting(
    text: string,
    ...lines: readonly string[]
  ): { readonly config: string; readonly file: string } {
    const file = join(sshd.folder, `known.${++files}`);
    writeFileSync(file, text);
    return {
      file,
      config: sshd.sshConfig('Host *', `  UserKnownHostsFile ${file}`, ...lines.map((line) => `  ${line}`)),
    };
  }

  async function ours(config: string): Promise<string> {
    try {
      const host = await connectHost({ label: '127.0.0.1', configFile: config }, { prompts: noPrompts });
      await host.close();
      return 'known';
    } catch (error) {
      return String((error as { code?: unknown }).code).replace(/^host-key-/, '');
    }
  }

  function realSsh(config: string): Promise<string> {
    const options = ['-o', 'StrictHostKeyChecking=yes', '-o', 'BatchMode=yes', '-o', 'UpdateHostKeys=no'];
    return new Promise((resolve) => {
      execFile('ssh', ['-F', config, ...options, '127.0.0.1', 'true'], (error, _stdout, stderr) => {
        if (error === null) resolve('known');
        else if (/REVOKED HOST KEY/.test(stderr)) resolve('revoked');
        else if (/IDENTIFICATION HAS CHANGED/.test(stderr)) resolve('changed');
        else if (/host key is known for/.test(stderr)) resolve('unknown');
        else resolve(stderr);
      });
    });
  }

  const cases: readonly [string, () => string, string, ...string[]][] = [
    ['plain', () => `${at()} ${ed25519()}\n`, 'known'],
    ['hashed', () => `${hostField(at(), Buffer.alloc(20, 5))} ${ed25519()}\n`, 'known'],
    ['bare name without port', () => `127.0.0.1 ${ed25519()}\n`, 'known'],
    ['bare name with another key', () => `127.0.0.1 ${foreign}\n`, 'unknown'],
    ['RSA only', () => `${at()} ${sshd.hostKeys.rsa}\n`, 'known'],
    ['changed', () => `${at()} ${foreign}\n`, 'changed'],
    ['changed, of another type', () => `${at()} ${foreignRsa}\n`, 'changed'],
    [
      'wrong ed25519 beside the right RSA',
      () => `${at()} ${foreign}\n${at()} ${sshd.hostKeys.rsa}\n`,
      'changed',
    ],
    ['wrong beside right of one type', () => `${at()} ${foreign}\n${at()} ${ed25519()}\n`, 'known'],
    ['revoked', () => `${at()} ${ed25519()}\n@revoked * ${ed25519()}\n`, 'revoked'],
    ['wildcard', () => `[127.0.0.*]:* ${ed25519()}\n`, 'known'],
    ['negation', () => `[127.0.0.*]:*,!${at()} ${ed25519()}\n`, 'unknown'],
    ['certificate authority only', () => `@cert-authority ${at()} ${foreign}\n`, 'unknown'],
    [
      'junk lines',
      () =>
        `\u0000\u0001 junk\n${at()} ssh-ed25519 AAAA\n${at()}\n@what ${at()} ${foreign}\n${at()} ${ed25519()}\n`,
      'known',
    ],
    ['nothing', () => '', 'unknown'],
    ['HostKeyAlias', () => `gpu-7 ${ed25519()}\n`, 'known', 'HostKeyAlias gpu-7'],
    ['HostKeyAlias, and the address known', () => `${at()} ${ed25519()}\n`, 'unknown', 'HostKeyAlias gpu-7'],
  ];
  const at = () => `[127.0.0.1]:${sshd.port}`;
  const ed25519 = () => sshd.hostKeys.ed25519 ?? '';

  it.each(cases)('are judged as ssh judges them: %s', async (_name, text, expected, ...lines) => {
    const { config } = trusting(text(), ...lines);
    expect(await realSsh(config)).toBe(expected);
    expect(await ours(config)).toBe(expected);
  });

  it('that changed are refused even with --accept-new, with file, line and what to do', async () => {
    const { config, file } = trusting(`# mine\n${at()} ${foreign}\n`, 'StrictHostKeyChecking no');
    const refused = await connectHost(
      { label: '127.0.0.1', configFile: config, acceptNew: true },
      { prompts: noPrompts },
    ).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'host-key-changed', exitCode: 5 });
    expect(isFinal(refused)).toBe(true);
    expect(String(refused)).toContain(`${file}:2`);
    expect((refused as { hint: string }).hint).toContain(`ssh-keygen -f '${file}' -R '${at()}'`);
    expect(readFileSync(file, 'utf8')).toBe(`# mine\n${at()} ${foreign}\n`);
  });

  it.each(['ssh2', 'ssh'] as const)(
    'that changed or are revoked are refused by %s with file, line and fingerprint',
    async (transport) => {
      const shown = fingerprint(join(sshd.folder, 'host_ed25519.pub'));
      const message = async (text: string) => {
        const { config, file } = trusting(text);
        const refused = await connectHost(
          { label: '127.0.0.1', configFile: config, transport, acceptNew: true },
          { prompts: noPrompts },
        ).catch((error: unknown) => error);
        return { refused, words: String(refused), file };
      };
      const changed = await message(`# one\n${at()} ${foreign}\n`);
      expect(changed.refused).toMatchObject({ code: 'host-key-changed', exitCode: 5 });
      expect(changed.words).toContain(`${changed.file}:2`);
      expect(changed.words).toContain(shown);
      const revoked = await message(`# one\n# two\n@revoked * ${ed25519()}\n${at()} ${ed25519()}\n`);
      expect(revoked.refused).toMatchObject({ code: 'host-key-revoked', exitCode: 5 });
      expect(revoked.words).toContain(`${revoked.file}:3`);
      expect(revoked.words).toContain(shown);
    },
  );

  it('that RevokedHostKeys names are refused, be it a list or a KRL, and when the file is missing', async () => {
    const list = join(sshd.folder, 'revoked');
    writeFileSync(list, `# gone\nssh-rsa AAAA\n${ed25519()} old key\n${sshd.hostKeys.rsa}\n`);
    const krl = join(sshd.folder, 'revoked.krl');
    execFileSync('ssh-keygen', ['-q', '-k', '-f', krl, list.replace(/revoked$/, 'host_ed25519.pub')]);
    const none = join(sshd.folder, 'not-there');
    const innocent = join(sshd.folder, 'innocent');
    writeFileSync(innocent, `${foreign}\n`);
    const known = `${at()} ${ed25519()}\n`;
    for (const [file, expected] of [
      [list, 'revoked'],
      [krl, 'revoked'],
      [innocent, 'known'],
      [none, 'unchecked'],
    ] as const) {
      const { config } = trusting(known, `RevokedHostKeys ${file}`);
      expect([file, await ours(config)]).toEqual([file, expected]);
      expect([file, await realSsh(config)]).toEqual([
        file,
        expected === 'known' ? 'known' : expect.stringMatching(/revoked/i),
      ]);
    }
    const { config } = trusting(known, `RevokedHostKeys ${krl}`);
    const forced = connectHost(
      { label: '127.0.0.1', configFile: config, transport: 'ssh2' },
      { prompts: noPrompts },
    );
    await expect(forced).rejects.toMatchObject({ code: 'host-key-unchecked', exitCode: 5 });
  });

  it('that are unknown are refused headless, with the fingerprint that ssh-keygen prints', async () => {
    const { config } = trusting('');
    const refused = await connectHost(
      { label: '127.0.0.1', configFile: config },
      { prompts: noPrompts },
    ).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'host-key-unknown', exitCode: 5 });
    expect(isFinal(refused)).toBe(true);
    expect(String(refused)).toContain(fingerprint(join(sshd.folder, 'host_ed25519.pub')));
  });

  it('are added with --accept-new on a line of their own, and known afterwards to us and to ssh', async () => {
    const { config, file } = trusting('# no final newline');
    const notices: string[] = [];
    const host = await connectHost(
      { label: '127.0.0.1', configFile: config, acceptNew: true },
      { prompts: noPrompts, notice: (text) => notices.push(text) },
    );
    expect((await run(host, 'echo in')).stdout).toBe('in\n');
    await host.close();
    expect(readFileSync(file, 'utf8')).toBe(`# no final newline\n${at()} ${ed25519()}\n`);
    expect(notices.join()).toContain(file);
    expect(await ours(config)).toBe('known');
    expect(await realSsh(config)).toBe('known');
  });

  it('are added hashed with HashKnownHosts, into a file of mode 0600 made for them', async () => {
    const file = join(sshd.folder, 'new', 'known');
    const asHost = sshd.sshConfig('Host *', `  UserKnownHostsFile ${file}`, '  HashKnownHosts yes');
    const host = await connectHost(
      { label: '127.0.0.1', configFile: asHost, acceptNew: true },
      { prompts: noPrompts },
    );
    await host.close();
    expect(readFileSync(file, 'utf8')).toMatch(/^\|1\|\S+\|\S+ ssh-ed25519 \S+\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await ours(asHost)).toBe('known');
    expect(await realSsh(asHost)).toBe('known');
  });

  it('are asked for with name, type and fingerprint, and kept after a yes', async () => {
    const { config, file } = trusting('');
    const asked: HostKeyQuestion[] = [];
    const answer = (yes: boolean): Prompts => ({
      ...noPrompts,
      confirmHostKey: async (question) => {
        asked.push(question);
        return yes;
      },
    });
    const refused = connectHost({ label: '127.0.0.1', configFile: config }, { prompts: answer(false) });
    await expect(refused).rejects.toMatchObject({ code: 'host-key-refused' });
    expect(readFileSync(file, 'utf8')).toBe('');

    const host = await connectHost({ label: '127.0.0.1', configFile: config }, { prompts: answer(true) });
    await host.close();
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatchObject({
      host: at(),
      type: 'ssh-ed25519',
      fingerprint: expect.stringMatching(/^SHA256:/),
    });
    expect(readFileSync(file, 'utf8')).toContain(ed25519());
  });

  it('are refused, not taken for unknown, when the file cannot be read', async () => {
    const config = sshd.sshConfig('Host *', `  UserKnownHostsFile ${sshd.folder}`);
    const refused = connectHost(
      { label: '127.0.0.1', configFile: config, acceptNew: true },
      { prompts: noPrompts },
    );
    await expect(refused).rejects.toMatchObject({ code: 'known-hosts-unreadable', exitCode: 5 });
  });
});

/** As ssh-keygen prints it. */
const fingerprint = (file: string): string =>
  execFileSync('ssh-keygen', ['-lf', file], { encoding: 'utf8' }).split(' ')[1] ?? '';
