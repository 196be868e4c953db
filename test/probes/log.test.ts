import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localHost } from '../../src/host/local.js';
import { createLogProbe } from '../../src/probes/log.js';
import { shells } from '../remote/shells.js';
import { cuttableHost, later, recorder, running, start, tempFolder, until } from './support.js';

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
    await until(() => log.lines.length >= total, 'every line is there', 60_000);
    expect(writer.exitCode ?? 0).toBe(0);
    const sha = (lines: readonly string[]) => createHash('sha256').update(lines.join('\n')).digest('hex');
    expect(sha(log.texts())).toBe(sha(Array.from({ length: total }, (_, n) => `líne ${n}`)));
    expect(log.kinds().filter((kind) => kind === 'rotated').length).toBeGreaterThanOrEqual(3);
  });

  it('leaves no process behind when its channel is closed', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'one\n');
    const log = watch(path);
    await until(() => log.lines.length === 1, 'it is read');
    expect(log.sessions().length).toBeGreaterThan(0);
    await log.stop();
    await until(() => log.sessions().length === 0, 'nothing is left', 5000);
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
