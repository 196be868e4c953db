import { describe, expect, it } from 'vitest';
import { kernelEvidence, oomKillsSeen } from '../../src/core/kernel-evidence.js';
import { selectGpus } from '../../src/core/select/gpus.js';
import type { GpuReading, GpuSample } from '../../src/ingest/telemetry.js';
import { LaunchStory } from '../support/screen-stories.js';
import { noon, processSample, Story } from './fold.js';

const bus = (index: number): string => `00000000:${10 + index}:00.0`;
const gpu = (index: number, change: Partial<GpuSample> = {}): GpuSample => ({
  index,
  uuid: `GPU-${index}`,
  name: 'H200',
  memTotalMiB: 1000,
  memUsedMiB: 500,
  utilPercent: 0,
  temperatureC: 40,
  powerW: 80,
  powerLimitW: 700,
  busId: bus(index),
  fault: null,
  ...change,
});

const read = (story: Story, change: Partial<Extract<GpuReading, { status: 'ok' }>>): Story =>
  story.event({
    type: 'gpus',
    at: story.now,
    reading: { status: 'ok', gpus: [], apps: [], tookMs: 100, ...change },
  });

const member = (
  pid: number,
  command = 'python',
): { pid: number; parent: number; startTicks: string; command: string } => ({
  pid,
  parent: pid === 4711 ? 1 : 4711,
  startTicks: String(pid),
  command,
});

const alive = (story: Story, ...ranks: readonly string[]): Story =>
  story.event({
    type: 'process',
    at: story.now,
    process: {
      status: 'alive',
      pid: 4711,
      startTicks: '4711',
      startedAt: noon,
      command: 'python',
      user: null,
      foundBy: 'log',
      tree: [member(4711), ...ranks.map((command, index) => member(4720 + index, command))],
    },
  });

const said = (story: Story, kernelLines: readonly string[], oomKills: number | null = null): Story =>
  story.sample(
    [4711, 4720, 4721].map((pid) =>
      processSample({ pid, parent: pid === 4711 ? 1 : 4711, startTicks: String(pid) }),
    ),
    { oomKills, kernelLines },
  );

const gone = (story: Story): Story =>
  story.event({
    type: 'process',
    at: story.now,
    process: { status: 'gone', pid: 4711, exit: { code: null, signal: 'SIGKILL', at: null, oomKills: null } },
  });

describe('a GPU that is lost', () => {
  it('keeps its row, with the words of the tool, and counts for nothing', () => {
    const story = read(new Story(), { gpus: [gpu(0), gpu(1), gpu(2)] });
    const words = `Unable to determine the device handle for GPU ${bus(1)}: GPU is lost.  Reboot the system to recover this GPU`;
    read(story.later(2), { gpus: [gpu(0), gpu(2)], warnings: [words] });
    expect(selectGpus(story.state).rows).toMatchObject([
      { index: 0, fault: null, memUsedMiB: 500 },
      { index: 1, fault: 'GPU is lost', memUsedMiB: null, memTotalMiB: 1000 },
      { index: 2, fault: null, memUsedMiB: 500 },
    ]);
    expect(story.state.activity.movedAt).toBeNull();
    expect(story.state.gpus?.growthMiBps).toBe(0);
    read(story.later(2), { gpus: [gpu(0), gpu(2)] });
    expect(selectGpus(story.state).rows[1]?.fault).toBe('not listed any more');
    read(story.later(2), { gpus: [gpu(0), gpu(1), gpu(2)] });
    expect(selectGpus(story.state).rows[1]?.fault).toBeNull();
    expect(story.state.activity.movedAt).toBeNull();
  });

  it('is none where the whole set is another', () => {
    const story = read(new Story(), { gpus: [gpu(0), gpu(1)] });
    read(story.later(2), { gpus: [gpu(5)] });
    expect(selectGpus(story.state).rows.map(({ index }) => index)).toEqual([5]);
  });

  it('leaves the last rows with their age when the tool says nothing but an error', () => {
    const story = read(new Story(), { gpus: [gpu(0)] });
    const reason = 'Failed to initialize NVML: Driver/library version mismatch';
    story.later(30).event({ type: 'gpus', at: story.now, reading: { status: 'failed', reason, code: 12 } });
    expect(selectGpus(story.state)).toMatchObject({
      rows: [{ index: 0 }],
      note: `${reason} · data 30 s old`,
      stale: true,
    });
  });
});

describe('who is on a GPU', () => {
  it('is the rank of the tree by its title, before any other process', () => {
    const story = alive(new Story(), 'sglang::scheduler_TP0', 'sglang::scheduler_TP1');
    read(story, {
      gpus: [gpu(0), gpu(1), gpu(2)],
      apps: [
        { uuid: 'GPU-0', pid: 99, memUsedMiB: 900 },
        { uuid: 'GPU-0', pid: 4720, memUsedMiB: 10 },
        { uuid: 'GPU-1', pid: 4721, memUsedMiB: 10 },
        { uuid: 'GPU-2', pid: 98, memUsedMiB: 10 },
      ],
    });
    expect(selectGpus(story.state).rows).toMatchObject([
      { pid: 4720, rank: 'TP0' },
      { pid: 4721, rank: 'TP1' },
      { pid: 98, rank: null },
    ]);
  });

  it('is nobody who holds more than is in use: the list is older than the memory, and he has gone', () => {
    const story = alive(new Story(), 'sglang::scheduler_TP0');
    const apps = [
      { uuid: 'GPU-0', pid: 4720, memUsedMiB: 480 },
      { uuid: 'GPU-1', pid: 98, memUsedMiB: null },
    ];
    const pids = () => selectGpus(story.state).rows.map(({ pid }) => pid);
    read(story, { gpus: [gpu(0), gpu(1)], apps });
    expect(pids()).toEqual([4720, 98]);
    read(story.later(2), { gpus: [gpu(0, { memUsedMiB: 4 }), gpu(1)], apps });
    expect(pids()).toEqual([null, 98]);
  });

  it('is told by the order alone, with a mark, where no pid is known', () => {
    const story = alive(new Story(), 'x', 'y');
    story.write(
      '[2026-03-01 12:00:01 TP0] Load weight begin.',
      '[2026-03-01 12:00:01 TP1] Load weight begin.',
    );
    read(story, { gpus: [gpu(0), gpu(1), gpu(2)], apps: [{ uuid: 'GPU-0', pid: 1, memUsedMiB: 10 }] });
    const ranks = () => selectGpus(story.state).rows.map(({ rank }) => rank);
    expect(ranks()).toEqual(['TP0?', 'TP1?', null]);
    read(story.later(2), { gpus: [gpu(0), gpu(1, { memUsedMiB: 4 }), gpu(2)] });
    expect(ranks()).toEqual(['TP0?', null, null]);
    gone(story);
    expect(ranks()).toEqual([null, null, null]);
  });
});

describe("the kernel's words", () => {
  const xid = (index: number, text = '79, pid=1, GPU has fallen off the bus.'): string =>
    `[5.1] NVRM: Xid (PCI:0000:${10 + index}:00): ${text}`;
  const kill = (pid: number): string => `[6.1] Out of memory: Killed process ${pid} (python) total-vm:1kB`;

  it('stand at the GPU, and are evidence where it is ours', () => {
    const story = alive(new Story(), 'sglang::scheduler_TP0', 'sglang::scheduler_TP1');
    read(story, {
      gpus: [gpu(0), gpu(1)],
      apps: [
        { uuid: 'GPU-0', pid: 4720, memUsedMiB: 10 },
        { uuid: 'GPU-1', pid: 98, memUsedMiB: 10 },
      ],
    });
    said(story, [xid(0), xid(1, '13, Graphics Exception')]);
    expect(selectGpus(story.state).rows.map(({ kernel }) => kernel)).toEqual([
      'Xid 79: GPU has fallen off the bus.',
      'Xid 13: Graphics Exception',
    ]);
    expect(kernelEvidence(story.state)).toEqual([{ witness: 'gpu', text: xid(0), lineNumber: null }]);
  });

  it('on kills of other processes are none of ours; said twice they count once', () => {
    const story = alive(new Story(), 'a', 'b');
    said(story, [kill(4242)]);
    expect(kernelEvidence(story.state)).toEqual([]);
    said(story, [kill(4721)]);
    said(story, [kill(4721)]);
    expect(oomKillsSeen(story.state)).toBe(1);
    expect(kernelEvidence(story.state)).toEqual([{ witness: 'process', text: kill(4721), lineNumber: null }]);
  });

  it('name the cause of a silent end, also when they come after it, and not that of the next launch', () => {
    const story = alive(new Story().emptyLog(), 'a', 'b');
    said(story, [], 3);
    gone(story.later(5)).later(5);
    expect(story.state.verdict).toMatchObject({ outcome: 'crashed' });
    expect(story.state.verdict.summary).not.toContain('memory');
    said(story, [kill(4711)], 4).later(1);
    expect(story.state.verdict.summary).toContain('killed for memory');
    expect(story.state.verdict.evidence.map(({ text }) => text)).toEqual([
      expect.stringContaining('SIGKILL'),
      expect.stringContaining('oom_kill +1'),
      kill(4711),
    ]);
    story.later(5).event({
      type: 'process',
      at: story.now,
      process: {
        status: 'alive',
        pid: 5000,
        startTicks: '5000',
        startedAt: story.now,
        command: 'python',
        user: null,
        foundBy: 'log',
        tree: [member(5000)],
      },
    });
    expect(kernelEvidence(story.state)).toEqual([]);
  });
});

describe('the share of memory that is expected', () => {
  it('is what the server was told to take, of the GPUs of its ranks only', () => {
    const shares = (story: LaunchStory) => [
      ...new Set(story.model.gpus.rows.map((row) => row.expectedShare)),
    ];
    expect(shares(new LaunchStory().weights())).toEqual([0.85]);
    expect(shares(new LaunchStory().crashed())).toEqual([null]);
    expect(shares(new LaunchStory())).toEqual([null]);
  });
});
