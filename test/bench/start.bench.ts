import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageFile } from '../../src/package-file.js';
import { median, report } from './figures.js';

const rounds = 11;
const program = packageFile('bin/firedup.js');

describe('from the start of the process', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-bench-'));
    writeFileSync(join(folder, 'server.log'), 'a line\n');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('to the first frame, and to --version beside an empty Node', async () => {
    const command = `'${process.execPath}' '${program}' watch local --log '${join(folder, 'server.log')}'`;
    const frames: number[] = [];
    const versions: number[] = [];
    const empties: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      frames.push(await firstFrame(command));
      versions.push(duration([program, '--version']));
      empties.push(duration(['-e', '0']));
    }
    report('first frame (ms)', { median: median(frames), max: Math.max(...frames), n: rounds });
    report('--version (ms)', { median: median(versions), empty: median(empties) });
    report('ratio of the medians', {
      version: median(versions) / median(empties),
      frame: median(frames) / median(empties),
    });
    expect(frames).toHaveLength(rounds);
  });

  /** Ms until the screen's first whole frame has been written, on a terminal that util-linux's `script` makes. */
  async function firstFrame(command: string): Promise<number> {
    const started = performance.now();
    const child = spawn('script', ['-qfec', command, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm-256color', COLUMNS: '100', LINES: '30' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let output = '';
    const took = await new Promise<number>((resolve) =>
      child.stdout.on('data', (bytes: Buffer) => {
        output += bytes.toString('latin1');
        if (/\x1b\[\?1049h[\s\S]*? help/.test(output)) resolve(performance.now() - started);
      }),
    );
    child.stdin.write('q');
    await new Promise((resolve) => child.once('exit', resolve));
    return took;
  }
});

function duration(args: readonly string[]): number {
  const started = performance.now();
  spawnSync(process.execPath, args);
  return performance.now() - started;
}
