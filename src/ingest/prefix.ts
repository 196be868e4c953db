/** A prefix that an engine puts before its lines. Named groups: `stamp`, `rank`, `level`, `proc`. */
export interface PrefixPattern {
  /** Sticky (`y`). */
  readonly pattern: RegExp;
  /** Each line of a traceback carries it again, so it tells interleaved tracebacks apart. */
  readonly repeats: boolean;
  readonly depth: number;
}

/** What stands before the message of a line. */
export interface Prefix {
  /** `TP0`, `DP1 TP3`, `Worker_TP0`; null where the line names none. */
  readonly rank: string | null;
  /** The engine's own time stamp as text; lexical order is time order. */
  readonly stamp: string | null;
  readonly level: string | null;
  /** Tells apart the writers of tracebacks; empty for lines without a repeating prefix. */
  readonly source: string;
  readonly depth: number;
  /** Where the message begins. */
  readonly end: number;
  /** Where what the program itself wrote begins: behind what collectors put in front. */
  readonly written: number;
  /** Whether one of the engine's own prefixes was there. */
  readonly known: boolean;
}

// torch's own loggers (`TORCH_LOGS`, inductor's errors): each line of a traceback carries it.
const torchLog = bare(/(?<level>[VDIWEF])\d{4} \d\d:\d\d:\d\d\.\d{6} \d+ \S+\.py:\d+\] (?:\[[\w/.]+\] )*/y);

// What collectors put in front: docker and Kubernetes time stamps, cloud consoles, journald, compose, Ray, mpirun,
// srun, torchrun, Python logging and loguru wrappers. They hide the indentation that tracebacks are read by.
const fromDigit: readonly PrefixPattern[] = [
  bare(
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d) ?(?:\| |std(?:out|err) [FP] |(?:[\w.-]+ )?[\w./@-]+\[\d+\]: )?/y,
  ),
  bare(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} - \S+ - [A-Z]+ - /y),
  bare(
    /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} - [A-Z]+ - [\w.-]+: (?=[A-Z]+ \d\d-\d\d |\[|Traceback| {2}File)/y,
  ),
  bare(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \| [A-Z]+ +\| [\w.:<>-]+ [|-] /y),
  // Docker Desktop.
  bare(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?![-|] )/y),
  // `srun -l`: each task writes tracebacks of its own.
  bare(
    /(?<task>\d{1,4}): (?=[[(]|Traceback| {2}|The above exception|During handling|[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit)\b)/y,
  ),
  bare(/\d{1,4}\|[\w.-]+ +\| /y),
];
const fromLetter: readonly PrefixPattern[] = [
  torchLog,
  bare(/(?:DEFAULT|INFO|NOTICE|WARNING|ERROR|CRITICAL) (?=\d{4}-\d\d-\d\dT)/y),
  bare(/[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?:\S+ )?[\w./@-]+\[\d+\]: /y),
  bare(/[A-Za-z][\w.-]* +\| /y),
  // Quoted in Markdown or mail.
  bare(/> (?=\S| {2})/y),
];
const inSquare: readonly PrefixPattern[] = [
  bare(/\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?\] ?/y),
  bare(/\[[A-Za-z][\w.-]*\] +\| /y),
  bare(/\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\] (?:\[[\w. -]+\] ){1,4}(?:>>> )?/y),
  bare(/\[(?<task>\d+,\d+)\]<std(?:err|out)>: ?/y),
  bare(/\[pod\/[\w./-]+\] ?/y),
  keyed(/\[(?<rank>default\d+)\]: ?/y, 1),
  keyed(/\[(?<rank>rank\d+)\]: ?/y, 1),
];
const inRound: readonly PrefixPattern[] = [
  keyed(/\((?<proc>[A-Za-z][^()]{0,80}?)[ ,]+(?:rank=(?<rank>\d+) )?pid=\d+(?:, ip=[^)]*)?\) ?/y, 1),
];

// What torch puts in front of its own words and of tracebacks, also behind the prefix of the process.
const inner: readonly PrefixPattern[] = [torchLog, bare(/\[rank\d+\]: ?/y)];

// A table's border, as log viewers put it: `  | 2026-01-02T10:00:00Z | `.
const fromBlank: readonly PrefixPattern[] = [bare(/ {1,8}\| (?=\[?\d{4}-\d\d-\d\dT)/y)];

/**
 * Reads the prefixes at the start of `text`, outer ones first and the engine's own (`patterns`) innermost; `learned` are
 * outer ones that only this log has.
 * Linear; each pattern is anchored where the one before ended.
 */
export function readPrefix(
  text: string,
  patterns: readonly PrefixPattern[],
  learned: readonly PrefixPattern[] = [],
): Prefix {
  let prefix = none;
  for (let round = 0; round < 8; round++) {
    // Collectors stand outside: behind the engine's own prefix there is none of theirs.
    const next =
      readOne(text, prefix, patterns, true) ??
      (prefix.known ? readOne(text, prefix, inner) : readOuter(text, prefix, learned));
    if (next === null) return prefix;
    prefix = next;
  }
  return prefix;
}

/** The prefix that stands somewhere in `text`, behind a progress bar; null where there is none. `pattern` is not sticky. */
export function findPrefix(text: string, pattern: RegExp | null): Prefix | null {
  const match = pattern?.exec(text);
  if (match?.groups === undefined) return null;
  const { rank, stamp, level } = match.groups;
  return {
    rank: rank?.trim() || null,
    stamp: stamp ?? null,
    level: level ?? null,
    source: '',
    depth: 0,
    end: match.index + match[0].length,
    written: 0,
    known: true,
  };
}

const none: Prefix = {
  rank: null,
  stamp: null,
  level: null,
  source: '',
  depth: 0,
  end: 0,
  written: 0,
  known: false,
};

function readOuter(text: string, before: Prefix, learned: readonly PrefixPattern[]): Prefix | null {
  return readListed(text, before) ?? readOne(text, before, learned);
}

function readListed(text: string, before: Prefix): Prefix | null {
  const first = text.charCodeAt(before.end);
  if (Number.isNaN(first)) return null;
  if (first === SPACE) return before.end === 0 ? readOne(text, before, fromBlank) : null;
  if (first === OPEN_ROUND) return readOne(text, before, inRound);
  if (first === OPEN_SQUARE) return readOne(text, before, inSquare);
  return readOne(text, before, first <= DIGIT_NINE ? fromDigit : fromLetter);
}

const SPACE = 32;
const OPEN_ROUND = 40;
const OPEN_SQUARE = 91;
const DIGIT_NINE = 57;

function readOne(
  text: string,
  before: Prefix,
  patterns: readonly PrefixPattern[],
  engine = false,
): Prefix | null {
  for (const { pattern, repeats, depth } of patterns) {
    pattern.lastIndex = before.end;
    const match = pattern.exec(text);
    if (match === null || match[0] === '') continue;
    const groups = match.groups;
    return {
      rank: groups?.rank?.trim() || before.rank,
      stamp: groups?.stamp ?? before.stamp,
      level: groups?.level ?? before.level,
      source: repeats ? `${before.source}/${groups?.proc ?? groups?.rank ?? 'log'}` : taskOf(groups, before),
      depth: Math.max(before.depth, groups?.rank ? Math.max(depth, 2) : depth),
      end: before.end + match[0].length,
      written: engine ? before.written : before.end + match[0].length,
      known: before.known || engine,
    };
  }
  return null;
}

/** A task of `srun` or `mpirun` may be any part of a server, its front end too: no process that is named by the engine. */
const taskOf = (groups: RegExpExecArray['groups'], { source }: Prefix): string =>
  groups?.task === undefined ? source : `${source}#${groups.task}`;

function bare(pattern: RegExp): PrefixPattern {
  return { pattern, repeats: false, depth: 0 };
}

function keyed(pattern: RegExp, depth: number): PrefixPattern {
  return { pattern, repeats: true, depth };
}
