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
 * Takes the sampler's lines (`remote/telemetry.sh`: `T`, `M` …, `E`) one by one and returns the sample when a block is
 * complete, else null. The sampler says only what has changed: what it leaves out stands. A block that is cut short
 * gives nothing; unknown lines are skipped.
 */
export function hostSampleReader(units: HostUnits): (line: string) => HostSample | null {
  let uptimeMs: number | null = null;
  let memoryKiB: readonly (number | null)[] = [];
  let rxBytes: number | null = null;
  let oomKills: number | null = null;
  const processes = new Map<string, KnownProcess>();

  return (line) => {
    const words = line.split(' ');
    const [mark, first = ''] = words;
    switch (mark) {
      case 'T': {
        const centiseconds = numberOf(first);
        uptimeMs = centiseconds === null ? null : centiseconds * 10;
        return null;
      }
      case 'M':
        memoryKiB = words.slice(1).map(numberOf);
        return null;
      case 'N':
        rxBytes = numberOf(first);
        return null;
      case 'O':
        oomKills = numberOf(first);
        return null;
      case 'P': {
        const [, pid = '', parent = '', startTicks = '', ...name] = words;
        if (numberOf(pid) === null || numberOf(parent) === null || startTicks === '') return null;
        const known = processes.get(pid);
        const figures = known?.startTicks === startTicks ? known.figures : [];
        processes.set(pid, { pid, parent, startTicks, name: name.join(' '), figures });
        return null;
      }
      case 'p': {
        const known = processes.get(first);
        if (known) processes.set(first, { ...known, figures: changed(known.figures, words.slice(2)) });
        return null;
      }
      case '-':
        processes.delete(first);
        return null;
      case 'E': {
        if (uptimeMs === null) return null;
        const [total, available, cached] = memoryKiB.map((kib) => (kib === null ? null : kib / 1024));
        const sample = {
          uptimeMs,
          cpus: units.cpus,
          memTotalMiB: total ?? null,
          memAvailableMiB: available ?? null,
          cachedMiB: cached ?? null,
          rxBytes,
          oomKills,
          processes: [...processes.values()].flatMap((known) => processOf(known, units) ?? []),
        };
        uptimeMs = null;
        return sample;
      }
      default:
        return null;
    }
  };
}

interface KnownProcess {
  readonly pid: string;
  readonly parent: string;
  readonly startTicks: string;
  readonly name: string;
  /** State, CPU ticks, RSS pages, `rchar`, `read_bytes`, `write_bytes`, major faults, wchan. */
  readonly figures: readonly string[];
}

const changed = (before: readonly string[], words: readonly string[]): readonly string[] =>
  words.map((word, place) => (word === '=' ? (before[place] ?? '-') : word));

function processOf(known: KnownProcess, units: HostUnits): ProcessSample | null {
  const [state = '?', cpuTicks, rssPages, readChars, readBytes, written, faults, wchan] = known.figures;
  const ticks = numberOf(cpuTicks);
  if (ticks === null) return null;
  const pages = numberOf(rssPages);
  return {
    pid: Number(known.pid),
    parent: Number(known.parent),
    startTicks: known.startTicks,
    name: known.name,
    state,
    cpuMs: (ticks * 1000) / units.hz,
    rssMiB: pages === null ? null : (pages * units.pageBytes) / (1024 * 1024),
    readBytes: numberOf(readBytes),
    readChars: numberOf(readChars),
    writtenBytes: numberOf(written),
    majorFaults: numberOf(faults),
    wchan: wchan === undefined || wchan === '-' || wchan === '0' ? null : wchan,
  };
}

/** Null for `-` and for anything that is no number. */
function numberOf(word: string | undefined): number | null {
  return word !== undefined && /^\d+$/.test(word) ? Number(word) : null;
}
