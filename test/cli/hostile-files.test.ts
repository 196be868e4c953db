import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from './run-program.js';

const MB = 1_000_000;
const opening = "[2026-03-01 12:00:00] server_args=ServerArgs(model_path='/models/demo', tp_size=1)\n";
const crash = [
  '[2026-03-01 12:00:09 TP0] Scheduler hit an exception: Traceback (most recent call last):',
  '  File "/opt/sglang/srt/managers/scheduler.py", line 2000, in run_scheduler_process',
  'RuntimeError: something broke\n',
].join('\n');

const bar = (done: number): string =>
  `Loading safetensors checkpoint shards: ${done % 101}% Completed | ${done % 101}/100 [00:10<00:20,  2.30it/s]`;

// Each would take a careless reader minutes or gigabytes: the limit of the test is the check.
const bodies: readonly (readonly [string, () => string])[] = [
  ['10 MB without a newline', () => 'x'.repeat(10 * MB)],
  ['10 MB of escape sequences', () => '\x1b[31m'.repeat(2 * MB)],
  ['10 MB of unfinished escape sequences', () => '\x1b['.repeat(5 * MB)],
  ['10 MB of carriage returns', () => '\r'.repeat(10 * MB)],
  [
    '10,000 frames of a bar on one line',
    () => Array.from({ length: 10_000 }, (_, index) => bar(index)).join('\r'),
  ],
  ['10 MB of blanks', () => ' '.repeat(10 * MB)],
  ['10 MB of newlines', () => '\n'.repeat(10 * MB)],
  ['5 MB of lines with half a prefix', () => '[2026-03-01 12:00:01 TP0\n'.repeat(200_000)],
  ['5 MB of headers of tracebacks', () => 'Traceback (most recent call last):\n'.repeat(140_000)],
  ['5 MB of frames without an end', () => '  File "/opt/x.py", line 1, in f\n    f()\n'.repeat(120_000)],
  ['5 MB of errors', () => 'RuntimeError: Gloo connectFullMesh failed\n'.repeat(120_000)],
  [
    '5 MB of words that rules begin with',
    () => 'Load weight begi Capture cuda grap out of memor \n'.repeat(100_000),
  ],
  ['lines of 60 KB of regex bait', () => `${'a.'.repeat(30_000)}!\n`.repeat(100)],
  ['5 MB of half a JSON record', () => `{"log":"${'\\"'.repeat(2.5 * MB)}`],
];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firedup-hostile-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('a log with', () => {
  it.each(bodies)(
    '%s is read in one go, and its end is judged',
    async (_what, body) => {
      const path = join(folder, 'hostile.log');
      writeFileSync(path, `${opening}${body()}\n${crash}`);
      const { code, out, err } = await run(['triage', path, '--json'], {
        env: { NODE_OPTIONS: '--max-old-space-size=200' },
      });
      expect({ code, err }).toEqual({ code: 1, err: '' });
      expect(JSON.parse(out)).toMatchObject({ engine: 'sglang', outcome: 'crashed' });
    },
    60_000,
  );

  it('a thousandfold of its size packed in it is read as it comes', async () => {
    const path = join(folder, 'bomb.log.gz');
    const line = `${'x'.repeat(999)}\n`;
    writeFileSync(path, Buffer.concat([gzipSync(opening), gzipSync(line.repeat(100_000)), gzipSync(crash)]));
    const { code } = await run(['triage', path, '--json'], {
      env: { NODE_OPTIONS: '--max-old-space-size=100' },
    });
    expect(code).toBe(1);
  }, 60_000);
});
