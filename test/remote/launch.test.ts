import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptCommand } from '../../src/remote/script.js';
import { removeFolder } from '../runtime/actions/support/workbench.js';
import { available } from '../support/available.js';
import { until } from '../support/until.js';
import { act, busyboxOnly, onlyPrograms, payload } from './act.js';
import { shells } from './shells.js';

let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firedup launch-'));
  env = { XDG_STATE_HOME: join(folder, 'state') };
});
afterEach(() => removeFolder(folder));

const attempts = () => {
  const base = join(folder, 'state/firedup/box');
  return existsSync(base) ? readdirSync(base) : [];
};
const exit = async (number: number) => {
  const path = join(folder, `state/firedup/box/${number}/exit`);
  await until(() => existsSync(path), 'the end to be recorded');
  return readFileSync(path, 'utf8');
};

describe.each(shells)('launch.sh in $name', ({ command: shell }) => {
  it('answers with what is recorded, and records the end in the agreed form', async () => {
    const { stdin, bytes } = payload('exec sh -c "exit 5"');
    const { lines, stderr } = act(shell, 'launch', ['box', 'an-id', '', '', bytes], { env, stdin });
    expect(stderr).toBe('');
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const here = join(folder, 'state/firedup/box/1');
    expect(lines[0]).toMatch(/^started 1 \d+ \d+ [0-9a-f-]{36} \d+$/);
    expect(lines.slice(1)).toEqual([`folder ${hex(here)}`, `log ${hex(`${here}/log`)}`, 'fresh', 'end']);
    expect(await exit(1)).toMatch(/^5 \d{10} oom:(\d+|-):(\d+|-) by:exit\n$/);
    expect(readFileSync(join(here, 'pid'), 'utf8')).toBe(`${lines[0]?.slice('started 1 '.length)}\n`);
    expect(readFileSync(join(here, 'shown.json'), 'utf8')).toBe('{"shown":true}\n');
    expect(readFileSync(join(here, 'launch.json'), 'utf8')).toBe('{"launch":true}\n');
    // The start script holds the values of the variables and has done its work.
    await until(() => !existsSync(join(here, 'start')), 'it to be gone');
  });

  it('says whether the log was empty before: then all of it is this run', () => {
    const log = join(folder, 'shared.log');
    writeFileSync(log, 'yesterday\n');
    const { stdin, bytes } = payload('exec true');
    const { lines } = act(shell, 'launch', ['appended', 'another-id', '', log, bytes], { env, stdin });
    expect(lines[0]).toMatch(/^started 1 /);
    expect(lines).not.toContain('fresh');
  });

  it('starts nothing when what it was sent has been cut off anywhere', () => {
    const { stdin, bytes } = payload(`touch '${folder}/started'; exec sleep 300`);
    for (const length of [0, 5, 30, stdin.length - 30, stdin.length - 1]) {
      const told = act(shell, 'launch', ['box', 'an-id', '', '', bytes], {
        env,
        stdin: stdin.slice(0, length),
      });
      expect(told.lines).toEqual(['refused cut-payload ', 'end']);
    }
    expect(existsSync(join(folder, 'started'))).toBe(false);
    expect(attempts()).toEqual([]);
  });

  it('takes an attempt that is about to start for a running one', async () => {
    const { stdin, bytes } = payload('exec sh -c "exit 0"');
    // One that waits for what it is to start: its stdin stays open.
    const slow = spawn(
      '/bin/sh',
      ['-c', scriptCommand('launch', ['box', 'slow', '', '', bytes], { shell: shell.join(' ') })],
      {
        env: { ...process.env, ...env },
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    );
    await until(() => existsSync(join(folder, 'state/firedup/box/1/starter')), 'its number to be taken');
    const { lines } = act(shell, 'launch', ['box', 'quick', '', '', bytes], { env, stdin });
    expect(Buffer.from(lines[0]?.split(' ')[2] ?? '', 'hex').toString()).toMatch(/^1 - \d{10} - \w+$/);
    expect(lines[0]).toMatch(/^refused running /);
    const answered = new Promise((resolve) => slow.once('exit', resolve));
    slow.stdin.end(stdin);
    await answered;
    expect(await exit(1)).toMatch(/^0 /);
    expect(attempts()).toEqual(['1']);
  });

  it('comes after one that has waited for it in vain: never do both start', async () => {
    const bin = join(folder, 'tools');
    mkdirSync(bin);
    const script = `#!/bin/sh\nuntil [ -e '${folder}/go' ]; do sleep 0.1; done\nexec /bin/date "$@"\n`;
    writeFileSync(join(bin, 'date'), script, { mode: 0o755 });
    const { stdin, bytes } = payload('exec sleep 300');
    const command = scriptCommand('launch', ['box', 'slow', '', '', bytes], { shell: shell.join(' ') });
    const slow = spawn('/bin/sh', ['-c', command], {
      env: { ...process.env, ...env, PATH: `${bin}:${process.env.PATH}` },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const said = text(slow.stdout);
    slow.stdin.end(stdin);
    await until(() => attempts().includes('1'), 'its number to be taken');
    const { lines } = act(shell, 'launch', ['box', 'quick', '', '', bytes], { env, stdin });
    const pid = Number(lines[0]?.split(' ')[2]);
    try {
      expect(lines[0]).toMatch(/^started 2 /);
      writeFileSync(join(folder, 'go'), '');
      expect(await said).toMatch(/\nrefused running /);
      expect(attempts()).toEqual(['2']);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
    await exit(2);
  });

  it('is not refused where another one that is takes its folder back at that moment', async () => {
    const bin = join(folder, 'tools');
    mkdirSync(bin);
    const script = `#!/bin/sh\n[ "$*" != '${folder}/state/firedup/box/1' ] || [ -e "$0.met" ] || { : >"$0.met"; exit 1; }\nexec /bin/mkdir "$@"\n`;
    writeFileSync(join(bin, 'mkdir'), script, { mode: 0o755 });
    const { stdin, bytes } = payload('exec sh -c "exit 0"');
    const { lines } = act(shell, 'launch', ['box', 'an-id', '', '', bytes], {
      env: { ...env, PATH: `${bin}:${process.env.PATH}` },
      stdin,
    });
    expect(lines[0]).toMatch(/^started 1 /);
    expect(existsSync(join(bin, 'mkdir.met'))).toBe(true);
    await exit(1);
  });

  it('leaves the folders of others alone', async () => {
    const base = join(folder, 'state/firedup/box');
    mkdirSync(join(base, '007'), { recursive: true });
    mkdirSync(join(base, '2x'));
    writeFileSync(join(base, '3'), 'a file');
    const { stdin, bytes } = payload('exec sh -c "exit 0"');
    const { lines } = act(shell, 'launch', ['box', 'an-id', '', '', bytes], { env, stdin });
    expect(lines[0]).toMatch(/^started 4 /);
    await exit(4);
    expect(readFileSync(join(base, '3'), 'utf8')).toBe('a file');
    expect(readdirSync(base).sort()).toEqual(['007', '2x', '3', '4']);
  });
});

describe('launch.sh with few programs around it', () => {
  it.skipIf(!available('busybox'))('needs nothing but busybox, and no base64', async () => {
    const PATH = busyboxOnly(join(folder, 'bin'), ['base64']);
    const { stdin, bytes } = payload('exec sh -c "echo ran; exit 3"');
    const { lines } = act(['sh'], 'launch', ['box', 'an-id', '', '', bytes], {
      env: { ...env, PATH },
      stdin,
    });
    expect(lines[0]).toMatch(/^started 1 /);
    expect(await exit(1)).toMatch(/^3 /);
    expect(readFileSync(join(folder, 'state/firedup/box/1/log'), 'utf8')).toBe('ran\n');
  });

  it('says so when there is no setsid', () => {
    const PATH = onlyPrograms(join(folder, 'bin'), 'dash', [
      'base64',
      'od',
      'tr',
      'cat',
      'mkdir',
      'rm',
      'sed',
      'wc',
    ]);
    const { stdin, bytes } = payload('exec true');
    const { lines } = act(['sh'], 'launch', ['box', 'an-id', '', '', bytes], {
      env: { ...env, PATH },
      stdin,
    });
    expect(lines).toEqual(['refused no-setsid ', 'end']);
  });

  it('says so when the state folder cannot be made', () => {
    writeFileSync(join(folder, 'state'), 'a file');
    const { stdin, bytes } = payload('exec true');
    const { lines } = act(['sh'], 'launch', ['box', 'an-id', '', '', bytes], { env, stdin });
    expect(lines[0]).toMatch(/^refused state-folder [0-9a-f]+$/);
  });
});
