/** What stands before the message of a line, whatever engine or collector wrote it. */
export interface LineHead {
  /** Where the message begins; its indentation belongs to it. */
  readonly end: number;
  /** Who wrote the line, as its prefixes say it, without time stamps; empty where they say nothing. */
  readonly writer: string;
  /** The same without ranks and process ids: equal for the copies of a line that the ranks of a server write. */
  readonly kind: string;
  /** Seconds of the day of the first time stamp; null without one. */
  readonly second: number | null;
}

/**
 * Reads brackets, time stamps and level words at the start of `text`: `[2026-01-02 03:04:05 TP0] `,
 * `(Worker_TP0 pid=12) INFO 01-02 03:04:05 [core.py:12] `, `[rank0]:[W102 03:04:05.1 c10d.cpp:1] `,
 * `worker-1  | `, `[1,3]<stdout>: `. Linear: no part is longer than a hundred characters.
 */
export function readHead(text: string): LineHead {
  const first = text.charCodeAt(0);
  const isPlain = first === space || (first >= lowerA && first <= lowerZ && !text.includes(' | '));
  if (isPlain || Number.isNaN(first)) return plainHead;
  let end = 0;
  for (let round = 0; round < 8; round += 1) {
    part.lastIndex = end;
    if (!part.test(text)) break;
    end = part.lastIndex;
  }
  return end === 0 ? plainHead : headOf(text.slice(0, end));
}

/** Many lines of a log have the same head: they come within the same second. */
function headOf(head: string): LineHead {
  const known = heads.get(head);
  if (known !== undefined) return known;
  if (heads.size >= headsKept) heads.clear();
  const clock = clockPattern.exec(head);
  const writer = head.replace(stampPattern, '');
  const made = {
    end: head.length,
    writer,
    kind: writer.replace(rankPattern, '$1$2'),
    second: clock === null ? null : Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]),
  };
  heads.set(head, made);
  return made;
}

const heads = new Map<string, LineHead>();

const headsKept = 512;

const plainHead: LineHead = { end: 0, writer: '', kind: '', second: null };

const space = 32;
const lowerA = 97;
const lowerZ = 122;

const stamp =
  '(?:\\d{4}[-/])?\\d\\d[-/]\\d\\d(?:/\\d{4})?[T -]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d)?';

/** One part of the head with what separates it, but of the blanks behind it only one. */
const part = new RegExp(
  [
    ` ?(?:${stamp}`,
    '\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?',
    '\\[[^\\][]{1,100}\\](?:<std(?:err|out)>)?',
    '\\([^()]{1,100}\\)',
    '(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL)(?=[ :\\[|])',
    '[A-Za-z][\\w.-]{0,60} +(?=\\| ))',
  ]
    .join('|')
    .concat('[:|-]?(?: |$)?'),
  'y',
);

const stampPattern = new RegExp(
  `${stamp}|\\b[IWEF]\\d{3,4} \\d\\d:\\d\\d:\\d\\d\\.\\d+(?: +\\d+)?|\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?`,
  'g',
);

const clockPattern = /(\d\d):(\d\d):(\d\d)/;

/** `TP0`, `DP1`, `rank=3`, `[1,3]<stdout>`, `pid=4711`, `ip=10.0.0.1`, `worker-2`. */
const rankPattern =
  /((?:TP|DP|PP|EP|CP|MP|rank|worker|default|scheduler|gpu|replica)[ _=:-]?)\d+|((?:pid|ip|tid|thread)=)[\w.:]+|(?<=\[\d+,)\d+(?=\]<std)/gi;
