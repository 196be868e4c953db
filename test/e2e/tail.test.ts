import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { type LinkProxy, startLinkProxy } from '../support/link-proxy.js';
import { firedup } from '../support/program.js';
import { type Sshd, startSshd } from '../support/sshd.js';
import { startTail, type Tail } from '../support/tail.js';
import { openTmux } from '../support/tmux.js';
import { until } from '../support/until.js';

describe.skipIf(!available('sshd', 'ssh', 'procfs'))('firedup tail over SSH', () => {
  let sshd: Sshd;
  let proxy: LinkProxy;
  let folder: string;
  let config: string;
  const tails: Tail[] = [];
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    sshd = await startSshd();
    proxy = await startLinkProxy(sshd.port);
    config = sshd.configBehind(proxy);
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-tail-'));
  });
  afterEach(async () => {
    await Promise.all(tails.splice(0).map((tail) => tail.stop()));
    for (const child of children.splice(0)) child.kill('SIGKILL');
    proxy.restore();
    proxy.refuse(false);
    rmSync(folder, { recursive: true, force: true });
  });
  afterAll(async () => {
    await proxy?.stop();
    await sshd?.stop();
  });

  function tail(...args: readonly string[]): Tail {
    const started = startTail(['box', '-F', config, ...args]);
    tails.push(started);
    return started;
  }

  /** A server that appends what `write` gives it to `log`, until it is killed. */
  function server(log: string): number {
    const child = spawn('sh', ['-c', 'exec sleep 600 >>"$0"', log], { stdio: 'ignore' });
    children.push(child);
    return child.pid ?? 0;
  }

  /** Until the file system's clock, which ticks at its own pace, shows another time than `path` was written at. */
  async function clockMovedOn(path: string): Promise<void> {
    const written = statSync(path).mtimeMs;
    const probe = join(folder, 'clock');
    await until(() => {
      writeFileSync(probe, 'x');
      return statSync(probe).mtimeMs > written;
    }, 'the clock has moved on');
  }

  it('begins with the last 40 lines, byte for byte, and follows', async () => {
    const log = join(folder, 'server.log');
    const lines = Array.from({ length: 100 }, (_, n) => Buffer.from(`líne ${n} \x1b[31m\xff\0`, 'latin1'));
    const bytes = (from: number, to = 100) =>
      Buffer.concat(lines.slice(from, to).flatMap((line) => [line, Buffer.from('\r\n')]));
    writeFileSync(log, bytes(0));
    const program = tail('--log', log);
    await program.waitForBytes(bytes(60).length);
    expect(program.bytes()).toEqual(bytes(60));
    appendFileSync(log, 'new\nunfinished');
    await program.waitForBytes(bytes(60).length + 14);
    expect(program.bytes()).toEqual(Buffer.concat([bytes(60), Buffer.from('new\nunfinished')]));
    expect(program.stderr()).toBe('');
    program.signal('SIGINT');
    expect(await program.ended()).toBe(130);
  });

  it.each([
    ['3', 'l98\nl99\nl100\n'],
    ['0', ''],
    ['+1', Array.from({ length: 100 }, (_, n) => `l${n + 1}\n`).join('')],
    ['400', Array.from({ length: 100 }, (_, n) => `l${n + 1}\n`).join('')],
  ])('with -n %s begins there', async (count, expected) => {
    const log = join(folder, 'server.log');
    writeFileSync(log, Array.from({ length: 100 }, (_, n) => `l${n + 1}\n`).join(''));
    const program = tail('--log', log, '-n', count, '--until-exit');
    expect(await program.ended()).toBe(0);
    expect(program.bytes().toString()).toBe(expected);
  });

  it('goes on after cuts with two rotations in one of them, in the order in which they were written', async () => {
    const log = join(folder, 'server.log');
    writeFileSync(log, 'a1\n');
    const program = tail('--log', log, '-n', '+1');
    await program.waitForBytes(3);
    proxy.refuse(true);
    proxy.reset();
    await program.waitForError(/connecting again/);
    appendFileSync(log, 'a2\n');
    for (const name of ['b', 'c']) {
      if (name === 'c') renameSync(`${log}.1`, `${log}.2`);
      renameSync(log, `${log}.1`);
      writeFileSync(log, `${name}1\n`);
      await clockMovedOn(log);
      appendFileSync(log, `${name}2\n`);
      await clockMovedOn(log);
    }
    proxy.refuse(false);
    await program.waitForBytes(18);
    expect(program.bytes().toString()).toBe('a1\na2\nb1\nb2\nc1\nc2\n');
    expect(program.stderr()).not.toMatch(/gap/);
  });

  it('reports a gap with its size, once, for what was cut before it could be read', async () => {
    const log = join(folder, 'server.log');
    writeFileSync(log, 'one\n');
    const program = tail('--log', log, '-n', '+1');
    await program.waitForBytes(4);
    proxy.refuse(true);
    proxy.reset();
    await program.waitForError(/connecting again/);
    writeFileSync(log, 'quite another content\n');
    proxy.refuse(false);
    await program.waitForBytes(26);
    expect(program.bytes().toString()).toBe('one\nquite another content\n');
    expect(program.stderr().match(/gap of/g)).toHaveLength(1);
    truncateSync(log, 0);
    appendFileSync(log, 'x\n');
    await program.waitForBytes(28);
  });

  it('ends with the server, after its last bytes', async () => {
    const log = join(folder, 'server.log');
    writeFileSync(log, 'up\n');
    const pid = server(log);
    const program = tail('--log', log, '--until-exit', '-n', '+1');
    await program.waitForBytes(3);
    await program.waitUntilQuiet();
    appendFileSync(log, `${'x'.repeat(300_000)}\nlast words`);
    process.kill(pid, 'SIGKILL');
    expect(await program.ended()).toBe(0);
    expect(program.bytes().length).toBe(3 + 300_001 + 10);
    expect(program.bytes().subarray(-10).toString()).toBe('last words');
  });

  it('says what is in the way of the log, and waits', async () => {
    const log = join(folder, 'server.log');
    mkdirSync(log);
    const program = tail('--log', log);
    await program.waitForError(/cannot be read: It is a folder/);
    rmSync(log, { recursive: true });
    await program.waitForError(/not there yet/);
    writeFileSync(log, 'here\n');
    await program.waitForBytes(5);
  });

  it('holds the host back when nobody reads, without keeping it all in memory', async () => {
    const log = join(folder, 'server.log');
    const size = 64 * 1024 * 1024;
    writeFileSync(log, Buffer.alloc(size, 'some line of a log that is long\n'));
    const program = startTail(['box', '-F', config, '--log', log, '-n', '+1', '--until-exit'], {
      paused: true,
    });
    tails.push(program);
    await until(() => proxy.bytesDown > 64 * 1024, 'the log has begun to come');
    let before = -1;
    await until(async () => {
      const same = proxy.bytesDown === before;
      before = proxy.bytesDown;
      await new Promise((resolve) => setTimeout(resolve, 400));
      return same;
    }, 'nothing more comes');
    expect(proxy.bytesDown).toBeLessThan(size / 4);
    program.read();
    expect(await program.ended()).toBe(0);
    expect(createHash('sha256').update(program.bytes()).digest('hex')).toBe(
      createHash('sha256').update(readFileSync(log)).digest('hex'),
    );
  });

  it('says nothing and stops when its reader has gone', async () => {
    const log = join(folder, 'server.log');
    writeFileSync(log, 'one\n');
    const program = tail('--log', log, '-n', '+1');
    await program.waitForBytes(4);
    program.closeReader();
    const more = setInterval(() => appendFileSync(log, 'more\n'), 50);
    try {
      expect(await program.ended()).toBe(130);
    } finally {
      clearInterval(more);
    }
    expect(program.stderr()).toBe('');
  });

  it('writes into a file what the log holds', async () => {
    const log = join(folder, 'server.log');
    const copy = join(folder, 'copy');
    writeFileSync(log, Buffer.from(Array.from({ length: 5000 }, (_, n) => n % 256)));
    const out = openSync(copy, 'w');
    const program = startTail(['box', '-F', config, '--log', log, '-n', '+1', '--until-exit'], {
      stdout: out,
    });
    tails.push(program);
    expect(await program.ended()).toBe(0);
    closeSync(out);
    expect(readFileSync(copy)).toEqual(readFileSync(log));
  });

  it('is refused a host key like every command: exit code 5', async () => {
    const program = firedup([
      'tail',
      'box',
      '-F',
      sshd.sshConfig('UserKnownHostsFile /dev/null'),
      '--log',
      '/x',
    ]);
    expect(await program.ended()).toBe(5);
    expect(program.lines).toHaveLength(0);
  });

  it.skipIf(!available('tmux'))('lets no escape sequence through to a terminal', async () => {
    const log = join(folder, 'server.log');
    const title = '\x1b]0;stolen\x07\x1b]52;c;c3RvbGVu\x07\x9b2J\x1b[?1049h\x1bcA\x1b[6n';
    writeFileSync(log, `${title}first\nbar 1%\rbar 2%`);
    const pane = openTmux({
      command: `${process.execPath} bin/firedup.js tail local --log ${log}`,
      env: { XDG_STATE_HOME: join(folder, 'state') },
    });
    try {
      await pane.waitFor((rows) => rows.some((row) => row.endsWith('first')));
      await pane.waitFor((rows) => rows.includes('bar 2%'));
      appendFileSync(log, '\rbar 3%\nafter\n');
      const rows = await pane.waitFor((shown) => shown.includes('after'));
      expect(rows.filter(Boolean)).toEqual([expect.stringMatching(/^\S*Afirst$|first$/), 'bar 3%', 'after']);
      expect(pane.flags().alternate).toBe(false);
    } finally {
      pane.close();
    }
    expect(existsSync(log)).toBe(true);
  });
});
