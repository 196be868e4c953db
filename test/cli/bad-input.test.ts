import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { until } from '../support/until.js';
import { bin, type Ran, run, runCommand } from './run-program.js';

const log = [
  "[2026-03-01 12:00:00] server_args=ServerArgs(model_path='/models/demo', tp_size=1)",
  '[2026-03-01 12:00:01] Erkläre 請用中文 😀',
  '[2026-03-01 12:00:02 TP0] Load weight begin. avail mem=140.00 GB',
  '[2026-03-01 12:00:09 TP0] Scheduler hit an exception: Traceback (most recent call last):',
  '  File "/opt/sglang/srt/managers/scheduler.py", line 2000, in run_scheduler_process',
  'RuntimeError: something broke 😀',
  '',
].join('\n');

/** Lines that do not pack well. */
const noise = Array.from({ length: 4000 }, (_, index) => `${index} ${Math.sin(index)}\n`).join('');

let folder: string;
const file = (name: string): string => join(folder, name);

/** Writes a log of that name and triages it. */
async function triage(name: string, bytes: string | Buffer, args: readonly string[] = []): Promise<Ran> {
  writeFileSync(file(name), bytes);
  return run(['triage', file(name), ...args]);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firedup-input-'));
  // The test that changes its user must get in.
  chmodSync(folder, 0o755);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('a log in another dress is read as the same log', () => {
  let plain: string;

  beforeAll(async () => {
    const { code, out, err } = await triage('plain.log', log, ['--json']);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    plain = out;
  });

  const utf16 = Buffer.from(`\ufeff${log}`, 'utf16le');
  it.each<[string, Buffer]>([
    ['gzip', gzipSync(log)],
    ['gzip, several members', Buffer.concat([gzipSync(log.slice(0, 200)), gzipSync(log.slice(200))])],
    ['gzip in gzip', gzipSync(gzipSync(log))],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${log}`)],
    ['UTF-16, little end first', utf16],
    ['UTF-16, big end first', Buffer.from(utf16).swap16()],
    ['UTF-16 in gzip', gzipSync(utf16)],
    ['lines that end in CR LF', Buffer.from(log.replaceAll('\n', '\r\n'))],
  ])('%s', async (_what, bytes) => {
    const { code, out, err } = await triage('dressed.log', bytes, ['--json']);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const { bytes: _read, ...report } = JSON.parse(out);
    expect(report).toMatchObject(withoutBytes(plain));
  });

  it('on standard input too', async () => {
    const { code, out } = await run(['triage', '--json'], { stdin: gzipSync(log) });
    expect(code).toBe(1);
    expect(out).toBe(plain);
  });

  it('through a named pipe', async () => {
    execFileSync('mkfifo', [file('pipe')]);
    const ended = run(['triage', file('pipe'), '--json']);
    await runCommand('sh', ['-c', 'cat "$1" >"$2"', 'sh', file('plain.log'), file('pipe')]);
    expect(await ended).toEqual({ code: 1, out: plain, err: '' });
  });

  it('from a writer that takes its time, with a word about the wait', async () => {
    const child = spawn(process.execPath, [bin, 'triage', '--json'], { stdio: ['pipe', 'pipe', 'pipe'] });
    const said = new Promise<string>((resolve) => child.stderr.setEncoding('utf8').once('data', resolve));
    expect(await said).toMatch(/^firedup: Standard input has said nothing yet; waiting for its writer\.$/m);
    const out = new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
    child.stdin.end(log);
    expect(await out).toBe(plain);
  });

  it.skipIf(!available('bash'))('from a process substitution of a shell', async () => {
    const command = `"${process.execPath}" "${bin}" triage --json <(cat "${file('plain.log')}")`;
    expect(await runCommand('bash', ['-c', command])).toEqual({ code: 1, out: plain, err: '' });
  });

  it('under a name with a colon, a name with a newline, and behind a link', async () => {
    for (const name of ['box:server.log', 'two\nlines.log'])
      expect((await triage(name, log, ['--json'])).out).toBe(plain);
    symlinkSync(file('plain.log'), file('link.log'));
    expect((await run(['triage', file('link.log'), '--json'])).out).toBe(plain);
    expect((await run(['triage', 'box:server.log', '--json'], { cwd: folder })).out).toBe(plain);
  });
});

describe('what could be read is reported, with a word about the rest', () => {
  it('of gzip that is cut short: every line before the cut', async () => {
    const packed = gzipSync(log + noise);
    const { code, out, err } = await triage('cut.log.gz', packed.subarray(0, packed.length / 2), ['--json']);
    expect(err).toMatch(/^firedup: .*cut\.log\.gz is cut short: its packed data ends in the middle\./);
    expect(code).toBe(1);
    expect(JSON.parse(out).rootCause.line).toBe('RuntimeError: something broke 😀');
    expect(JSON.parse(out).lines).toBeGreaterThan(1000);
  });

  it('of gzip that is cut in its checksum', async () => {
    const { code, err } = await triage('cut-end.gz', gzipSync(log).subarray(0, -4));
    expect(err).toMatch(/cut short/);
    expect(code).toBe(1);
  });

  it('of gzip that is damaged: all but what stands just before the fault', async () => {
    const packed = gzipSync(log + noise);
    packed.fill(0xff, packed.length / 2, packed.length / 2 + 100);
    const { code, out, err } = await triage('damaged.gz', packed, ['--json']);
    expect(err).toMatch(/damaged\.gz is damaged: its packed data cannot be read to the end\./);
    expect(code).toBe(1);
    expect(JSON.parse(out).lines).toBeGreaterThan(1000);
  });

  it('but gzip of which nothing can be read is refused', async () => {
    const packed = gzipSync(log);
    expect(await triage('head.gz', packed.subarray(0, 12))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/head\.gz is cut short/),
    });
    expect(await triage('false.gz', packed.fill(0xff, 10, 60))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/false\.gz is damaged: its packed data cannot be read\./),
    });
  });

  it('of bad UTF-8, which is shown as such', async () => {
    const bad = Buffer.from(log.replace('Erkläre', 'Erkl?re'));
    bad[bad.indexOf('?')] = 0xe4;
    const { code, out, err } = await triage('latin1.log', bad);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toContain('Erkl\ufffdre 請用中文');
  });

  it('of a file with a hole of NULs', async () => {
    const { code, out } = await triage('hole.log', Buffer.concat([Buffer.alloc(100_000), Buffer.from(log)]));
    expect(code).toBe(1);
    expect(out).toContain('RuntimeError: something broke');
  });

  it.each([
    ['empty.log', ''],
    ['empty.log.gz', gzipSync('')],
    ['mark.log', '\ufeff'],
  ])('of an empty one: %s', async (name, bytes) => {
    const { code, out, err } = await triage(name, bytes, ['--json']);
    expect(err).toMatch(/^firedup: .*is empty\.$/m);
    expect(code).toBe(4);
    expect(JSON.parse(out)).toMatchObject({ outcome: 'unknown', lines: 0 });
  });

  it('of a file that grows meanwhile: up to the size that it had', async () => {
    const path = file('grows.log');
    writeFileSync(path, log);
    const writer = spawn('sh', ['-c', 'while :; do echo more; done >>"$1"', 'sh', path], { stdio: 'ignore' });
    try {
      await until(() => statSync(path).size > log.length + 100, 'it grows');
      // A reader that ran after its writer would never come to an end.
      const { code, out } = await run(['triage', path, '--json']);
      expect(code).toBe(1);
      const { lines } = JSON.parse(out);
      await until(() => readFileSync(path, 'utf8').split('\n').length - 1 > lines, 'it has grown since');
    } finally {
      writer.kill('SIGKILL');
    }
  });
});

describe('what is no log is refused with code 2', () => {
  const random = Buffer.from(
    Array.from({ length: 5000 }, (_, index) => (index * index * 31 + index * 7) & 0xff),
  );
  it.each<[string, Buffer, RegExp]>([
    ['binary', random, /is no text: binary data/],
    ['a program', readFileSync(process.execPath).subarray(0, 10_000), /is no text: a program \(ELF\)/],
    ['a model', Buffer.from('GGUF\x03\0\0\0'), /is no text: a GGUF model/],
    ['safetensors', Buffer.from('\x10\x27\0\0\0\0\0\0{"lm_head.weight":{"dtype":"BF16"}}'), /safetensors/],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2]), /packed with zstd, which firedup does not read/],
    ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 1]), /packed with xz/],
    ['bzip2', Buffer.from('BZh91AY'), /packed with bzip2/],
    ['zip', Buffer.from('PK\x03\x04..'), /packed with zip/],
    ['binary in gzip', gzipSync(random), /What is packed in .* is no text/],
  ])('%s', async (_what, bytes, message) => {
    const { code, out, err } = await triage('wrong', bytes);
    expect(err).toMatch(message);
    expect(err.split('\n')[1]).toMatch(/^ {2}\S/);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  it('a folder', async () => {
    const { code, err } = await run(['triage', folder]);
    expect(err).toMatch(/is a folder, not a log\.\n {2}Name the log file in it/);
    expect(code).toBe(2);
  });

  it('a device that never ends', async () => {
    const { code, err } = await run(['triage', '/dev/zero']);
    expect(err).toMatch(/is a device, not a log/);
    expect(code).toBe(2);
  });

  it('a file without permission', async () => {
    writeFileSync(file('secret.log'), log);
    chmodSync(file('secret.log'), 0);
    const uid = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const { code, err } = await run(['triage', file('secret.log')], uid);
    expect(err).toMatch(/secret\.log cannot be read: no permission\./);
    expect(code).toBe(2);
  });

  it('a file that is not there, and a link that leads in a circle', async () => {
    expect(await run(['triage', file('none.log')])).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /There is no file .*none\.log\.\n {2}A log on another host is named HOST:PATH/,
      ),
    });
    writeFileSync(file('firedup.yaml'), 'targets: { big: { host: gpu-17, command: serve } }');
    expect(await run(['triage', 'big', '--config', file('firedup.yaml')])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/There is no file big\.\n {2}big is a target of the config: .* big:PATH/),
    });
    symlinkSync(file('circle'), file('circle'));
    expect(await run(['triage', file('circle')])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/lead in a circle/),
    });
  });

  it('HOST:PATH where there is no such host: says that it was taken for one', async () => {
    const { code, err } = await run(['triage', 'no-such-host.invalid:server.log']);
    expect(err).toMatch(/no-such-host\.invalid/);
    expect(code).toBe(5);
  });
});

describe('standard input that gives no log is refused with code 2', () => {
  it.each([
    ['closed', '<&-'],
    ['/dev/null', '</dev/null'],
  ])('%s', async (_what, redirection) => {
    const command = `exec "${process.execPath}" "${bin}" triage ${redirection}`;
    const { code, err } = await runCommand('sh', ['-c', command]);
    expect(err).toMatch(
      /Standard input is closed: there is no log to read\.\n {2}Name a log file or HOST:PATH/,
    );
    expect(code).toBe(2);
  });

  it('a folder, and one that is open for writing', async () => {
    const node = `exec "${process.execPath}" "${bin}" triage`;
    expect(await runCommand('sh', ['-c', `${node} <"${folder}"`])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Standard input is a folder/),
    });
    expect(await runCommand('sh', ['-c', `${node} 0>"${file('written')}"`])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Standard input cannot be read: it is not open for reading/),
    });
  });

  it.skipIf(!available('python3'))('a terminal', async () => {
    const pty = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';
    const { code, out } = await runCommand('python3', ['-c', pty, process.execPath, bin, 'triage']);
    expect(out).toMatch(/Standard input is a terminal: there is no log to read/);
    expect(code).toBe(2);
  });

  it('an empty pipe is an empty log', async () => {
    const { code, err } = await run(['triage', '-'], { stdin: '' });
    expect(err).toBe('firedup: Standard input is empty.\n');
    expect(code).toBe(4);
  });
});

it('the last lines are as many as asked for, also none', async () => {
  expect((await triage('lines.log', log, ['-n', '0'])).out).not.toContain('Last');
  expect((await triage('lines.log', log, ['-n', '2'])).out).toMatch(
    /Last 2 lines\n.*scheduler.py.*\n.*broke 😀\n$/,
  );
});

function withoutBytes(json: string): object {
  const { bytes: _bytes, ...report } = JSON.parse(json);
  return report;
}
