import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localHost } from '../../src/host/local.js';
import { createFollower } from '../../src/probes/follow.js';
import { createLogProbe } from '../../src/probes/log.js';
import { shells } from '../remote/shells.js';
import { until, wellBeforeDeadManMs } from '../support/until.js';
import { cuttableHost, later, recorder, running, start, tempFolder } from './support.js';

/** Until the file system's clock, which ticks at its own pace, shows another time than `path` was written at. */
async function clockMovedOn(path: string): Promise<void> {
  const written = statSync(path).mtimeMs;
  const probe = join(dirname(path), 'clock');
  await until(() => {
    writeFileSync(probe, 'x');
    return statSync(probe).mtimeMs > written;
  }, 'the clock has moved on');
  rmSync(probe);
}

describe.each(shells)('following a log with $name', ({ command }) => {
  const shell = command.join(' ');

  function watch(path: string) {
    const seen = recorder();
    const probe = createLogProbe({ path, emit: seen.emit, now: Date.now, script: { shell } });
    const { host, channels, sessions } = cuttableHost();
    const begin = () => running((signal) => probe.run(host, signal));
    return { ...seen, probe, channels, sessions, begin, ...begin() };
  }

  it('reads what is there from the first byte, then what comes', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'one\ntwo\n');
    const log = watch(path);
    await until(() => log.kinds().includes('caught-up'), 'it has caught up');
    expect(log.changes()).toMatchObject([
      { kind: 'opened', path, offset: 0, size: 8, resumed: false },
      { kind: 'caught-up' },
    ]);
    appendFileSync(path, 'three\nfo');
    await until(() => log.lines.length === 3, 'the third line is there');
    await until(() => log.of('log-partial').at(-1)?.text === 'fo', 'the unfinished line shows');
    appendFileSync(path, 'ur\n');
    await until(() => log.lines.length === 4, 'the fourth line is there');
    expect(log.lines.at(-1)).toEqual({ number: 4, text: 'four' });
    expect(log.of('log-partial').at(-1)?.text).toBe('');
    expect(log.of('log-lines').at(-1)).toMatchObject({ offset: 19, size: 19 });
  });

  it('says at once that the file is not there, and follows it when it comes', async () => {
    const path = join(tempFolder(), 'late.log');
    const log = watch(path);
    await until(() => log.kinds().includes('missing'), 'it is missing');
    log.probe.setWritesTo('/tmp/other.log');
    expect(log.changes().at(-1)).toEqual({ kind: 'missing', writesTo: '/tmp/other.log' });
    writeFileSync(path, 'hello\n');
    await until(() => log.lines.length === 1, 'its line is there');
  });

  it.each(['with blank', "quote's", '$(touch never)', 'new\nline', '-n', 'ünïcode', 'trailing\n'])(
    'follows a file named %j',
    async (name) => {
      const folder = tempFolder();
      const path = join(folder, name);
      writeFileSync(path, 'a\n');
      const log = watch(path);
      await until(() => log.lines.length === 1, 'its line is there');
      appendFileSync(path, 'b\n');
      await until(() => log.lines.length === 2, 'what comes is there');
      // Renamed while we were away: it is found again beside its path.
      await log.stop();
      renameSync(path, join(folder, `${name}.1`));
      appendFileSync(join(folder, `${name}.1`), 'c\n');
      writeFileSync(path, 'd\n');
      log.begin();
      await until(() => log.lines.length === 4, 'both files are read');
      expect(log.texts()).toEqual(['a', 'b', 'c', 'd']);
      expect(log.kinds()).not.toContain('gap');
    },
  );

  it('notices a truncation, and how much of it was never read', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'one\ntwo\n');
    const log = watch(path);
    await until(() => log.lines.length === 2, 'it is read');
    truncateSync(path, 0);
    await until(() => log.kinds().includes('truncated'), 'the truncation is seen');
    appendFileSync(path, 'new\n');
    await until(() => log.lines.length === 3, 'the new line is there');
    expect(log.changes().find(({ kind }) => kind === 'truncated')).toEqual({
      kind: 'truncated',
      lostBytes: 0,
    });
    expect(log.lines.at(-1)).toEqual({ number: 1, text: 'new' });
  });

  it('loses nothing of a log that is copied away and emptied, also what came since the last look', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(`${path}-old`, 'another\nlog\nthat is longer\n');
    utimesSync(`${path}-old`, 1_700_000_000, 1_700_000_000);
    writeFileSync(path, 'one\ntwo\n');
    const log = watch(path);
    await until(() => log.lines.length === 2, 'it is read');
    appendFileSync(path, 'three\nfour\n');
    copyFileSync(path, `${path}.1`);
    truncateSync(path, 0);
    await until(() => log.kinds().includes('truncated'), 'the truncation is seen');
    appendFileSync(path, 'five\n');
    await until(() => log.texts().includes('five'), 'the new line is there');
    expect(log.texts()).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(log.changes().find(({ kind }) => kind === 'truncated')).toEqual({
      kind: 'truncated',
      lostBytes: 0,
    });
  });

  it('takes no other file for the copy of a log that was emptied', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'one\ntwo\n');
    const log = watch(path);
    await until(() => log.lines.length === 2, 'it is read');
    writeFileSync(`${path}.other`, 'of another run\nand longer\n');
    truncateSync(path, 0);
    await until(() => log.kinds().includes('truncated'), 'the truncation is seen');
    appendFileSync(path, 'three\n');
    await until(() => log.texts().includes('three'), 'the new line is there');
    expect(log.texts()).toEqual(['one', 'two', 'three']);
  });

  it('notices a file that was truncated and has grown past the old offset between two looks', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'first line of the former run\nsecond line\n');
    const log = watch(path);
    await until(() => log.lines.length === 2, 'it is read');
    // One write replaces the content: there is no moment at which the file is shorter.
    const fresh = Array.from({ length: 50 }, (_, n) => `fresh ${n}`);
    const file = openSync(path, 'r+');
    writeSync(file, `${fresh.join('\n')}\n`, 0);
    closeSync(file);
    await until(() => log.lines.length === 52, 'the new content is read');
    expect(log.texts().slice(2)).toEqual(fresh);
    expect(log.kinds()).toContain('truncated');
  });

  it('follows a switched symlink, and a file that was deleted and made again', async () => {
    const folder = tempFolder();
    const path = join(folder, 'current.log');
    writeFileSync(join(folder, 'a'), 'in a\n');
    writeFileSync(join(folder, 'b'), 'in b\n');
    symlinkSync('a', path);
    const log = watch(path);
    await until(() => log.texts().includes('in a'), 'the first file is read');
    unlinkSync(path);
    symlinkSync('b', path);
    await until(() => log.texts().includes('in b'), 'the second file is read');
    rmSync(path);
    writeFileSync(path, 'in c\n');
    await until(() => log.texts().includes('in c'), 'the third file is read');
    expect(log.kinds().filter((kind) => kind === 'rotated')).toHaveLength(2);
    expect(log.lines.map(({ number }) => number)).toEqual([1, 1, 1]);
  });

  it('stays in a renamed file while its successor is empty, and gives its last line without newline', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'one\n');
    const log = watch(path);
    await until(() => log.lines.length === 1, 'it is read');
    renameSync(path, `${path}.1`);
    writeFileSync(path, '');
    appendFileSync(`${path}.1`, 'late\nlast');
    await until(() => log.of('log-partial').at(-1)?.text === 'last', 'the old file is read on');
    appendFileSync(path, 'new\n');
    await until(() => log.texts().includes('new'), 'the new file is read');
    expect(log.texts()).toEqual(['one', 'late', 'last', 'new']);
  });

  it('says why a path cannot be read, and reads it once it can be', async () => {
    const path = join(tempFolder(), 'server.log');
    mkdirSync(path);
    const log = watch(path);
    await until(() => log.kinds().includes('unreadable'), 'it is unreadable');
    expect(log.changes().at(-1)).toEqual({ kind: 'unreadable', reason: 'It is a folder' });
    rmSync(path, { recursive: true });
    writeFileSync(path, 'ok\n');
    await until(() => log.lines.length === 1, 'it is read');
  });

  it('goes on at the next byte after its channel was cut, in the middle of a character too', async () => {
    const path = join(tempFolder(), 'server.log');
    const text = Array.from({ length: 3000 }, (_, n) => `línea ${n} é€😀 ${'x'.repeat(n % 90)}`);
    const bytes = Buffer.from(`${text.join('\n')}\n`);
    writeFileSync(path, '');
    const log = watch(path);
    let run = { done: log.done, stop: log.stop };
    for (let from = 0, cut = 0; from < bytes.length; cut += 1) {
      const next = Math.min(bytes.length, from + 17_001 + cut);
      appendFileSync(path, bytes.subarray(from, next));
      const half = cut % 2 === 0;
      if (half) await until(() => (log.of('log-lines').at(-1)?.offset ?? 0) > from, 'something came');
      from = next;
      await until(() => log.channels.length === cut + 1, 'its channel is open');
      log.channels.at(-1)?.close();
      await expect(run.done).rejects.toMatchObject({ code: 'probe-ended' });
      run = log.begin();
    }
    await until(() => log.lines.length === text.length, 'all is read');
    expect(log.texts()).toEqual(text);
    expect(log.kinds()).not.toContain('gap');
  });

  it('reports a gap when what it had read is not there any more', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'one\ntwo\n');
    const log = watch(path);
    await until(() => log.lines.length === 2, 'it is read');
    await log.stop();
    writeFileSync(path, 'other content of the same file\n');
    log.begin();
    await until(() => log.lines.length === 3, 'the new content is read');
    expect(log.kinds().slice(-3)).toEqual(['gap', 'opened', 'caught-up']);
  });

  it('loses and doubles no line over rotations by rename under load', async () => {
    const folder = tempFolder();
    const path = join(folder, 'server.log');
    const total = 24_000;
    writeFileSync(path, '');
    const log = watch(path);
    await until(() => log.kinds().includes('opened'), 'it is open');
    const writer = start(
      `exec node -e '
        const fs = require("fs"); let n = 0, fd = fs.openSync(process.argv[1], "a"), files = 0;
        const tick = () => {
          for (let i = 0; i < 40; i++) fs.writeSync(fd, "líne " + n++ + "\\n");
          if (n % 6000 === 0) { fs.renameSync(process.argv[1], process.argv[1] + "." + ++files); fs.closeSync(fd); fd = fs.openSync(process.argv[1], "a"); }
          if (n < ${total}) setTimeout(tick, 8);
        }; tick();' '${path}'`,
    );
    await until(() => log.lines.length >= total, 'every line is there');
    expect(writer.exitCode ?? 0).toBe(0);
    const sha = (lines: readonly string[]) => createHash('sha256').update(lines.join('\n')).digest('hex');
    expect(sha(log.texts())).toBe(sha(Array.from({ length: total }, (_, n) => `líne ${n}`)));
    expect(log.kinds().filter((kind) => kind === 'rotated').length).toBeGreaterThanOrEqual(3);
  });

  it('reads every file of a chain of rotations that went on while it was away, oldest first', async () => {
    const folder = tempFolder();
    const path = join(folder, 'server.log');
    // Others that begin with its name: a rank's own log, older and written to the end, and a packed one.
    writeFileSync(`${path}.7`, 'of rank 7\n');
    await clockMovedOn(`${path}.7`);
    writeFileSync(path, 'a1\n');
    const log = watch(path);
    await until(() => log.lines.length === 1, 'it is read');
    await log.stop();
    appendFileSync(path, 'a2\n');
    renameSync(path, `${path}.1`);
    for (const name of ['b', 'c', 'd']) {
      await clockMovedOn(name === 'b' ? `${path}.1` : path);
      if (name !== 'b') renameSync(path, `${path}-2026010${name === 'c' ? 1 : 2}`);
      writeFileSync(path, `${name}1\n${name}2\n`);
    }
    log.begin();
    await until(() => log.texts().includes('d2'), 'the newest file is read');
    expect(log.texts()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2']);
    expect(log.kinds()).not.toContain('gap');
  });

  it('reports a gap with its size for a file of the chain that has been packed meanwhile', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'a1\n');
    const log = watch(path);
    await until(() => log.lines.length === 1, 'it is read');
    await log.stop();
    renameSync(path, `${path}.3`);
    for (const name of ['2', '1', '']) {
      await clockMovedOn(name === '2' ? `${path}.3` : `${path}.${name === '1' ? 2 : 1}`);
      writeFileSync(`${path}${name === '' ? '' : `.${name}`}`, `in ${name}\n`);
    }
    execFileSync('gzip', [`${path}.2`]);
    writeFileSync(`${path}.old.gz`, 'another thing');
    log.begin();
    await until(() => log.texts().includes('in '), 'the newest file is read');
    expect(log.texts()).toEqual(['a1', 'in 1', 'in ']);
    expect(log.changes().filter(({ kind }) => kind === 'gap')).toEqual([{ kind: 'gap', bytes: 5 }]);
  });

  it('loses nothing in rotations that follow each other faster than it looks', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'line 0\n');
    const log = watch(path);
    await until(() => log.lines.length === 1, 'it is read');
    const expected = ['line 0'];
    for (let n = 1; n <= 6; n += 1) {
      await clockMovedOn(path);
      renameSync(path, `${path}.${n}`);
      writeFileSync(path, `line ${n}\n`);
      expected.push(`line ${n}`);
    }
    await until(() => log.texts().includes('line 6'), 'the last file is read');
    expect(log.texts()).toEqual(expected);
  });

  it('says how much of a truncated file it had not read, when it has seen it', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'one\ntwo\n');
    const log = watch(path);
    await until(() => log.lines.length === 2, 'it is read');
    await log.stop();
    truncateSync(path, 0);
    log.begin();
    await until(() => log.kinds().includes('truncated'), 'the truncation is seen');
    expect(log.changes().find(({ kind }) => kind === 'truncated')).toEqual({
      kind: 'truncated',
      lostBytes: null,
    });
  });

  it('reads a line of 100 MB and the hole of a writer that does not append, in bounded memory', async () => {
    const path = join(tempFolder(), 'server.log');
    const file = openSync(path, 'w');
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let n = 0; n < 100; n += 1) writeSync(file, piece);
    writeSync(file, '\n');
    writeSync(file, 'after a hole\n', 100 * piece.length + 1 + 4096);
    closeSync(file);
    const log = watch(path);
    await until(() => log.lines.length === 2, 'both lines are there');
    expect(log.lines[0]?.text).toMatch(/^x+ … 104787968 bytes left out … x+$/);
    expect(log.lines[1]?.text).toBe('[4096 NUL bytes]after a hole');
  });

  it.each([
    ['a named pipe', 'It is a named pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['a link to a device', 'It is a device', (path: string) => symlinkSync('/dev/zero', path)],
  ])('does not hang on %s, and says what it is', async (_, reason, make) => {
    const path = join(tempFolder(), 'server.log');
    make(path);
    const log = watch(path);
    await until(() => log.kinds().includes('unreadable'), 'it is unreadable');
    expect(log.changes().at(-1)).toEqual({ kind: 'unreadable', reason });
    rmSync(path);
    writeFileSync(path, 'ok\n');
    await until(() => log.lines.length === 1, 'it is read');
  });

  it('begins with the last lines and stops at the end where it is asked to, over rotations', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'one\ntwo\nthree\nfour');
    const { host } = cuttableHost();
    const bytes: Buffer[] = [];
    const changes: string[] = [];
    const follower = createFollower({
      path,
      lastLines: 2,
      onBytes: (piece) => bytes.push(Buffer.from(piece)),
      onChange: ({ kind }) => changes.push(kind),
      script: { shell },
    });
    const never = new AbortController().signal;
    await follower.runToEnd(host, never);
    expect(Buffer.concat(bytes).toString()).toBe('three\nfour');
    appendFileSync(path, '4\n');
    renameSync(path, `${path}.1`);
    await clockMovedOn(`${path}.1`);
    writeFileSync(path, 'five\n');
    await clockMovedOn(path);
    renameSync(path, `${path}.0`);
    await follower.runToEnd(host, never);
    expect(Buffer.concat(bytes).toString()).toBe('three\nfour4\nfive\n');
    writeFileSync(path, 'six\n');
    await follower.runToEnd(host, never);
    expect(Buffer.concat(bytes).toString()).toBe('three\nfour4\nfive\nsix\n');
    expect(changes).not.toContain('gap');
  });

  it('reads no further while its reader is behind', async () => {
    const path = join(tempFolder(), 'server.log');
    const size = 8 * 1024 * 1024;
    writeFileSync(path, Buffer.alloc(size, 'a line\n'));
    const { host } = cuttableHost();
    let got = 0;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    const follower = createFollower({
      path,
      onBytes: (piece) => {
        got += piece.length;
        isHeld = true;
      },
      onChange: () => {},
      drained: () => (isHeld ? held : null),
      script: { shell },
    });
    running((signal) => follower.run(host, signal));
    await until(() => got > 0, 'it has begun');
    let ticks = 0;
    const looks = setInterval(() => {
      ticks += 1;
    }, 10);
    later(() => clearInterval(looks));
    await until(() => ticks > 50, 'half a second has passed');
    expect(got).toBeLessThan(size / 4);
    release();
    await until(() => got === size, 'the rest has come');
  });

  it('leaves no process behind when its channel is closed', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'one\n');
    const log = watch(path);
    await until(() => log.lines.length === 1, 'it is read');
    expect(log.sessions().length).toBeGreaterThan(0);
    await log.stop();
    await until(() => log.sessions().length === 0, 'nothing is left', wellBeforeDeadManMs);
  });
});

describe.skipIf(process.getuid?.() !== 0)('a log of another user', () => {
  function watchAsNobody(path: string) {
    const local = localHost();
    later(() => local.close());
    const asNobody = {
      ...local,
      exec: (command: string) =>
        local.exec(command.replace(/^exec /, 'exec setpriv --reuid 65534 --clear-groups ')),
    };
    const seen = recorder();
    const probe = createLogProbe({ path, emit: seen.emit, now: Date.now });
    running((signal) => probe.run(asNobody, signal));
    return seen;
  }

  it('is unreadable with the reason, until it may be read', async () => {
    const folder = tempFolder();
    chmodSync(folder, 0o755);
    const path = join(folder, 'secret.log');
    writeFileSync(path, 'one\n');
    chmodSync(path, 0o600);
    const seen = watchAsNobody(path);
    await until(() => seen.kinds().includes('unreadable'), 'it is unreadable');
    expect(seen.changes().at(-1)).toEqual({ kind: 'unreadable', reason: 'Permission denied' });
    chmodSync(path, 0o644);
    await until(() => seen.lines.length === 1, 'it is read');
  });

  it('is unreadable, not missing, in a folder that may not be entered', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'one\n');
    const seen = watchAsNobody(path);
    await until(() => seen.changes().length > 0, 'something is known');
    expect(seen.changes()[0]).toEqual({ kind: 'unreadable', reason: 'Permission denied' });
  });
});
