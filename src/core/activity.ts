import type { HostSample, ProcessSample } from '../ingest/telemetry.js';
import type { ActivityState, State } from './state.js';

/** Reads and resident growth above these are a sign of life; CPU time is not: a hung collective spins at 100 %. */
const readBytesPerSecondFloor = 1_000_000;
const rssMiBpsFloor = 1;

/** Compilers that engines start; while one runs, a quiet log means nothing. */
const compilers = /^(?:nvcc|cicc|ptxas|fatbinary|cudafe|cc1plus|cc1|ninja|hipcc|clang)/;

/** Folds one `/proc` sample: rates against the sample before it, process by process. */
export function reduceActivity(state: State, sample: HostSample, at: number): State {
  return { ...state, activity: compare(state.activity, sample, at) };
}

function compare(before: ActivityState, sample: HostSample, at: number): ActivityState {
  const seconds = before.sample ? (sample.uptimeMs - before.sample.uptimeMs) / 1000 : 0;
  const isCompiling = sample.processes.some((process) => compilers.test(process.name));
  if (!before.sample || seconds <= 0) {
    return { ...before, sample, at, isCompiling, movedAt: isCompiling ? at : before.movedAt };
  }
  const known = new Map(before.sample.processes.map((process) => [identity(process), process]));
  let readBytes = 0;
  let rssMiB = 0;
  let cpuMs = 0;
  for (const process of sample.processes) {
    const earlier = known.get(identity(process));
    readBytes += Math.max(
      growth(process.readBytes, earlier?.readBytes),
      growth(process.readChars, earlier?.readChars),
    );
    rssMiB += growth(process.rssMiB, earlier?.rssMiB);
    cpuMs += earlier ? growth(process.cpuMs, earlier.cpuMs) : 0;
  }
  const readBytesPerSecond = readBytes / seconds;
  const rssMiBps = rssMiB / seconds;
  const moves = isCompiling || readBytesPerSecond > readBytesPerSecondFloor || rssMiBps > rssMiBpsFloor;
  return {
    sample,
    at,
    movedAt: moves ? at : before.movedAt,
    readBytesPerSecond,
    rssMiBps,
    cores: cpuMs / 1000 / seconds,
    isCompiling,
  };
}

const identity = (process: ProcessSample): string => `${process.pid}:${process.startTicks}`;

/** A process that was not there before has grown by all it has; an unreadable counter by nothing. */
function growth(now: number | null, earlier: number | null | undefined): number {
  return now === null || earlier === null ? 0 : Math.max(0, now - (earlier ?? 0));
}
