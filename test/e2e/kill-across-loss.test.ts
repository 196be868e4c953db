import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { startLinkProxy } from '../support/link-proxy.js';
import { firedup, stopPrograms } from '../support/program.js';
import { startSshd } from '../support/sshd.js';
import { until } from '../support/until.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'procfs'))(
  'firedup kill, when the link breaks in it',
  () => {
    const undo: (() => unknown)[] = [];
    afterEach(async () => {
      await stopPrograms();
      for (const step of undo.splice(0).reverse()) await step();
    });

    it('sees the kill to its end on the next connection, and says what became of it', async () => {
      const sshd = await startSshd();
      undo.push(() => sshd.stop());
      const proxy = await startLinkProxy(sshd.port);
      undo.push(() => proxy.stop());
      const config = sshd.configBehind(proxy);
      // It takes TERM for nothing: the kill waits for its grace, and the link breaks meanwhile.
      const folder = mkdtempSync(join(tmpdir(), 'firedup-stubborn-'));
      undo.push(() => rmSync(folder, { recursive: true, force: true }));
      const up = join(folder, 'up');
      const stubborn = ['sh', '-c', 'trap "" TERM; touch "$0"; while :; do sleep 1; done', up];
      const launched = firedup(['launch', 'box', '-F', config, '--detach', '--', ...stubborn]);
      const { text } = await launched.waitFor(/runs as pid \d+/);
      const pid = Number(/pid (\d+)/.exec(text)?.[1]);
      undo.push(() => {
        try {
          process.kill(-pid, 'SIGKILL');
        } catch {
          // It is gone, as it should be.
        }
      });
      await launched.ended();
      await until(() => existsSync(up), 'it takes no notice of TERM any more');
      const kill = firedup(['kill', 'box', '-F', config, '--yes', '--grace', '6s']);
      await expect.poll(() => kill.stderr()).toMatch(/SIGTERM|TERM|asked/);
      proxy.reset();
      expect(await kill.ended()).toBe(0);
      expect(kill.lines.map((line) => line.text).join('\n')).toMatch(`pid ${pid} and its tree are gone`);
      expect(kill.stderr()).toMatch(/connecting again to see what has become of it/);
      expect(() => process.kill(pid, 0)).toThrow();
    });
  },
);
