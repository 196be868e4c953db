import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveDestination } from '../../../src/host/ssh/config.js';
import { available } from '../../support/available.js';

describe('an ssh config without an ssh program', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const resolve = (label: string, text: string, env: Record<string, string | undefined>) =>
    resolveDestination({ label, configFile: write('config', text) }, env);
  const without = { PATH: '/nowhere' };

  const cases: readonly (readonly [string, string, string])[] = [
    ['an alias', 'gpu', 'Host gpu\n HostName %h.example\n User ops\n Port 2222\n'],
    ['equals signs and quotes', 'gpu', 'Host=gpu\n\tIdentityFile="/my keys/id"\n User = ops\n'],
    [
      'first match wins',
      'gpu-7',
      'Host gpu-7\n Port 1\nHost gpu-*\n Port 2\n User a\nHost *\n Port 3\n User b\n',
    ],
    ['negation', 'gpu-7', 'Host gpu-* !gpu-7\n Port 2\nHost *\n Port 3\n'],
    ['several identities', 'x', 'IdentityFile /a\nHost x\n IdentityFile /b\n IdentitiesOnly yes\n'],
    ['label wins', 'me@gpu:23', 'Host gpu\n User ops\n Port 22\n'],
    ['jump hosts', 'gpu', 'Host gpu\n ProxyJump a,me@b:23\n'],
    ['a proxy command', 'gpu', 'Host gpu\n HostName 10.0.0.7\n ProxyCommand nc %h %p\n'],
    [
      'known hosts',
      'gpu',
      'UserKnownHostsFile ~/.ssh/a /b/c\nGlobalKnownHostsFile none\nHashKnownHosts yes\n',
    ],
    ['host keys', 'gpu', 'StrictHostKeyChecking accept-new\nHostKeyAlias farm\nRevokedHostKeys /r\n'],
    [
      'limits',
      'gpu',
      'ServerAliveInterval 1\nServerAliveCountMax 4\nConnectTimeout 7\nConnectionAttempts 3\nBatchMode yes\n',
    ],
    ['Match all', 'gpu', 'Host gpu\n Port 1\nMatch all\n User ops\n Port 2\n'],
  ];

  it.skipIf(!available('ssh')).each(cases)('is understood as ssh does: %s', async (_name, label, text) => {
    const {
      notes: _none,
      hasSsh: _has,
      identityFiles: theirs,
      ...asSsh
    } = await resolve(label, text, process.env);
    const { notes, hasSsh, identityFiles, ...asUs } = await resolve(label, text, {
      ...process.env,
      ...without,
    });
    expect(asUs).toEqual(asSsh);
    // ssh lists more kinds of default keys.
    expect(theirs).toEqual(expect.arrayContaining([...identityFiles]));
    expect(hasSsh).toBe(false);
    expect(notes).toEqual([expect.stringContaining('No ssh program')]);
  });

  it('follows Include by name and by pattern, and comes back to the block it stood in', async () => {
    mkdirSync(join(folder, 'conf.d'));
    write('conf.d/10-port', 'Host gpu\n Port 10\nHost other\n User wrong\n');
    write('conf.d/20-port', 'Host gpu\n Port 20\n');
    write('conf.d/.hidden', 'Port 99\n');
    const text = `Host gpu\n Include ${folder}/conf.d/*\n User ops\nHost elsewhere\n Include ${folder}/missing\n Port 1\n`;
    const found = await resolve('gpu', text, without);
    expect(found).toMatchObject({ port: 10, user: 'ops' });
    if (available('ssh'))
      expect(await resolve('gpu', text, process.env)).toMatchObject({ port: 10, user: 'ops' });
    expect(await resolve('other', text, without)).toMatchObject({ port: 22 });
  });

  it('does not follow an Include that goes round in a circle', async () => {
    await expect(resolve('gpu', `Include ${folder}/config\n`, without)).rejects.toMatchObject({
      code: 'usage',
    });
  });

  it('names the Match blocks that it leaves out, and runs none of their commands', async () => {
    const mark = join(folder, 'mark');
    const { notes, port } = await resolve('gpu', `Match exec "touch ${mark}"\n Port 99\n`, without);
    expect(port).toBe(22);
    expect(notes.join()).toMatch(/left out here: Match exec/);
    const { existsSync } = await import('node:fs');
    expect(existsSync(mark)).toBe(false);
  });
});
