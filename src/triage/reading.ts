import type { EngineId } from '../engines/ids.js';
import type { EngineProfile } from '../engines/profile.js';
import { engineProfiles, profileOf } from '../engines/registry.js';
import type { LogLine } from '../ingest/line.js';
import { EngineDetector } from './detect.js';
import { findingsOf } from './find.js';
import type { Findings, LineClass, Reading, ReportFacts } from './findings.js';
import { isNewestFirst, OrderWatch } from './line-order.js';
import { reportOf } from './make-report.js';
import type { Report } from './report.js';
import type { RuleWatch } from './rule-watch.js';
import { RunReader } from './run-reader.js';

export interface ReadingOptions {
  /** Taken as given; otherwise the log shows whose it is. */
  readonly engine?: EngineId | null;
  /** The command line that started the server: tells the engine before its first line. */
  readonly command?: string | null;
  /** The engines that are known; the built-in ones, unless the user's rules are among them. */
  readonly profiles?: readonly EngineProfile[];
  /** Is told which rules each line met; made anew whenever the log is read by another engine's rules. */
  readonly watchRules?: (profile: EngineProfile) => RuleWatch;
}

/** Reads one log from its first line. Linear; keeps no lines once the engine is known and the order is plain. */
export function createReading(options: ReadingOptions = {}): Reading {
  return new LogReading(options);
}

/** Reads a finished log at once; the report judges it as finished. */
export function readAll(lines: Iterable<LogLine>, options: ReadingOptions = {}): Reading {
  const reading = createReading(options);
  for (const line of lines) reading.read(line, null);
  return reading;
}

// Lines after which the order of time is plain.
const plainAfter = 500;

// Lines kept until the engine is known; then its reader goes over them again.
const keptHead = 4_000;

class LogReading implements Reading {
  readonly #options: ReadingOptions;
  readonly #profiles: readonly EngineProfile[];
  readonly #detector: EngineDetector;
  readonly #order = new OrderWatch();
  readonly #fixed: EngineId | null;
  #engine: EngineId;
  #reader: RunReader;
  #head: Heard[] | null = [];
  #version = 0;
  #lines = 0;
  #bytes = 0;
  #cache: { readonly version: number; readonly findings: Findings } | null = null;
  #reported: { readonly key: string; readonly report: Report } | null = null;

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.#profiles = options.profiles ?? engineProfiles;
    this.#detector = new EngineDetector(this.#profiles);
    this.#fixed = options.engine != null && options.engine !== 'unknown' ? options.engine : null;
    if (options.command != null) this.#detector.hint(options.command);
    this.#engine = this.#fixed ?? this.#detector.best ?? 'unknown';
    this.#reader = this.#newReader();
  }

  get version(): number {
    return this.#version;
  }

  read(line: LogLine, at: number | null): LineClass {
    this.#version++;
    this.#lines++;
    this.#bytes += Buffer.byteLength(line.text) + 1;
    if (this.#head === null) return this.#reader.read(line, at);
    this.#head.push({ line, at });
    const isAnother = this.#fixed === null && !this.#detector.settled && this.#detector.see(line.text);
    return isAnother ? this.#readAgain(this.#head) : this.#readKept(line, at, this.#head);
  }

  readPartial(text: string, _at: number | null): void {
    if (this.#reader.readPartial(text)) this.#version++;
  }

  fresh(): Reading {
    const engine = this.#fixed ?? (this.#detector.settled ? this.#engine : null);
    return new LogReading({ ...this.#options, engine });
  }

  findings(): Findings {
    if (this.#cache?.version !== this.#version) {
      this.#cache = {
        version: this.#version,
        findings: findingsOf(this.#inOrder(), this.#name(), this.#lines, this.#bytes),
      };
    }
    return this.#cache.findings;
  }

  report(facts: ReportFacts = {}): Report {
    // A live view asks for it with every event and every frame once a server has crashed.
    const key = `${this.#version}\0${JSON.stringify(facts)}`;
    if (this.#reported?.key !== key) {
      this.#reported = {
        key,
        report: reportOf(this.#inOrder(), this.#name(), this.#lines, this.#bytes, facts),
      };
    }
    return this.#reported.report;
  }

  #readKept(line: LogLine, at: number | null, head: Heard[]): LineClass {
    const read = this.#reader.read(line, at);
    this.#order.see(this.#reader.lastStamp);
    const known = this.#fixed !== null || this.#detector.settled;
    if (!isNewestFirst(this.#order) && (head.length >= keptHead || (known && head.length >= plainAfter)))
      this.#head = known ? null : head.slice(keptHead / 2);
    return read;
  }

  /** Another engine than was thought: its rules go over what was kept. Returns what the last line is to them. */
  #readAgain(head: readonly Heard[]): LineClass {
    this.#engine = this.#detector.best ?? 'unknown';
    this.#reader = this.#newReader();
    let last: LineClass = { rank: null, whose: null, level: 'info', milestone: false };
    for (const { line, at } of head) last = this.#reader.read(line, at);
    return last;
  }

  #newReader(): RunReader {
    const profile = profileOf(this.#engine, this.#profiles);
    return new RunReader(profile, this.#options.watchRules?.(profile));
  }

  /** Log viewers export the newest line first: such a file is read from its end. */
  #inOrder(): RunReader {
    if (this.#head === null || !isNewestFirst(this.#order)) return this.#reader;
    const reader = new RunReader(this.#reader.profile);
    for (let i = this.#head.length - 1; i >= 0; i--) {
      const heard = this.#head[i];
      if (heard !== undefined) reader.read(heard.line, heard.at);
    }
    return reader;
  }

  #name(): EngineId {
    if (this.#engine !== 'unknown' && this.#engine !== 'python') return this.#engine;
    return this.#reader.sawTraceback || this.#engine === 'python' ? 'python' : 'unknown';
  }
}

interface Heard {
  readonly line: LogLine;
  readonly at: number | null;
}
