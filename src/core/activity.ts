import type { HostSample, ProcessSample } from '../ingest/telemetry.js';
import { isCompiler } from './compilers.js';
import { isFallow } from './gpu-work.js';
import { staleSampleMs, watched } from './quiet.js';
import { startsRanks } from './ranks.js';
import type { ActivityState, State } from './state.js';

/** What is measured over less than this is noise (ms). */
const windowMs = 10_000;
/** The same while it is called stalled: that has to go within seconds when life returns. */
const hastyMs = 2000;

/** Averages above these are a sign of life. A slow network share reads 50 MB/s, a server that waits some KB/s. */
const floors = {
  bytesPerSecond: 100_000,
  downloadBytesPerSecond: 20_000,
  rssMiBps: 0.8,
  faultsPerSecond: 20,
};

/** What one process may read, or write, without meaning anything: telemetry and metrics threads (bytes a second). */
const chatterBps = 30_000;

/** What the interfaces receive may be anybody's: somebody of ours takes part in it with this much CPU (cores). */
const receivingCores = 0.1;

/** What the resident memory of one process may change by without meaning anything (MiB). */
const rssNoiseMiB = 4;

/** CPU time of one process above these is work, or waiting in a loop (cores). */
const busyCores = 0.5;
/** What one thread can take, with the noise of measuring. */
const loopCores = 1.2;
/** Whose reads may not be read could be reading with this little. */
const hiddenBusyCores = 0.05;

/** Folds one `/proc` sample: rates for the eye against the sample before it, signs of life over ten seconds. */
export function reduceActivity(state: State, sample: HostSample, at: number): State {
  const gapMs = at - (state.activity.at ?? at);
  return { ...state, quiet: watched(state.quiet, gapMs), activity: compare(state, sample, at) };
}

function compare(state: State, sample: HostSample, at: number): ActivityState {
  const before = state.activity;
  const isCompiling = sample.processes.some(({ name, state: word }) => isCompiler(name) && word !== 'T');
  const isGap = before.at === null || at - before.at > staleSampleMs;
  const seconds = before.sample ? passedMs(before.sample, before.at ?? at, sample, at) / 1000 : 0;
  const fresh = {
    ...before,
    sample,
    at,
    ratesFrom: before.at,
    ioWaits: isGap || before.sample === null ? [] : ioWaitsOf(before.sample, sample),
    isCompiling,
    coveredSince: isGap ? at : (before.coveredSince ?? at),
    movedAt: isCompiling ? at : before.movedAt,
  };
  // The host has started anew, or the sampler said the same twice.
  if (!before.sample || !before.mark || seconds <= 0) return { ...fresh, mark: { sample, at } };
  const step = changeBetween(before.sample, sample);
  const now = {
    ...fresh,
    readBytesPerSecond: step.readBytes / seconds,
    rssMiBps: Math.max(0, step.rssMiB / seconds),
    cachedMiBps: growth(sample.cachedMiB, before.sample.cachedMiB ?? null) / seconds,
    rxBytesPerSecond: step.rxBytes / seconds,
    cores: step.cpuMs / 1000 / seconds,
  };
  const spanMs = passedMs(before.mark.sample, before.mark.at, sample, at);
  const isStalled = state.verdict.outcome === 'stalled';
  const leastMs = isStalled ? hastyMs : windowMs / state.target.timeScale;
  const change = changeBetween(before.mark.sample, sample, (chatterBps * Math.max(leastMs, spanMs)) / 1000);
  const moves = isMoving(state, change, Math.max(leastMs, spanMs) / 1000);
  const isFull = spanMs >= leastMs;
  return {
    ...now,
    movedAt: moves ? at : now.movedAt,
    busyAt: isFull && isBusy(state, change, spanMs) ? at : now.busyAt,
    mark: moves || isFull ? { sample, at } : before.mark,
  };
}

/** By the host's own clock; by ours where that one stands. Negative where the host has started anew. */
function passedMs(before: HostSample, beforeAt: number, after: HostSample, afterAt: number): number {
  const passed = after.uptimeMs - before.uptimeMs;
  return passed === 0 ? afterAt - beforeAt : passed;
}

/**
 * Who waits for I/O in both samples: state and place are read one after the other, and a moment in state D is nothing.
 * For people only; signs of life take state D as it is.
 */
function ioWaitsOf(before: HostSample, after: HostSample): ActivityState['ioWaits'] {
  const waits = ({ state, wchan }: ProcessSample): boolean =>
    state === 'D' && !(wchan != null && idleWait.test(wchan));
  const waited = new Set(before.processes.filter(waits).map(identity));
  return after.processes
    .filter((process) => waits(process) && waited.has(identity(process)))
    .map(({ wchan }) => ({ wchan: wchan ?? null }));
}

/** Kernel functions in which a process waits for others, or for time, and for no device (Linux 5–6). */
const idleWait =
  /epoll|futex|nanosleep|do_(?:sys_)?p?poll|poll_schedule|do_p?select|core_sys_select|pipe_(?:read|write|wait)/;

interface Change {
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly rssMiB: number;
  /** Sum of the growths and the shrinkings. */
  readonly rssTurnoverMiB: number;
  readonly majorFaults: number;
  readonly rxBytes: number;
  readonly cpuMs: number;
  readonly processes: readonly { readonly process: ProcessSample; readonly cpuMs: number }[];
}

/** `chatter`: bytes of one process that do not count. */
function changeBetween(before: HostSample, after: HostSample, chatter = 0): Change {
  const known = new Map(before.processes.map((process) => [identity(process), process]));
  const change = { readBytes: 0, writtenBytes: 0, rssMiB: 0, rssTurnoverMiB: 0, majorFaults: 0, cpuMs: 0 };
  const processes: { process: ProcessSample; cpuMs: number }[] = [];
  for (const process of after.processes) {
    const earlier = known.get(identity(process));
    const readBytes = Math.max(
      growth(process.readBytes, earlier?.readBytes),
      growth(process.readChars, earlier?.readChars),
    );
    if (readBytes > chatter) change.readBytes += readBytes;
    change.writtenBytes += growth(process.writtenBytes, earlier?.writtenBytes);
    change.majorFaults += growth(process.majorFaults, earlier?.majorFaults);
    change.rssMiB += growth(process.rssMiB, earlier?.rssMiB);
    if (earlier && process.rssMiB !== null && earlier.rssMiB !== null) {
      const turnover = Math.abs(process.rssMiB - earlier.rssMiB);
      // Memory of one that waits goes up and down by a little.
      if (turnover >= rssNoiseMiB) change.rssTurnoverMiB += turnover;
    }
    const cpuMs = earlier ? growth(process.cpuMs, earlier.cpuMs) : 0;
    change.cpuMs += cpuMs;
    processes.push({ process, cpuMs });
  }
  const rxBytes =
    after.rxBytes == null || before.rxBytes == null ? 0 : Math.max(0, after.rxBytes - before.rxBytes);
  return { ...change, rxBytes, processes };
}

const identity = (process: ProcessSample): string => `${process.pid}:${process.startTicks}`;

/** A process that was not there before has grown by all it has; an unreadable counter by nothing. */
function growth(now: number | null | undefined, earlier: number | null | undefined): number {
  return now == null || earlier === null ? 0 : Math.max(0, now - (earlier ?? 0));
}

function isMoving(state: State, change: Change, seconds: number): boolean {
  const { phase } = state.reading.findings();
  const isDownload = phase === 'download';
  const wholeSeconds = Math.max(seconds, windowMs / state.target.timeScale / 1000);
  // What is downloaded may come slowly.
  const fetched = Math.max(change.writtenBytes, change.rxBytes);
  if (isDownload && fetched > floors.downloadBytesPerSecond * seconds) return true;
  // What the interfaces receive counts where something has to be fetched, and somebody of ours may be receiving it.
  const fetches = phase === 'weights' || phase === 'init' || phase === 'args';
  const receives = change.processes.some(
    ({ process, cpuMs }) => process.state === 'D' || cpuMs > 1000 * receivingCores * seconds,
  );
  const bytes = Math.max(change.readBytes, change.writtenBytes, fetches && receives ? change.rxBytes : 0);
  return (
    bytes > floors.bytesPerSecond * seconds ||
    change.rssTurnoverMiB > floors.rssMiBps * wholeSeconds ||
    change.majorFaults > floors.faultsPerSecond * seconds
  );
}

/**
 * CPU time that may be work: not that of ranks whose GPU waits for another rank, for they wait in a loop; not while
 * ranks join, where there is no work for a CPU. And whose reads we may not read, as long as they do anything.
 */
function isBusy(state: State, change: Change, spanMs: number): boolean {
  const cores = (cpuMs: number): number => cpuMs / Math.max(1, spanMs);
  const isHidden = ({ readBytes, readChars, rssMiB }: ProcessSample): boolean =>
    readBytes === null && readChars === null && rssMiB !== null;
  const hidden = change.processes.some(
    ({ process, cpuMs }) => isHidden(process) && (process.state === 'D' || cores(cpuMs) > hiddenBusyCores),
  );
  const busy = change.processes.filter(({ cpuMs }) => cores(cpuMs) >= busyCores);
  // Who has started several of them, or ranks, waits for them, in a loop as well (vLLM's engine core).
  const starters = busy.filter(
    ({ process: { pid }, cpuMs }) =>
      busy.filter((other) => other.process.parent === pid).length > 1 ||
      (cores(cpuMs) <= loopCores && startsRanks(state, pid)),
  );
  const working = busy.filter((each) => !starters.includes(each)).map(pidOf);
  const isExplained = state.reading.findings().phase === 'distributed' || isFallow(state, working);
  return (hidden || working.length > 0) && !isExplained;
}

const pidOf = ({ process }: { readonly process: ProcessSample }): number => process.pid;
