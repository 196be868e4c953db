import type { HostSample, ProcessSample } from './telemetry.js';

/** What the sampler says of the host at its start, by the names of its hello line: `hz`, `page`, `cpus`. */
export interface HostUnits {
  /** Clock ticks a second. */
  readonly hz: number;
  readonly pageBytes: number;
  readonly cpus: number | null;
}

/** Reads the units from the hello line; what is missing is what nearly every Linux has. */
export function hostUnits(words: ReadonlyMap<string, string>): HostUnits {
  return {
    hz: Number(words.get('hz')) || 100,
    pageBytes: Number(words.get('page')) || 4096,
    cpus: Number(words.get('cpus')) || null,
  };
}

/**
 * Takes the sampler's lines (`remote/telemetry.sh`: `T`, `M`, `P` …, `E`) one by one and returns the sample when a
 * block is complete, else null. A block that is cut short gives nothing; unknown lines are skipped.
 */
export function hostSampleReader(units: HostUnits): (line: string) => HostSample | null {
  let uptimeMs: number | null = null;
  let memory: readonly [number | null, number | null] = [null, null];
  let processes: ProcessSample[] = [];

  return (line) => {
    const words = line.split(' ');
    switch (words[0]) {
      case 'T': {
        const centiseconds = numberOf(words[1]);
        uptimeMs = centiseconds === null ? null : centiseconds * 10;
        memory = [null, null];
        processes = [];
        return null;
      }
      case 'M':
        memory = [numberOf(words[1]), numberOf(words[2])];
        return null;
      case 'P': {
        const process = processOf(words, units);
        if (process !== null) processes.push(process);
        return null;
      }
      case 'E': {
        if (uptimeMs === null) return null;
        const sample = {
          uptimeMs,
          cpus: units.cpus,
          memTotalMiB: memory[0] === null ? null : memory[0] / 1024,
          memAvailableMiB: memory[1] === null ? null : memory[1] / 1024,
          processes,
        };
        uptimeMs = null;
        return sample;
      }
      default:
        return null;
    }
  };
}

function processOf(words: readonly string[], units: HostUnits): ProcessSample | null {
  const [, pid, parent, startTicks, state, cpuTicks, rssPages, readChars, readBytes, ...name] = words;
  const numbers = [pid, parent, cpuTicks].map(numberOf);
  const [pidNumber, parentNumber, ticks] = numbers;
  if (pidNumber == null || parentNumber == null || ticks == null || startTicks === undefined) return null;
  const pages = numberOf(rssPages);
  return {
    pid: pidNumber,
    parent: parentNumber,
    startTicks,
    name: name.join(' '),
    state: state ?? '?',
    cpuMs: (ticks * 1000) / units.hz,
    rssMiB: pages === null ? null : (pages * units.pageBytes) / (1024 * 1024),
    readBytes: numberOf(readBytes),
    readChars: numberOf(readChars),
  };
}

/** Null for `-` and for anything that is no number. */
function numberOf(word: string | undefined): number | null {
  return word !== undefined && /^\d+$/.test(word) ? Number(word) : null;
}
