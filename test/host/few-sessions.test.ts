import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readyRun } from '../core/fold.js';
import { available } from '../support/available.js';
import { firedup, stopPrograms } from '../support/program.js';
import { startSshd } from '../support/sshd.js';

// The built program with log, process, telemetry and health, on servers that grant next to nothing.
describe.skipIf(!available('sshd', 'ssh', 'procfs'))('a watch over few sessions', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-few-'));
  });
  afterAll(async () => {
    await stopPrograms();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    [1, 'ssh2', 'yes'],
    [2, 'ssh2', 'yes'],
    [1, 'ssh2', 'no'],
    [1, 'ssh', 'yes'],
    [2, 'ssh', 'no'],
  ] as const)(
    'reaches its verdict with MaxSessions %i by %s, AllowTcpForwarding %s',
    async (count, transport, forwarding) => {
      const sshd = await startSshd({ config: [`MaxSessions ${count}`, `AllowTcpForwarding ${forwarding}`] });
      const log = join(folder, `server-${count}-${transport}-${forwarding}.log`);
      writeFileSync(log, `${lines()}\n`);
      const { server, port } = await serve(log);
      try {
        const words = ['-F', sshd.sshConfig(), '--transport', transport, '--log', log, '--port', port];
        const program = firedup(['wait', sshd.label, ...words]);
        expect(await program.ended(25_000)).toBe(0);
        const said = program.lines.map(({ text }) => text).join('\n');
        expect(said).toMatch(/verdict\s+READY/);
        expect(said + program.stderr()).not.toMatch(/probe/);
        expect(sshd.log().match(/Accepted publickey/g)).toHaveLength(1);
      } finally {
        server.kill('SIGKILL');
        await sshd.stop();
      }
    },
  );
});

/** A process that holds the log open and answers HTTP. */
async function serve(log: string): Promise<{ readonly server: ChildProcess; readonly port: string }> {
  const program = `
    require('node:fs').openSync(process.argv[1], 'a');
    require('node:http').createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1', function () {
      console.log(this.address().port);
    });`;
  const server = spawn(process.execPath, ['-e', program, log], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [port] = await once(server.stdout, 'data');
  return { server, port: String(port).trim() };
}

/** A start that is over, with stamps of now: one that ended long ago would be taken for an earlier run. */
function lines(): string {
  const now = new Date().toISOString().replace('T', ' ').slice(0, 19);
  return readyRun(0)
    .join('\n')
    .replaceAll(/\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, `[${now}`);
}
