import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLogProbe } from '../../src/probes/log.js';
import { shells } from '../remote/shells.js';
import { until } from '../support/until.js';
import { cuttableHost, recorder, running, tempFolder } from './support.js';

describe.each(shells)('a log that changed while nobody looked, with $name', ({ command }) => {
  function watch(path: string) {
    const seen = recorder();
    const probe = createLogProbe({
      path,
      emit: seen.emit,
      now: Date.now,
      script: { shell: command.join(' ') },
    });
    const { host } = cuttableHost();
    const begin = () => running((signal) => probe.run(host, signal));
    const rotations = () =>
      seen.changes().flatMap((change) => (change.kind === 'rotated' ? [change.late] : []));
    return { ...seen, begin, rotations, ...begin() };
  }

  it('goes on where it was when it is out of reach at first, as on a share that is mounted later', async () => {
    const folder = tempFolder();
    const path = join(folder, 'server.log');
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(path, 'one\ntwo\n');
    const log = watch(path);
    await until(() => log.lines.length === 2, 'it is read');
    await log.stop();
    renameSync(path, join(elsewhere, 'server.log'));
    log.begin();
    await until(() => log.kinds().includes('missing'), 'it is missing');
    appendFileSync(join(elsewhere, 'server.log'), 'three\n');
    renameSync(join(elsewhere, 'server.log'), path);
    await until(() => log.lines.length >= 3, 'the next line is there');
    appendFileSync(path, 'four\n');
    await until(() => log.texts().includes('four'), 'it is followed');
    expect(log.texts()).toEqual(['one', 'two', 'three', 'four']);
    expect(log.kinds()).not.toContain('gap');
  });

  it('tells a rotation that it did not see from one that it saw', async () => {
    const path = join(tempFolder(), 'server.log');
    writeFileSync(path, 'one\n');
    const log = watch(path);
    await until(() => log.lines.length === 1, 'it is read');
    await log.stop();
    renameSync(path, `${path}.1`);
    writeFileSync(path, 'two\n');
    log.begin();
    await until(() => log.lines.length === 2, 'the next file is read');
    renameSync(path, `${path}.2`);
    writeFileSync(path, 'three\n');
    await until(() => log.lines.length === 3, 'the one after it is read');
    expect(log.rotations()).toEqual([true, false]);
    expect(log.kinds()).not.toContain('gap');
  });

  it('says that something may be missing where a file is gone of which not a byte had been read', async () => {
    const folder = tempFolder();
    const path = join(folder, 'server.log');
    writeFileSync(path, '');
    const log = watch(path);
    await until(() => log.kinds().includes('caught-up'), 'it is open');
    await log.stop();
    appendFileSync(path, 'nobody will read this\n');
    // Beside it while it is still there, so that it is not the same inode again.
    writeFileSync(join(folder, 'next'), 'one\n');
    renameSync(join(folder, 'next'), path);
    log.begin();
    await until(() => log.lines.length === 1, 'the next file is read');
    expect(log.changes().filter(({ kind }) => kind === 'gap')).toEqual([{ kind: 'gap', bytes: null }]);
  });
});
