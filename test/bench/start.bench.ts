import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageFile } from '../../src/package-file.js';
import { median, report } from './figures.js';
import { openOnTerminal } from './on-terminal.js';

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
    const args = ['watch', 'local', '--log', join(folder, 'server.log')];
    const frames: number[] = [];
    const versions: number[] = [];
    const empties: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const screen = await openOnTerminal(args, [100, 30]);
      frames.push(screen.firstFrameMs);
      await screen.close();
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
});

function duration(args: readonly string[]): number {
  const started = performance.now();
  spawnSync(process.execPath, args);
  return performance.now() - started;
}
