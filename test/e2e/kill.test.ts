import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunOptions, run } from '../cli/run-program.js';
import { isAlive, python } from '../runtime/actions/support/workbench.js';
import { available } from '../support/available.js';
import { until } from '../support/until.js';

const nobody = 65_534;

/** Forks `other` beside `server`, each of which tells its pid in a file. */
const two = (server: string, other: string): string => `
import os, socket, sys, time
def note(name):
    open(name + '.new', 'w').write(str(os.getpid())); os.rename(name + '.new', name)
def listen(port):
    one = socket.socket(); one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    one.bind(('127.0.0.1', port)); one.listen(); return one
mine = listen(0)
if os.fork() == 0:
    ${other}
    note('other'); time.sleep(300)
${server}
print('hello', flush=True)
note('server'); time.sleep(300)
`;

describe.skipIf(!available('procfs'))('what a kill cannot end', () => {
  let folder: string;
  let pids: readonly number[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-kill-'));
    chmodSync(folder, 0o777);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

  async function start(
    name: string,
    program: string,
  ): Promise<{ server: number; other: number; log: string }> {
    const cwd = join(folder, name);
    mkdirSync(cwd);
    chmodSync(cwd, 0o777);
    const log = join(cwd, 'log');
    const line = `exec "${python}" -c "$0" >>"${log}" 2>&1`;
    spawn('sh', ['-c', line, program], { cwd, stdio: 'ignore', detached: true }).unref();
    const pid = async (file: string): Promise<number> =>
      Number(await until(() => existsSync(join(cwd, file)) && readFileSync(join(cwd, file), 'utf8'), file));
    const [server, other] = [await pid('server'), await pid('other')];
    pids = [server, other];
    return { server, other, log };
  }

  async function firedup(args: readonly string[], options: RunOptions = {}) {
    const state = join(folder, `state-${options.uid ?? 'me'}`);
    mkdirSync(state, { recursive: true });
    if (options.uid !== undefined) chownSync(state, options.uid, options.uid);
    return run(args, { cwd: '/', env: { XDG_STATE_HOME: state, HOME: state }, ...options });
  }

  const end = (): void => {
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  };

  it('is told with exit code 7 where somebody else keeps its port', async () => {
    // Who shares the port is a program of its own: an orphan in a session of its own that was there before.
    const apart = 'port = mine.getsockname()[1]; mine.close(); own = listen(port); os.setsid()';
    const program = two('', apart).replace(
      'if os.fork() == 0:',
      'if os.fork() == 0:\n    if os.fork(): os._exit(0)',
    );
    const { server, other } = await start('port', program);
    try {
      const target = ['local', '--pid', String(server), '--yes', '--grace', '1s'];
      const killed = await firedup(['kill', ...target]);
      expect([killed.code, killed.out]).toEqual([7, expect.stringMatching(/port \d+/)]);
      expect([isAlive(server), isAlive(other)]).toEqual([false, true]);
    } finally {
      end();
    }
  });

  describe.skipIf(process.getuid?.() !== 0)('of another user', () => {
    it('is told with exit code 7, and not tried', async () => {
      const { server, other } = await start('tree', two(`os.setuid(${nobody})`, 'mine.close()'));
      try {
        const target = ['local', '--pid', String(server), '--yes', '--grace', '1s'];
        const killed = await firedup(['kill', ...target], { uid: nobody });
        expect([killed.code, killed.out]).toEqual([
          7,
          expect.stringContaining(`still there: ${other} (root`),
        ]);
        expect(killed.out).toContain('not tried: it is of another user');
        expect([isAlive(server), isAlive(other)]).toEqual([false, true]);
      } finally {
        end();
      }
    });

    it('is watched by its log, and neither relaunched nor signalled', async () => {
      const { server, other, log } = await start('theirs', two('', ''));
      try {
        const wait = await firedup(['wait', 'local', '--log', log, '--timeout', '10s'], { uid: nobody });
        expect([wait.code, wait.out]).toEqual([4, expect.stringContaining('cannot be looked into')]);
        const target = ['local', '--pid', String(server), '--yes', '--grace', '1s'];
        const again = await firedup(['relaunch', ...target], { uid: nobody });
        expect([again.code, again.err]).toEqual([
          7,
          expect.stringContaining('Its environment cannot be read'),
        ]);
        expect(again.err).toContain('nothing was started');
        const killed = await firedup(['kill', ...target], { uid: nobody });
        expect([killed.code, killed.out]).toEqual([7, expect.stringContaining('not tried')]);
        expect([isAlive(server), isAlive(other)]).toEqual([true, true]);
      } finally {
        end();
      }
    });
  });
});
