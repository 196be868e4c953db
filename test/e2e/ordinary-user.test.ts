import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));
const uid = 65534;

/** `firedup ARGS` as a user who may not do everything, with a home of its own. */
function asUser(home: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const ids = ['--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
  const { status, stdout, stderr } = spawnSync('setpriv', [...ids, process.execPath, bin, ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', ...env },
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { status, said: stdout + stderr };
}

const canBeAnother = process.getuid?.() === 0 && existsSync(bin) && asUser('/', ['--version']).status === 0;

describe.skipIf(!canBeAnother)(
  'an ordinary user (needs root and setpriv, to become one that may read this)',
  () => {
    let folder: string;
    let home: string;
    /** Root's: may be looked into, and not written. */
    let locked: string;
    let foreign: ChildProcess;

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'firedup-user-'));
      chmodSync(folder, 0o1777);
      [home, locked] = [join(folder, 'home'), join(folder, 'locked')];
      for (const path of [home, locked]) mkdirSync(path, { mode: 0o755 });
      chownSync(home, uid, uid);
      foreign = spawn('sleep', ['300'], { stdio: 'ignore', cwd: locked });
    });
    afterAll(() => {
      foreign.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });

    const firedup = (...args: readonly string[]) => asUser(home, args);
    const launch = (...more: readonly string[]) =>
      ['launch', 'local', '--name', 'a', '--detach', ...more, '--', 'sleep', '300'] as const;

    it('is told which log it may not read, and no verdict comes of that', () => {
      const log = join(folder, 'secret.log');
      writeFileSync(log, 'The server is fired up and ready to roll!\n', { mode: 0o600 });
      const { status, said } = firedup('wait', 'local', '--log', log, '--timeout', '60s');
      expect(said).toMatch(/the log cannot be read: Permission denied/);
      expect(said).not.toMatch(/READY|CRASHED/);
      expect(status).toBe(2);
    });

    it.each([
      ['in a folder that may not be written', () => join(locked, 'server.log')],
      ['of another user, in a folder for everybody', () => join(folder, 'of-root.log')],
      ['in a folder that cannot be made', () => join(locked, 'logs/server.log')],
    ])('starts nothing for a log %s', (_, path) => {
      writeFileSync(join(folder, 'of-root.log'), '', { mode: 0o644 });
      const { status, said } = firedup(...launch('--no-preflight', '--log', path()));
      expect(said).toMatch(/^firedup: The log .* cannot be (written|made)\./m);
      expect(status).toBe(2);
      expect(existsSync(join(home, '.local/state/firedup/a/1'))).toBe(false);
    });

    it('starts nothing where the attempt cannot be recorded, and hears so of what cannot be read', () => {
      const state = join(locked, 'state');
      const refused = asUser(home, launch('--no-preflight'), { XDG_STATE_HOME: state });
      expect(refused.said).toMatch(/The folder .*locked\/state\/firedup\/a on local cannot be made/);
      expect(refused.status).toBe(2);
      mkdirSync(join(state, 'firedup/a/1'), { recursive: true, mode: 0o700 });
      const asked = asUser(home, ['status', 'local'], { XDG_STATE_HOME: state });
      // In a column of its own, wrapped.
      const words = asked.said.replace(/\s+/g, ' ');
      expect(words).toMatch(
        /UNKNOWN What was launched on local is not known: the folder \S+locked\/state\S* cannot be read/,
      );
      expect(asked.said).not.toMatch(/not started|Nothing was launched/);
    });

    it('starts nothing beside an attempt of another user that it cannot look into', () => {
      const own = { XDG_STATE_HOME: join(home, 'state') };
      const name = join(own.XDG_STATE_HOME, 'firedup/a');
      mkdirSync(join(name, '1'), { recursive: true });
      chmodSync(join(name, '1'), 0o700);
      for (const path of [own.XDG_STATE_HOME, join(own.XDG_STATE_HOME, 'firedup'), name])
        chownSync(path, uid, uid);
      const { status, said } = asUser(home, launch('--no-preflight'), own);
      expect(said).toMatch(/firedup\/a\/1 (on local )?cannot be (read|looked into)/);
      expect(status).toBe(2);
      expect(existsSync(join(name, '2'))).toBe(false);
    });

    it('launches where it may, in a folder for everybody too, and ends that', () => {
      const log = join(folder, 'mine.log');
      expect(firedup(...launch('--no-preflight', '--log', log)).status).toBe(0);
      expect(firedup('status', 'local').said).toMatch(/^a +local +LOADING/m);
      expect(firedup('kill', 'local', '--name', 'a', '--yes')).toMatchObject({ status: 0 });
    });

    it('cannot end a server of another user, and is told whose it is', () => {
      const { status, said } = firedup('kill', 'local', '--pid', String(foreign.pid), '--yes');
      expect(said).toMatch(
        new RegExp(`still there: ${foreign.pid} \\(root, not tried: it is of another user`),
      );
      expect(status).toBe(7);
      const again = firedup('relaunch', 'local', '--pid', String(foreign.pid), '--yes', '--detach');
      expect(again.said).toMatch(/environment cannot be read/);
      expect(again.said).toMatch(/working folder cannot be read/);
      expect(again.status).toBe(7);
      expect(execFileSync('ps', ['-o', 'comm=', '-p', String(foreign.pid)], { encoding: 'utf8' })).toBe(
        'sleep\n',
      );
    });
  },
);
