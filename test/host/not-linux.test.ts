import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectFirst } from '../../src/cli/connection.js';
import { available } from '../support/available.js';
import { type Sshd, startSshd } from '../support/sshd.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('a host of another system', () => {
  let sshd: Sshd | null = null;
  afterEach(() => sshd?.stop());

  /** A box whose `uname` is the lines given; null: whose login has no such command. */
  async function boxWith(uname: string | null): Promise<Sshd> {
    sshd = await startSshd({ config: ['SetEnv PATH=%d/bin'] });
    mkdirSync(join(sshd.folder, 'bin'));
    if (uname !== null) {
      writeFileSync(join(sshd.folder, 'bin', 'uname'), `#!/bin/sh\n${uname}\n`, { mode: 0o755 });
    }
    return sshd;
  }
  const connect = (box: Sshd) => connectFirst({ label: box.label, configFile: box.sshConfig() });

  it.each([
    ['echo Darwin', 'Darwin'],
    ["printf 'MINGW64_NT\\033[2J\\n'", 'MINGW64_NT [2J'],
    [null, 'not found'],
  ])('is refused as wrong usage: %j', async (uname, word) => {
    const refused = await connect(await boxWith(uname)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'not-linux', exitCode: 2 });
    expect(String(refused)).toContain('is not a Linux host');
    expect(String(refused)).toContain(word);
  });

  it.each([
    ["echo 'This account is currently not available.'; exit 1", 'This account is currently not available.'],
    ['internal-sftp', 'sftp connections only'],
  ])('is told from a login that runs no commands: ForceCommand %s', async (forced, words) => {
    sshd = await startSshd({ config: [`ForceCommand ${forced}`] });
    const refused = await connect(sshd).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'no-shell', exitCode: 2 });
    expect(String(refused)).toContain(words);
    expect(String(refused)).not.toContain('Linux host');
  });

  it('is told from a Linux host whose rc file prints', async () => {
    const box = await boxWith('echo Linux');
    writeFileSync(join(box.home, '.bashrc'), 'printf welcome\n');
    const host = await connect(box);
    await host.close();
  });
});
