import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readyRun } from '../core/fold.js';
import { available } from '../support/available.js';
import { type LinkProxy, startLinkProxy } from '../support/link-proxy.js';
import { firedup, stopPrograms } from '../support/program.js';
import { type Sshd, startSshd } from '../support/sshd.js';

describe.skipIf(!available('sshd', 'ssh', 'procfs'))('a link that breaks', () => {
  let sshd: Sshd;
  let proxy: LinkProxy;
  let folder: string;

  beforeAll(async () => {
    sshd = await startSshd();
    proxy = await startLinkProxy(sshd.port);
    folder = mkdtempSync(join(tmpdir(), 'firedup-link-'));
  });

  afterAll(async () => {
    await stopPrograms();
    await proxy?.stop();
    await sshd?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('makes the verdict unknown, never crashed, and the log goes on where it stopped', async () => {
    const log = join(folder, 'server.log');
    const lines = readyRun(0);
    writeFileSync(log, `${lines.slice(0, 3).join('\n')}\n`);
    const writer = spawn('sh', ['-c', 'exec sleep 600 >>"$0"', log], { stdio: 'ignore' });
    const config = sshd.configBehind(proxy);
    const program = firedup(['wait', 'box', '-F', config, '--log', log]);
    try {
      await program.waitFor(/is alive/);
      await program.waitFor(/phase\s+Load weights/);
      proxy.refuse(true);
      proxy.reset();
      await program.waitFor(/verdict\s+UNKNOWN/);
      // The stamps are of long ago, but the process is older in the log's own time: only the order counts here.
      appendFileSync(
        log,
        `${lines
          .slice(3)
          .join('\n')
          .replaceAll(/\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, `[${now()}`)}\n`,
      );
      proxy.refuse(false);
      await program.waitFor(/connected again/);
      expect(await program.ended()).toBe(0);
      const said = program.lines.map(({ text }) => text).join('\n');
      expect(said).not.toMatch(/CRASHED|gap in the log/);
      expect(said.match(/phase\s+Load weights$/gm)).toHaveLength(1);
    } finally {
      writer.kill('SIGKILL');
    }
  });
});

const now = (): string => new Date().toISOString().replace('T', ' ').slice(0, 19);
