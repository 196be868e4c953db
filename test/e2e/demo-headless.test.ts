import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { commandLineOf, environmentOf, pids } from '../support/processes.js';
import { firedup, type Program, stopPrograms } from '../support/program.js';
import { until } from '../support/until.js';

const play = (scenario: string, ...more: readonly string[]): Program =>
  firedup(['demo', '--headless', '--scenario', scenario, '--speed', '20', ...more]);

const text = (program: Program): string => program.lines.map((line) => line.text).join('\n');

afterAll(stopPrograms);

describe.skipIf(!available('procfs'))('firedup demo --headless', () => {
  it('plays a launch to READY, phases in order, target and draft apart', async () => {
    const program = play('ready');
    expect(await program.ended()).toBe(0);
    const begun = program.lines
      .map((line) => /phase\s+(.+?)(?:: done.*)?$/.exec(line.text)?.[1])
      .filter(Boolean);
    const order = ['Join ranks', 'Load weights', 'Load draft weights', 'Ready'].map((title) =>
      begun.indexOf(title),
    );
    expect(
      order.every((place) => place >= 0),
      text(program),
    ).toBe(true);
    expect([...order].sort((a, b) => a - b)).toEqual(order);
    expect(text(program)).toMatch(
      /^READY: .*\n {2}serves on {2}http:\/\/127\.0\.0\.1:\d+ as seen from demo$/m,
    );
    expect(text(program)).toMatch(/^ {2}try there {2}curl -s http:\S+$/m);
  });

  it('names the missing method', async () => {
    const program = play('missing-method');
    expect(await program.ended()).toBe(1);
    expect(text(program)).toMatch(/^CRASHED: .*AttributeError: .*set_eagle3_layers_to_capture/m);
    expect(text(program)).toContain('What to do');
  });

  it('names the context lengths and the variable that allows them', async () => {
    const program = play('context-length');
    expect(await program.ended()).toBe(1);
    expect(text(program)).toMatch(/^CRASHED: ValueError: .*262144.*131072/m);
    // Told in full with the verdict and in the report; before that only so much as tells which it is.
    expect(text(program)).toMatch(/ verdict +CRASHED: ValueError: .{20,90}…$/m);
    expect(text(program)).toContain('change: SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1');
  });

  it('names the memory', async () => {
    const program = play('oom');
    expect(await program.ended()).toBe(1);
    expect(text(program)).toMatch(/^CRASHED: .*out of memory/im);
  });

  it('says of a silent death that it was killed with no word in the log', async () => {
    const program = play('silent-death');
    expect(await program.ended()).toBe(1);
    expect(text(program)).toMatch(
      /^CRASHED: the process is gone \(killed by SIGKILL\) with no word in the log/m,
    );
    expect(text(program)).toContain('the log names none');
  });

  it('calls a stall by evidence, and times out before that where the limit is shorter', async () => {
    const stalled = play('stall');
    const short = play('stall', '--timeout', '3s');
    expect(await short.ended()).toBe(4);
    expect(text(short)).toContain('TIMED OUT');
    expect(await stalled.ended()).toBe(3);
    expect(text(stalled)).toMatch(/^STALLED: /m);
    expect(text(stalled)).toMatch(/nothing moved/);
  });

  it('says early on that a late log is not there yet, and gets to READY', async () => {
    const program = play('late-log');
    const missing = await program.waitFor(/not there yet/);
    const opened = await program.waitFor(/reading .*server\.log/);
    expect(program.lines.indexOf(opened)).toBeGreaterThan(program.lines.indexOf(missing));
    expect(await program.ended()).toBe(0);
  });

  it('prints one JSON object a line, the verdict with its report last', async () => {
    const program = play('ready', '--json');
    expect(await program.ended()).toBe(0);
    const objects = program.lines.map((line) => JSON.parse(line.text));
    expect(objects.slice(0, -1).every((object) => object.type === 'state')).toBe(true);
    expect(objects.at(-1)).toMatchObject({
      type: 'verdict',
      outcome: 'ready',
      report: { schema: 1, engine: 'sglang', outcome: 'ready', phase: 'ready' },
    });
  });

  it('leaves no process and no folder behind, also when it is interrupted', async () => {
    const program = play('stall');
    const line = await program.waitFor(/(firedup-demo-\w+)/);
    const folder = /firedup-demo-\w+/.exec(line.text)?.[0] ?? '';
    await program.waitFor(/Join ranks/);
    await until(() => processesOf(folder).length > 8, 'all ranks run');
    program.signal('SIGINT');
    expect(await program.ended()).toBe(130);
    expect(processesOf(folder)).toEqual([]);
    expect(readdirSync(tmpdir())).not.toContain(folder);
  });

  it('leaves none behind when it is interrupted while it ends', async () => {
    const program = play('ready');
    const line = await program.waitFor(/(firedup-demo-\w+)/);
    const folder = /firedup-demo-\w+/.exec(line.text)?.[0] ?? '';
    await program.waitFor(/^READY: /);
    program.signal('SIGINT');
    expect(await program.ended()).toBe(0);
    expect(processesOf(folder)).toEqual([]);
    expect(readdirSync(tmpdir())).not.toContain(folder);
  });

  it('leaves no folder behind when nobody reads to its end', async () => {
    const TMPDIR = mkdtempSync(join(tmpdir(), 'closed-pipe-'));
    try {
      const line = `'${process.execPath}' bin/firedup.js demo --scenario silent-death --speed 10 --headless | head -25`;
      const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line], {
        env: { ...process.env, TMPDIR },
      });
      expect(stdout.split('\n')).toHaveLength(26);
      expect(stderr).not.toContain('fault');
      expect(readdirSync(TMPDIR)).toEqual([]);
    } finally {
      rmSync(TMPDIR, { recursive: true, force: true });
    }
  });
});

/** Command lines of the processes that carry the folder of one demo in their environment or command. */
const processesOf = (folder: string): readonly string[] =>
  pids().flatMap((pid) => {
    const command = commandLineOf(pid);
    return `${command}\0${environmentOf(pid)}`.includes(folder) ? [command.replaceAll('\0', ' ')] : [];
  });
