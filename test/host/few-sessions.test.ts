import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readyRun } from '../core/fold.js';
import { available } from '../support/available.js';
import { connectionsTo } from '../support/connections.js';
import { firedup, stopPrograms } from '../support/program.js';
import { startSshd } from '../support/sshd.js';
import { openTmux } from '../support/tmux.js';
import { until } from '../support/until.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

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
        expect(await program.ended()).toBe(0);
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

// On the screen all of it is at work on one connection: log, process, telemetry, health, and then a kill.
describe.skipIf(!available('sshd', 'ssh', 'procfs', 'tmux'))('a screen over few sessions', () => {
  it.concurrent.for([
    [1, 'ssh2'],
    [2, 'ssh2'],
    [10, 'ssh2'],
    [1, 'ssh'],
  ] as const)(
    'shows all there is and kills the server with MaxSessions %i by %s, on one connection',
    async ([count, transport], { onTestFinished }) => {
      const folder = mkdtempSync(join(tmpdir(), 'firedup-few-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const sshd = await startSshd({ config: [`MaxSessions ${count}`, 'SetEnv PATH=%d/bin:/usr/bin:/bin'] });
      onTestFinished(() => sshd.stop());
      const log = join(folder, 'server.log');
      writeFileSync(log, `${lines()}\n`);
      const { server, port } = await serve(log);
      const ended = once(server, 'exit');
      mkdirSync(join(sshd.folder, 'bin'));
      fakeGpu(join(sshd.folder, 'bin'), server);
      onTestFinished(() => void server.kill('SIGKILL'));
      const words = ['-F', sshd.sshConfig(), '--transport', transport, '--log', log, '--port', port];
      const pane = openTmux({
        command: [process.execPath, bin, 'watch', sshd.label, ...words].join(' '),
        columns: 120,
        rows: 40,
        env: { XDG_STATE_HOME: folder },
      });
      onTestFinished(() => pane.close());
      const shows = (pattern: RegExp) => pane.waitFor((rows) => pattern.test(rows.join('\n')));
      await shows(/READY/);
      await shows(/1 × Few Sessions ─/);
      await shows(/ready to roll/);
      const connections = () => connectionsTo(sshd.port).size;
      expect(connections()).toBe(1);
      pane.keys('K');
      await shows(new RegExp(`${server.pid}[\\s\\S]*Cancel`));
      pane.keys('y');
      await ended;
      await shows(/STOPPED/);
      expect(connections()).toBe(1);
      expect(sshd.log().match(/Accepted publickey/g)).toHaveLength(1);
      pane.keys('q');
      await until(() => connections() === 0, 'the connection is closed');
    },
  );
});

/** A `nvidia-smi` that knows one card, whose memory the server holds; it tells the fields that it is asked for. */
function fakeGpu(folder: string, server: ChildProcess): void {
  const script = `#!/bin/sh
for word; do
  case $word in --query-gpu=*) fields=\${word#*=} ;; esac
done
IFS=,
for field in $fields; do
  case $field in
    index) value=0 ;; uuid) value=GPU-1 ;; name) value='Few Sessions' ;;
    memory.total) value=80000 ;; memory.used) value=40000; [ -e /proc/${server.pid} ] || value=0 ;; utilization.gpu) value=71 ;;
    *) value='[N/A]' ;;
  esac
  printf '%s%s' "$comma" "$value"
  comma=', '
done
echo
`;
  writeFileSync(join(folder, 'nvidia-smi'), script, { mode: 0o755 });
}

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
