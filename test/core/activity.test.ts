import { describe, expect, it } from 'vitest';
import { selectActivity } from '../../src/core/select/activity.js';
import { selectGpus } from '../../src/core/select/gpus.js';
import { selectStatus } from '../../src/core/select/screen.js';
import type { GpuSample, HostSample, ProcessSample } from '../../src/ingest/telemetry.js';
import { crashedRun, processSample, readyRun, Story } from './fold.js';

const process = (change: Partial<ProcessSample>): ProcessSample =>
  processSample({ pid: 1, parent: 0, rssMiB: 100, ...change });

const sample = (story: Story, ...processes: readonly ProcessSample[]): Story => story.sample(processes);

const gpu = (memUsedMiB: number | null): GpuSample => ({
  index: 0,
  uuid: 'GPU-0',
  name: 'H200',
  memTotalMiB: 1000,
  memUsedMiB,
  utilPercent: null,
  temperatureC: null,
  powerW: null,
  powerLimitW: null,
  fault: null,
});

describe('signs of life', () => {
  it('are disk reads, CPU and growing memory, as rates between two samples', () => {
    const story = sample(new Story().alive(60), process({}));
    sample(story.later(2), process({ readBytes: 3e9, readChars: 1e9, cpuMs: 5000, rssMiB: 300 }));
    expect(selectActivity(story.state)).toBe('disk 1.5 GB/s · CPU 2.5 cores');
    expect(story.state.activity.movedAt).toBe(story.now);
  });

  it('are not CPU time alone: a hung collective spins', () => {
    const story = sample(new Story().alive(60), process({}));
    sample(story.later(2), process({ cpuMs: 6000 }));
    expect(story.state.activity.movedAt).toBeNull();
  });

  it('are a compiler at work, whatever else stands still', () => {
    const story = sample(new Story().alive(60), process({ pid: 2, name: 'nvcc' }));
    expect(story.state.activity.movedAt).toBe(story.now);
  });

  it('do not take counters that cannot be read for zero, nor a new pid for a jump of its CPU time', () => {
    const story = sample(new Story().alive(60), process({ readBytes: null, readChars: null, rssMiB: null }));
    sample(
      story.later(1),
      process({ readBytes: null, readChars: null, rssMiB: null, startTicks: '2', cpuMs: 1e6 }),
    );
    expect(selectActivity(story.state)).toBe('disk not readable');
  });
});

describe('who waits for I/O', () => {
  const told = (first: Partial<ProcessSample>, second: Partial<ProcessSample>): string => {
    const story = sample(new Story().alive(60), process(first));
    return selectActivity(sample(story.later(2), process(second)).state);
  };
  const waits = { state: 'D', wchan: 'folio_wait_bit' } as const;

  it('is told of what lasts over two samples', () => {
    expect(told(waits, waits)).toBe('1 in I/O wait (folio_wait_bit)');
    expect(told({ state: 'D' }, { state: 'D', wchan: null })).toBe('1 in I/O wait');
  });

  it.each([
    'do_epoll_wait',
    'futex_wait_queue',
    'hrtimer_nanosleep',
    'do_sys_poll',
    'do_select',
    'pipe_read',
  ])('is nobody in %s, nor in state D for one sample only', (wchan) => {
    expect(told({ state: 'D', wchan }, { state: 'D', wchan })).toBe('');
    expect(told(waits, { state: 'D', wchan })).toBe('');
    expect(told({ state: 'S' }, waits)).toBe('');
    expect(told({ ...waits, startTicks: '1' }, { ...waits, startTicks: '2' })).not.toContain('I/O wait');
  });
});

describe('the line of what moves', () => {
  const facts = (story: Story, change: Partial<HostSample>, ...processes: readonly ProcessSample[]): Story =>
    story.sample(processes, change);

  it('says how old each figure is, and nothing of what is too old', () => {
    const story = new Story().alive(60);
    story.event({
      type: 'gpus',
      at: story.now,
      reading: { status: 'ok', gpus: [gpu(0)], apps: [], tookMs: 10 },
    });
    sample(story, process({}));
    story.later(2).event({
      type: 'gpus',
      at: story.now,
      reading: { status: 'ok', gpus: [gpu(800)], apps: [], tookMs: 10 },
    });
    sample(story, process({ readBytes: 1e9 }));
    expect(selectActivity(story.state)).toBe('disk 500 MB/s · GPU memory +419 MB/s');
    expect(selectActivity(story.later(12).state)).toBe(
      'disk 500 MB/s (12 s ago) · GPU memory +419 MB/s (12 s ago)',
    );
    sample(story, process({ readBytes: 1e9 }));
    expect(selectActivity(story.state)).toBe('GPU memory +419 MB/s (12 s ago)');
    expect(selectActivity(story.later(100).state)).toBe('');
  });

  it('tells after READY, or an end, what moves since then, and nothing of what led to it', () => {
    const both = (story: Story, used: number, readBytes: number): Story => {
      const reading = { status: 'ok', gpus: [gpu(used)], apps: [], tookMs: 10 } as const;
      return sample(story.event({ type: 'gpus', at: story.now, reading }), process({ readBytes }));
    };
    const loaded = () => both(both(new Story().emptyLog().alive(60), 0, 0).later(2), 800, 1e9);
    const ready = loaded().write(...readyRun(0));
    expect([ready.outcome, selectActivity(ready.state)]).toEqual(['ready', '']);
    // Of the two samples one is older than the verdict.
    expect(selectActivity(both(ready.later(2), 900, 2e9).state)).toBe('');
    expect(selectActivity(both(ready.later(2), 1000, 3e9).state)).toBe('disk 500 MB/s · GPU memory +52 MB/s');
    const crashed = loaded().write(...crashedRun(0));
    expect([crashed.outcome, selectActivity(crashed.state)]).toEqual(['crashed', '']);
  });

  it('names compilers, who waits for a disk and where, who is stopped, network and memory', () => {
    const waits = process({ pid: 5, state: 'D', wchan: 'folio_wait_bit' });
    const story = facts(new Story().alive(60), { rxBytes: 0 }, process({ pid: 2, name: 'cicc' }), waits);
    facts(
      story.later(1),
      { rxBytes: 5e7 },
      process({ pid: 2, name: 'cicc' }),
      process({ pid: 3, name: 'cicc' }),
      process({ pid: 4, name: 'ninja' }),
      waits,
      process({ pid: 6, state: 'T' }),
    );
    expect(selectActivity(story.state)).toBe(
      'RAM +315 MB/s · net 50 MB/s · compiling (2 cicc, ninja) · 1 in I/O wait (folio_wait_bit) · 1 stopped',
    );
  });

  it("shows the page cache where another user's reads may not be seen", () => {
    const hidden = process({ readBytes: null, readChars: null });
    const story = facts(new Story().alive(60), { cachedMiB: 1000 }, hidden);
    facts(story.later(1), { cachedMiB: 2000 }, hidden);
    expect(selectActivity(story.state)).toBe('page cache +1.0 GB/s');
    facts(story.later(1), { cachedMiB: null }, hidden);
    expect(selectActivity(story.state)).toBe('disk not readable');
  });
});

describe('GPUs', () => {
  const reading = (story: Story, used: number | null): Story =>
    story.event({
      type: 'gpus',
      at: story.now,
      reading: { status: 'ok', gpus: [gpu(used)], apps: [], tookMs: 10 },
    });

  it('keep the last good figures with their age when the tool fails', () => {
    const story = reading(new Story(), 500).later(20);
    story.event({
      type: 'gpus',
      at: story.now,
      reading: { status: 'failed', reason: 'Driver/library version mismatch', code: 1 },
    });
    expect(selectGpus(story.state)).toMatchObject({
      stale: true,
      note: 'Driver/library version mismatch · data 20 s old',
      rows: [{ memUsedMiB: 500 }],
    });
  });

  it('say that a tool is absent, and show what is not known as not known', () => {
    const story = new Story();
    story.event({ type: 'gpus', at: story.now, reading: { status: 'absent' } });
    expect(selectGpus(story.state).note).toBe('no GPU tool on this host');
    expect(selectGpus(reading(new Story(), null).state).rows[0]).toMatchObject({
      memUsedMiB: null,
      history: [null],
    });
  });

  it('count growing memory as a sign of life', () => {
    const story = reading(reading(new Story(), 100).later(2), 300);
    expect(story.state.activity.movedAt).toBe(story.now);
    expect(selectStatus(story.state).activity).toBe('GPU memory +105 MB/s');
  });
});
