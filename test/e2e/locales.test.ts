import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { firedup, stopPrograms } from '../support/program.js';
import { type Sshd, startSshd } from '../support/sshd.js';

/** Compiled into a folder of the test's own; a decimal comma, and an `i` that has another capital. */
const locales = ['de_DE', 'tr_TR'] as const;

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'locale-sources'))('in another language', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-locales-'));
    for (const name of locales)
      spawnSync('localedef', ['-i', name, '-f', 'UTF-8', join(folder, `${name}.UTF-8`)]);
  });
  afterAll(async () => {
    await stopPrograms();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is a locale in which numbers have a comma', () => {
    const env = { ...process.env, LOCPATH: folder, LC_ALL: 'de_DE.UTF-8' };
    expect(execFileSync('bash', ['-c', 'printf %.1f 1,5'], { env, encoding: 'utf8' })).toBe('1,5');
  });

  /** What doctor finds, and how a server's end is judged, with `locale` here and on the host. */
  async function looks(locale: string, transport: 'ssh' | 'ssh2') {
    const env = { LC_ALL: locale, LOCPATH: folder, POSIXLY_CORRECT: '1' };
    const sent = Object.entries(env).map(([name, value]) => `SetEnv ${name}=${value}`);
    const sshd: Sshd = await startSshd({ config: sent });
    try {
      const words = [sshd.label, '-F', sshd.sshConfig(), '--transport', transport];
      const doctor = firedup(['doctor', ...words, '--json'], { env });
      await doctor.ended();
      const { findings } = JSON.parse(doctor.lines.map(({ text }) => text).join('')) as {
        findings: readonly { readonly id: string; readonly level: string }[];
      };
      const log = join(sshd.folder, 'server.log');
      writeFileSync(
        log,
        'INFO 06-01 10:00:00 [api_server.py:1] vLLM API server version 0.11.0\nINFO:     Application startup complete.\n',
      );
      const wait = firedup(['wait', ...words, '--log', log, '--timeout', '20s'], { env });
      const code = await wait.ended();
      const verdict = wait.lines.findLast(({ text }) => /^[A-Z]+: /.test(text))?.text;
      return { found: findings.map(({ id, level }) => `${id}: ${level}`), code, verdict };
    } finally {
      await sshd.stop();
    }
  }

  it('finds and judges what it does in English', async () => {
    const [plain, german, turkish] = await Promise.all([
      looks('C.UTF-8', 'ssh2'),
      looks('de_DE.UTF-8', 'ssh2'),
      looks('tr_TR.UTF-8', 'ssh'),
    ]);
    expect(plain.found.length).toBeGreaterThan(5);
    expect(plain.verdict).toMatch(/was ready once/);
    expect(german).toEqual(plain);
    expect(turkish).toEqual(plain);
  });
});
