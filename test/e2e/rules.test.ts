import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { crashedRun, readyRun } from '../core/fold.js';
import { available } from '../support/available.js';
import { firedup, type Program, stopPrograms } from '../support/program.js';
import { freePort } from '../support/sshd.js';

const serverScript = fileURLToPath(new URL('../fixtures/server.mjs', import.meta.url));

/** The contract's rules of a verdict, with real processes, files and ports of this machine. */
describe.skipIf(!available('procfs'))('the rules of a verdict on this machine', () => {
  let folder: string;
  const children: ChildProcess[] = [];
  const servers: Server[] = [];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-rules-'));
  });

  afterEach(() => {
    // The whole group: a shell's pipe partners would live on.
    for (const child of children.splice(0)) if (child.pid) process.kill(-child.pid, 'SIGKILL');
    for (const server of servers.splice(0)) server.close();
  });

  afterAll(async () => {
    await stopPrograms();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A log as a run left it, last changed that many seconds ago. Its stamps are of long ago. */
  function oldLog(name: string, lines: readonly string[], ageSeconds: number): string {
    const log = join(folder, name);
    writeFileSync(log, `${lines.join('\n')}\n`);
    const changed = Date.now() / 1000 - ageSeconds;
    utimesSync(log, changed, changed);
    return log;
  }

  function run(command: string, ...args: readonly string[]): ChildProcess {
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    children.push(child);
    return child;
  }

  const waitFor = (log: string, ...args: readonly string[]): Program =>
    firedup(['wait', 'local', '--log', log, ...args]);

  const text = (program: Program): string => program.lines.map((line) => line.text).join('\n');

  async function listen(status: number): Promise<number> {
    const server = createServer((_request, response) => response.writeHead(status).end());
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  it("is not READY by yesterday's line under a new process", async () => {
    const log = oldLog('yesterday.log', readyRun(0), 86_400);
    run('sh', '-c', 'exec sleep 600 >>"$0"', log);
    const program = waitFor(log, '--timeout', '15s');
    expect(await program.ended()).toBe(4);
    expect(text(program)).toMatch(/is alive/);
    expect(text(program)).not.toMatch(/verdict\s+READY/);
  });

  it('is not READY by a line whose process is not there', async () => {
    const log = oldLog('nobody.log', readyRun(0), 600);
    const program = waitFor(log, '--timeout', '2m');
    expect(await program.ended()).not.toBe(0);
    expect(text(program)).toMatch(/finished log/);
    expect(text(program)).toMatch(/nothing is running/);
  });

  it('is CRASHED by a line from before we came, with a word that nothing runs', async () => {
    const log = oldLog('crashed.log', crashedRun(0), 600);
    const program = waitFor(log, '--timeout', '2m');
    expect(await program.ended()).toBe(1);
    expect(text(program)).toMatch(/CRASHED: .*KeyError: 'lm_head.weight'.*nothing is running/);
  });

  it('judges the last run of an appended log', async () => {
    const log = oldLog('appended.log', [...crashedRun(7200), ...readyRun(3600)], 600);
    run('sh', '-c', `exec "${process.execPath}" "${serverScript}" >>"$0" 2>&1`, log);
    expect(await waitFor(log, '--timeout', '2m').ended()).toBe(0);
  });

  it('is not READY while a foreign listener answers on the port that was given', async () => {
    const foreign = await listen(200);
    const log = join(folder, 'foreign.log');
    writeFileSync(log, '');
    run('sh', '-c', `exec "${process.execPath}" "${serverScript}" >>"$0" 2>&1`, log);
    const program = waitFor(log, '--port', String(foreign), '--timeout', '15s');
    expect(await program.ended()).toBe(4);
    expect(text(program)).toMatch(/not this server|another process/);
  });

  it('is READY once its own port answers', async () => {
    const port = await freePort();
    const log = join(folder, 'own.log');
    writeFileSync(log, '');
    run('sh', '-c', `exec "${process.execPath}" "${serverScript}" --port ${port} >>"$0" 2>&1`, log);
    const program = waitFor(log, '--port', String(port), '--timeout', '2m');
    expect(await program.ended()).toBe(0);
    expect(text(program)).toMatch(/http\s+\/health\S* on port \d+ answers 200/);
  });

  it('says of a server that has long been ready, or long crashed, nothing else before', async () => {
    const port = await freePort();
    const log = join(folder, 'long-ready.log');
    writeFileSync(log, '');
    run('sh', '-c', `exec "${process.execPath}" "${serverScript}" --port ${port} >>"$0" 2>&1`, log);
    expect(await waitFor(log, '--port', String(port), '--timeout', '2m').ended()).toBe(0);
    for (const args of [[], ['--port', String(port)]]) {
      const [told, states] = [waitFor(log, ...args), waitFor(log, '--json', ...args)];
      expect(await told.ended()).toBe(0);
      expect(text(told)).toMatch(/ verdict +READY/);
      expect(text(told)).not.toMatch(/LOADING/);
      expect(await states.ended()).toBe(0);
      expect(text(states)).not.toMatch(/"outcome":"loading"/);
    }
    const crashed = waitFor(oldLog('long-crashed.log', crashedRun(0).slice(0, 3), 600));
    expect(await crashed.ended()).toBe(4);
    expect(text(crashed)).not.toMatch(/LOADING/);
    expect(text(crashed)).toMatch(/ verdict +UNKNOWN: finished log/);
  });

  it('waits for no verdict on what is no log', async () => {
    const program = waitFor(folder);
    expect(await program.ended()).toBe(2);
    expect(text(program)).toMatch(/UNKNOWN: the log cannot be read: It is a folder\n {2}Name the file/);
  });

  it('finds the process behind a pipe to tee', async () => {
    const log = join(folder, 'tee.log');
    run('sh', '-c', `"${process.execPath}" "${serverScript}" 2>&1 | tee "$0" >/dev/null`, log);
    const program = waitFor(log, '--timeout', '2m');
    expect(await program.ended()).toBe(0);
    expect(text(program)).toMatch(/pid \d+ is alive/);
  });

  it('finds the log of a process that is given by its pid or its port alone', async () => {
    const port = await freePort();
    const log = join(folder, 'by-pid.log');
    writeFileSync(log, '');
    const child = run(
      'sh',
      '-c',
      `exec "${process.execPath}" "${serverScript}" --port ${port} >>"$0" 2>&1`,
      log,
    );
    await waitFor(log).ended();
    for (const given of [
      ['--pid', String(child.pid)],
      ['--port', String(port)],
    ]) {
      const program = firedup(['wait', 'local', ...given, '--timeout', '2m']);
      expect(await program.ended()).toBe(0);
      expect(text(program)).toContain(`reading ${log}`);
    }
  });

  it('reads a large finished log to its verdict', async () => {
    const filler = 'x'.repeat(190);
    const lines = Array.from({ length: 100_000 }, (_, index) => `filler ${index} ${filler}`);
    const log = oldLog('large.log', [...lines, ...crashedRun(0)], 600);
    const program = waitFor(log, '--timeout', '2m');
    expect(await program.ended()).toBe(1);
    expect(text(program)).toContain('KeyError');
  });
});
