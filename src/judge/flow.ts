import type { Event } from '../core/events.js';
import type { ProcessFact } from '../core/process-fact.js';
import type { GpuSample, HostSample, ProcessSample } from '../ingest/telemetry.js';
import type { FlowEntry } from './trace-entry.js';

type FlowProcess = NonNullable<FlowEntry['processes']>[number];
type FlowGpu = Exclude<NonNullable<FlowEntry['gpus']>, 'absent'>[number];

/** Makes the samples that a sampler would have sent of processes and GPUs which do what a flow says. Seconds. */
export class Flow {
  #processes: readonly FlowProcess[] = [];
  #totals = new Map<number, ProcessSample>();
  #gpus: readonly FlowGpu[] | 'absent' | null = null;
  #used: number[] = [];
  #every = 2;
  #gpuEvery = 4;
  #rxBps: number | null = null;
  #rxBytes = 0;
  #oomKills: number | null = null;
  #kernelLines: readonly string[] = [];
  #tree = true;
  #told = '';
  #now = 0;
  #sampleAt = 0;
  #gpuAt = 0;
  #isOn = false;

  /** Takes a change at `t`; returns what the process probe says of it. */
  change(entry: FlowEntry): ProcessFact | null {
    this.#advance(entry.t);
    this.#isOn ||= entry.processes !== undefined || entry.gpus !== undefined;
    if (entry.every !== undefined) this.#every = entry.every;
    if (entry.gpuEvery !== undefined) this.#gpuEvery = entry.gpuEvery;
    if (entry.rxBps !== undefined) this.#rxBps = entry.rxBps;
    if (entry.oomKills !== undefined) this.#oomKills = entry.oomKills;
    if (entry.kernelLines !== undefined) this.#kernelLines = entry.kernelLines;
    if (entry.tree !== undefined) this.#tree = entry.tree;
    if (entry.gpus !== undefined) this.#changeGpus(entry.gpus);
    this.#sampleAt = Math.max(this.#sampleAt, entry.t);
    this.#gpuAt = Math.max(this.#gpuAt, entry.t);
    return entry.processes === undefined ? null : this.#changeProcesses(entry.processes);
  }

  /** The next moment at which a sample is due; infinity where none is. */
  get nextAt(): number {
    const host = this.#isOn && this.#every > 0 ? this.#sampleAt : Number.POSITIVE_INFINITY;
    const gpu =
      this.#isOn && this.#every > 0 && this.#gpuEvery > 0 && this.#gpus !== null
        ? this.#gpuAt
        : Number.POSITIVE_INFINITY;
    return Math.min(host, gpu);
  }

  /** What is due at `t`, which is `nextAt`; `at` is that moment in ms. */
  sample(t: number, at: number): readonly Event[] {
    this.#advance(t);
    const events: Event[] = [];
    if (this.#isOn && t >= this.#sampleAt) {
      this.#sampleAt = t + this.#every;
      events.push({ type: 'host-sample', at, sample: this.#hostSample() });
    }
    if (this.#gpus !== null && this.#gpuEvery > 0 && t >= this.#gpuAt) {
      this.#gpuAt = t + this.#gpuEvery;
      events.push({ type: 'gpus', at, reading: this.#reading() });
    }
    return events;
  }

  #changeProcesses(processes: readonly FlowProcess[]): ProcessFact | null {
    const totals = new Map<number, ProcessSample>();
    for (const each of processes) {
      const before = this.#totals.get(each.pid);
      const known = before?.startTicks === each.startTicks ? before : undefined;
      totals.set(each.pid, {
        pid: each.pid,
        parent: each.parent,
        startTicks: each.startTicks,
        name: each.name.slice(0, 15),
        state: each.state,
        cpuMs: known?.cpuMs ?? 0,
        rssMiB: each.rssMiB ?? known?.rssMiB ?? 500,
        readBytes: each.hidden ? null : (known?.readBytes ?? 0),
        readChars: each.hidden ? null : (known?.readChars ?? 0),
        writtenBytes: each.hidden ? null : (known?.writtenBytes ?? 0),
        majorFaults: known?.majorFaults ?? 0,
        wchan: each.wchan ?? null,
      });
    }
    this.#processes = processes;
    this.#totals = totals;
    return this.#fact();
  }

  #fact(): ProcessFact | null {
    const living = this.#processes.filter(({ state }) => state !== 'Z');
    const [root] = living;
    const told = this.#tree ? living.map(({ pid, startTicks }) => `${pid}:${startTicks}`).join(' ') : '-';
    if (told === this.#told) return null;
    this.#told = told;
    if (!root || !this.#tree) return { status: 'unknown', reason: 'the processes of others cannot be seen' };
    return {
      status: 'alive',
      pid: root.pid,
      startTicks: root.startTicks,
      startedAt: null,
      command: root.command ?? root.name,
      user: null,
      foundBy: 'log',
      tree: living.map(({ pid, parent, startTicks, command, name }) => ({
        pid,
        parent,
        startTicks,
        command: command ?? name,
      })),
    };
  }

  #changeGpus(gpus: readonly FlowGpu[] | 'absent'): void {
    if (gpus !== 'absent') this.#used = gpus.map((gpu, index) => gpu.usedMiB ?? this.#used[index] ?? 500);
    this.#gpus = gpus;
  }

  #advance(t: number): void {
    const seconds = t - this.#now;
    if (seconds <= 0) return;
    this.#now = t;
    this.#rxBytes += (this.#rxBps ?? 0) * seconds;
    for (const each of this.#processes) {
      const total = this.#totals.get(each.pid);
      if (!total) continue;
      const add = (value: number | null | undefined, perSecond: number): number | null =>
        value == null ? null : value + perSecond * seconds;
      this.#totals.set(each.pid, {
        ...total,
        cpuMs: total.cpuMs + 1000 * each.cores * seconds,
        rssMiB: Math.max(0, (total.rssMiB ?? 0) + each.rssMiBps * seconds),
        readBytes: add(total.readBytes, each.readBps),
        readChars: add(total.readChars, each.readCharsBps ?? each.readBps),
        writtenBytes: add(total.writtenBytes, each.writtenBps),
        majorFaults: add(total.majorFaults, each.faultsPerSecond),
      });
    }
    if (this.#gpus === null || this.#gpus === 'absent') return;
    this.#used = this.#gpus.map((gpu, index) =>
      Math.min(gpu.totalMiB, Math.max(0, (this.#used[index] ?? 0) + gpu.usedMiBps * seconds)),
    );
  }

  #hostSample(): HostSample {
    const lines = this.#kernelLines;
    this.#kernelLines = [];
    return {
      uptimeMs: 1e9 + this.#now * 1000,
      cpus: null,
      memTotalMiB: null,
      memAvailableMiB: null,
      rxBytes: this.#rxBps === null ? null : this.#rxBytes,
      oomKills: this.#oomKills,
      kernelLines: lines,
      processes: [...this.#totals.values()],
    };
  }

  #reading(): Extract<Event, { type: 'gpus' }>['reading'] {
    if (this.#gpus === null || this.#gpus === 'absent') return { status: 'absent' };
    const gpus = this.#gpus.map(
      (gpu, index): GpuSample => ({
        index,
        uuid: `GPU-${index}`,
        name: 'GPU',
        memTotalMiB: gpu.totalMiB,
        memUsedMiB: gpu.usedMiB === null ? null : Math.round(this.#used[index] ?? 0),
        utilPercent: gpu.util,
        temperatureC: null,
        powerW: gpu.powerW,
        powerLimitW: gpu.limitW,
        fault: null,
      }),
    );
    const apps = this.#gpus.flatMap((gpu, index) =>
      gpu.pid === null
        ? []
        : [{ uuid: `GPU-${index}`, pid: gpu.pid, memUsedMiB: Math.round(this.#used[index] ?? 0) }],
    );
    return { status: 'ok', gpus, apps, tookMs: 50 };
  }
}
