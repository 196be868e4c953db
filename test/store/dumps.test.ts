import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dumpPath, writeDump } from '../../src/store/dumps.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firedup-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

describe('a dump', () => {
  it('is a new file of its own under the state folder, for its owner only', async () => {
    const env = { XDG_STATE_HOME: folder };
    const path = await writeDump(env, { host: 'gpu-box', name: 'default', at }, ['one', '', 'drei ü']);
    expect(path).toBe(join(folder, 'firedup', '.dumps', 'gpu-box-default-20260102T030405.678Z.log'));
    expect(readFileSync(path, 'utf8')).toBe('one\n\ndrei ü\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('holds no secrets', async () => {
    const lines = ["server_args=ServerArgs(api_key='very-private', port=30000)"];
    const path = await writeDump({ XDG_STATE_HOME: folder }, { host: 'h', name: null, at }, lines);
    expect(readFileSync(path, 'utf8')).toBe("server_args=ServerArgs(api_key='***', port=30000)\n");
  });

  it('stays in its folder whatever the host is called', () => {
    const path = dumpPath({ XDG_STATE_HOME: folder }, { host: '../../etc/passwd', name: '.hidden', at });
    expect(dirname(path)).toBe(join(folder, 'firedup', '.dumps'));
    expect(basename(path)).not.toMatch(/^\./);
  });

  it('goes to ~/.local/state when the variable is missing or relative', () => {
    for (const env of [{}, { XDG_STATE_HOME: '' }, { XDG_STATE_HOME: 'relative' }]) {
      expect(dumpPath(env, { host: 'h', name: null, at })).toMatch(/\/\.local\/state\/firedup\/\.dumps\/h-/);
    }
  });

  it('says so when it cannot be written', async () => {
    writeFileSync(join(folder, 'firedup'), 'a file where a folder is needed');
    const written = writeDump({ XDG_STATE_HOME: folder }, { host: 'h', name: null, at }, []);
    await expect(written).rejects.toMatchObject({ code: 'dump-failed', exitCode: 2 });
  });
});
