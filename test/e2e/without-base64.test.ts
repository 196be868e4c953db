import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { available, pathOf } from '../support/available.js';
import { pathWithout } from '../support/path-without.js';
import { firedup, stopPrograms } from '../support/program.js';
import { type Sshd, startSshd } from '../support/sshd.js';
import { until } from '../support/until.js';

// Every script of ours is carried by some command here; one that came by `base64` alone would fail.
describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'procfs'))('a host without base64', () => {
  let sshd: Sshd | null = null;
  const folder = mkdtempSync(join(tmpdir(), 'firedup-nob64-'));

  afterEach(async () => {
    await stopPrograms();
    await sshd?.stop();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(['dash', 'fish'] as const)('and a login shell %s', (name) => {
    it.skipIf(!available(name))('launches, follows, looks, dumps, kills and reads as any other', async () => {
      const shell = pathOf(name) ?? name;
      const bin = pathWithout(join(folder, name), 'base64');
      const force = `ForceCommand exec env SHELL=${shell} ${shell} -c "$SSH_ORIGINAL_COMMAND"`;
      sshd = await startSshd({ config: [`SetEnv PATH=${bin} HOME=${join(folder, name, 'home')}`, force] });
      mkdirSync(join(folder, name, 'home'));
      const where = [sshd.label, '-F', sshd.sshConfig()];
      const words = ['--', 'sh', '-c', 'echo its first line; echo its last line; exec sleep 600'];
      const say = async (...args: readonly string[]): Promise<string> => {
        const program = firedup(args);
        const code = await program.ended();
        const said = `${program.lines.map(({ text }) => text).join('\n')}\n${program.stderr()}`;
        expect(`${code} ${said}`).toMatch(/^0 /);
        return said;
      };
      expect(await say('launch', ...where, '--detach', ...words)).toMatch(/Attempt 1 of default runs as pid/);
      await until(
        async () => /its first line\nits last line/.test(await say('dump', ...where)),
        'both lines are dumped',
      );
      const wait = firedup(['wait', ...where, '--heartbeat', '1s']);
      await wait.waitFor(/process +pid \d+ is alive/);
      await wait.waitFor(/log +reading/);
      wait.signal('SIGINT');
      await wait.ended();
      expect(wait.stderr()).not.toMatch(/probe|base64/);
      expect(wait.lines.map(({ text }) => text).join('\n')).not.toMatch(/notice/);
      const tail = firedup(['tail', ...where, '-n', '+1']);
      await tail.waitFor(/its last line/);
      tail.signal('SIGINT');
      await tail.ended();
      const [, log = ''] = /log +reading (\S+),/.exec(wait.lines.map(({ text }) => text).join('\n')) ?? [];
      const triage = firedup(['triage', `127.0.0.1:${log}`, '-F', sshd.sshConfig()]);
      await triage.waitFor(/its last line/);
      expect(await say('kill', ...where, '--yes')).toMatch(/are gone/);
    });
  });
});
