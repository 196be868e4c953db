import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { firedup, type Program, stopPrograms } from '../support/program.js';
import { until } from '../support/until.js';

const serverScript = fileURLToPath(new URL('../fixtures/server.mjs', import.meta.url));

/** Real shells around a server whose end they do not tell. */
describe.skipIf(!available('procfs'))('a server in a line of a shell', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-pipelines-'));
  });

  afterAll(async () => {
    await stopPrograms();
    rmSync(folder, { recursive: true, force: true });
  });

  const text = (program: Program): string => program.lines.map((line) => line.text).join('\n');

  /** Launches the line, waits until its server is ready, and kills that alone. */
  async function killedIn(name: string, line: string): Promise<void> {
    const log = join(folder, `${name}.log`);
    const named = ['--name', name, '--log', log, '--no-preflight', '--shell'];
    expect(await firedup(['launch', 'local', ...named, '--', line]).ended()).toBe(0);
    const pid = Number(/Started server process \[(\d+)\]/.exec(readFileSync(log, 'utf8'))?.[1]);
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid), 'the server is gone');
  }

  it('is not STOPPED by the status of a pipeline', async () => {
    const server = `"${process.execPath}" "${serverScript}"`;
    await killedIn('pipe', `${server} 2>&1 | tee "${join(folder, 'copy')}"`);
    const program = firedup(['wait', 'local', '--name', 'pipe', '--timeout', '30s']);
    expect(await program.ended()).toBe(4);
    expect(text(program)).toMatch(/UNKNOWN: gone after it was ready; exit 0 is of the shell/);
  });

  it('is CRASHED, not READY, when only the shell is left, which says that it was killed', async () => {
    await killedIn('left', `"${process.execPath}" "${serverScript}"; sleep 600`);
    const program = firedup(['wait', 'local', '--name', 'left', '--timeout', '30s']);
    expect(await program.ended()).toBe(1);
    expect(text(program)).toMatch(/CRASHED: its shell says that it was killed/);
    await firedup(['kill', 'local', '--name', 'left', '--yes']).ended();
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
