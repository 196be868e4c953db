/** One state of a tqdm progress bar. */
export interface Bar {
  /** What stands before the percentage, with brackets: `Capturing batches (bs=160 avail_mem=9.53 GB)`; may be empty. */
  readonly description: string;
  readonly percent: number;
  readonly done: string;
  readonly total: string;
}

/**
 * The frames of a line that was redrawn with `\r`, in order, empty ones left out: tqdm writes `\r` before each
 * update and log lines follow the last frame on the same line.
 */
export function splitFrames(text: string): readonly string[] {
  return text.includes('\r') ? text.split('\r').filter((frame) => frame !== '') : [text];
}

/** The frame that a terminal would show: what stands after the last `\r` that something follows. */
export function lastFrame(text: string): string {
  const frames = splitFrames(text);
  return frames[frames.length - 1] ?? '';
}

// Both bar formats: `25% Completed | 1/4 [00:00<00:02, 1.27it/s]` (shards) and the plain `4%|▍   | 1/23 [00:00<…`.
const BAR =
  /(\d{1,3})%(?:\|[^|\r]{0,400}\|| Completed \|)\s*([\d.]+[kMGT]?B?)\/([\d.]+[kMGT]?B?) \[[\d:?]+<[\d:?]+/g;

/** The last progress bar in `text`; null where there is none. */
export function lastBar(text: string): Bar | null {
  const from = Math.max(0, text.length - 4096);
  const window = from === 0 ? text : text.slice(from);
  let last: RegExpExecArray | null = null;
  let before = 0;
  BAR.lastIndex = 0;
  for (let match = BAR.exec(window); match !== null; match = BAR.exec(window)) {
    if (last !== null) before = last.index + last[0].length;
    last = match;
  }
  if (last === null) return null;
  return {
    description: describe(window.slice(before, last.index)),
    percent: Math.min(100, Number(last[1])),
    done: last[2] ?? '',
    total: last[3] ?? '',
  };
}

/** The words directly before the percentage: after the last `\r`, or after the end of an earlier bar. */
function describe(text: string): string {
  const start = Math.max(text.lastIndexOf('\r') + 1, endOf(text, 'it/s]'), endOf(text, 's/it]'));
  return text.slice(start).trim().replace(/:$/, '');
}

function endOf(text: string, word: string): number {
  const at = text.lastIndexOf(word);
  return at < 0 ? 0 : at + word.length;
}
