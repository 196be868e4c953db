import { indentOf, type Surrounding, withoutSurrounding } from './traceback-surrounding.js';

/** One block of a Python traceback, from its header to its exception line. */
export interface Traceback {
  /** What introduced it: `Scheduler hit an exception:`, `Process EngineCore_0:`, `Exception in thread Thread-1`; may be empty. */
  readonly header: string;
  readonly headerLine: number;
  /** The exception line as in the log. */
  readonly line: string;
  readonly lineNumber: number;
  readonly exception: string;
  readonly message: string;
  /** Lines of the message after its first (pydantic puts the real message there). */
  readonly more: string[];
  /** Outermost first. */
  readonly frames: readonly Frame[];
  /** The block that this one was raised from or while handling. */
  readonly earlier: Traceback | null;
  readonly source: string;
}

export interface Frame {
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

const START = /Traceback \(most recent call last\)(?::?[ │]*$| ?─{3})/;
const FRAME = /^\s*(?:[|+] +)?File "([^"]+)", line (\d+)(?:, in (.+))?/;
// Notebooks end the header without a colon: `File ~/a.py:41, in f(x)`, `/opt/a.py in f(x)`, `[/opt/a.py](link) in f(x)`.
const CELL_FRAME = /^(?:File )?\[?([/~][^\s:\]]+\.py)\]?(?:\([^)]*\))?(?::(\d+))?(?:,? in ([\w.<>]+))?/;
// rich (TGI's command line) draws a box: `│ /opt/…/cli.py:91 in serve │`, of which a narrow one holds the end alone.
const BOXED_FRAME = /^\s*│ (\S*\.py):(\d+) in (\S+)/;
const END = /^(?:[|+] )?([A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*)(?:: ?(.*))?$/;
const CHAIN =
  /^(?:The above exception was the direct cause of|During handling of the above exception, another exception)/;
const NAMED =
  /(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Timeout|Failure|Fault|Resources|Group|Killed|NotFound|Refused)$/;

/**
 * Groups the lines of tracebacks, each source by itself. It reads structure, not names: a header, `File` frames,
 * and the first line after them that is not indented. Works where a viewer has stripped the indentation.
 */
export class TracebackGrouper {
  readonly #open = new Map<string, Open>();
  readonly #last = new Map<string, { block: Traceback; chained: boolean; tail: boolean }>();

  /** Whether lines of `source` without a traceback word still matter: a block or its message is open. */
  waits(source: string): boolean {
    return this.#open.has(source) || this.#last.get(source)?.tail === true;
  }

  /** Whether a block of `source` has begun and its exception line has not come. */
  opens(source: string): boolean {
    return this.#open.has(source);
  }

  /** Lines within the open block of `source` that are no part of a traceback. */
  strays(source: string): number {
    return this.#open.get(source)?.strays ?? 0;
  }

  /** Drops the open block of `source`. */
  forget(source: string): void {
    this.#open.delete(source);
  }

  /** Whether the next block of `source` continues a chain. */
  isChained(source: string): boolean {
    return this.#last.get(source)?.chained === true;
  }

  /**
   * Takes the message of one line (prefix removed, indentation kept). Returns the block that it ends; lines of its
   * message that follow are added to `more`.
   */
  push(source: string, body: string, line: string, lineNumber: number): Traceback | null {
    const open = this.#open.get(source);
    const said = withoutSurrounding(body, open);
    if (START.test(said)) return this.#start(source, said, lineNumber);
    const frame = FRAME.exec(said) ?? (open === undefined ? null : otherFrame(open, said));
    if (frame !== null) {
      const block = open ?? this.#begin(source, '', lineNumber, null);
      addFrame(block, frame, said, body);
      return null;
    }
    if (open === undefined) {
      this.#tail(source, said);
      return null;
    }
    if (isCode(open, said)) return null;
    const end = END.exec(said.trimEnd());
    if (end !== null && open.frames.length > 0 && isException(end[1] ?? '', end[2]))
      return this.#end(source, open, end, line, lineNumber);
    open.strays++;
    if (open.strays > 40) this.#open.delete(source);
    return null;
  }

  /**
   * Whether a line with the engine's own prefix belongs to the open block of `source`: where a collector puts that
   * prefix before every line, frames carry it as well.
   */
  goesOn(source: string, body: string): boolean {
    const open = this.#open.get(source);
    if (open === undefined) return false;
    if (/^ +File "/.test(body)) open.prefixed = true;
    return open.prefixed;
  }

  /** A line of the log proper came in between: the message of the last block is complete. */
  interrupt(source: string): void {
    const last = this.#last.get(source);
    if (last !== undefined) last.tail = false;
  }

  /** Blocks that never came to their exception line. */
  unfinished(): number {
    return this.#open.size;
  }

  #start(source: string, body: string, lineNumber: number): null {
    const header = headerOf(body);
    const last = this.#last.get(source);
    const open = this.#open.get(source);
    if (open !== undefined && open.frames.length === 0) return null;
    const begun = this.#begin(source, header, lineNumber, last?.chained === true ? last.block : null);
    begun.indent = indentOf(body);
    begun.cells = !/\(most recent call last\)(?::| ?─)/.test(body);
    if (last !== undefined) {
      last.chained = false;
      last.tail = false;
    }
    return null;
  }

  #begin(source: string, header: string, lineNumber: number, earlier: Traceback | null): Open {
    const open: Open = {
      header,
      headerLine: lineNumber,
      frames: [],
      earlier,
      code: false,
      flat: false,
      boxed: false,
      cells: false,
      prefixed: false,
      indent: 0,
      strays: 0,
    };
    this.#open.set(source, open);
    return open;
  }

  #end(source: string, open: Open, end: RegExpExecArray, line: string, lineNumber: number): Traceback {
    const block: Traceback = {
      header: open.header,
      headerLine: open.headerLine,
      line,
      lineNumber,
      exception: end[1] ?? '',
      message: end[2] ?? '',
      more: [],
      frames: open.frames,
      earlier: open.earlier,
      source,
    };
    this.#open.delete(source);
    this.#last.set(source, { block, chained: false, tail: true });
    return block;
  }

  #tail(source: string, body: string): void {
    const last = this.#last.get(source);
    if (last === undefined) return;
    const text = body.trim();
    if (CHAIN.test(text)) last.chained = true;
    else if (last.tail && text !== '' && last.block.more.length < 12) last.block.more.push(text);
    else if (last.block.more.length >= 12) last.tail = false;
  }
}

/** What stands before `Traceback (most recent call last)` on its line: `Scheduler hit an exception:`; often nothing. */
export function headerOf(body: string): string {
  let end = body.indexOf('Traceback (most recent call last)');
  while (end > 0 && ' ╭─│|'.includes(body[end - 1] ?? '')) end--;
  return end < 0 ? '' : body.slice(0, end).trim();
}

interface Open extends Surrounding {
  readonly header: string;
  readonly headerLine: number;
  readonly frames: Frame[];
  readonly earlier: Traceback | null;
  /** The next line is the source line of the last frame. */
  code: boolean;
  /** The indentation was lost on the way: frames begin at the first column. */
  flat: boolean;
  /** A notebook's: frames are `File path:line, in name(…)`, code lines begin with their number or an arrow. */
  cells: boolean;
  /** The engine's own prefix stands before every line. */
  prefixed: boolean;
  strays: number;
}

function otherFrame(open: Open, said: string): RegExpExecArray | null {
  return open.cells ? CELL_FRAME.exec(said) : BOXED_FRAME.exec(said);
}

function addFrame(open: Open, match: RegExpExecArray, said: string, body: string): void {
  open.frames.push({ file: match[1] ?? '', line: Number(match[2]) || 0, name: (match[3] ?? '').trim() });
  // A recursion of a thousand frames says no more than its ends.
  if (open.frames.length > 120) open.frames.splice(60, 1);
  open.flat = !open.cells && !/^\s/.test(said);
  open.boxed ||= body.startsWith('│') && FRAME.test(said);
  open.code = true;
}

function isCode(open: Open, body: string): boolean {
  if (
    /^\s+\S/.test(body) ||
    body.trim() === '' ||
    /^[~^\s]+$/.test(body) ||
    /^[│╭╰]/.test(body) ||
    (open.cells && /^-+> *\d/.test(body)) ||
    /^\s*\[Previous line repeated/.test(body)
  ) {
    open.code = open.code && body.trim() === '';
    return true;
  }
  const code = open.code && open.flat;
  open.code = false;
  return code;
}

/** `Type: message`, or a type alone that is named like one; `Killed` and words of other writers are none. */
function isException(type: string, message: string | undefined): boolean {
  const name = type.slice(type.lastIndexOf('.') + 1);
  if (message === undefined) return NAMED.test(name) && name !== 'Killed';
  return (
    /^[A-Z]/.test(name) &&
    (NAMED.test(name) || type.includes('.') || /^[A-Z]\w*[a-z]\w*$/.test(name)) &&
    name !== 'Process'
  );
}
