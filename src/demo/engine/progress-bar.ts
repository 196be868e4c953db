/** Frames of the two kinds of tqdm bars that SGLang 0.5.9 draws on stderr. */
export interface BarState {
  readonly done: number;
  readonly total: number;
  /** Simulated seconds since the bar was opened. */
  readonly seconds: number;
}

/** A frame of the weight bar; up to 0.5.9 its format ends in a line feed. `\r` is tqdm's, before each frame. */
export function shardFrame(state: BarState): string {
  const percent = String(Math.round((100 * state.done) / state.total)).padStart(3);
  return `\rLoading safetensors checkpoint shards: ${percent}% Completed | ${counts(state)}\n`;
}

/** A frame of the graph capture bar; the description tells of the batch being captured now. */
export function captureFrame(description: string | null, state: BarState): string {
  const percent = String(Math.round((100 * state.done) / state.total)).padStart(3);
  const head = description === null ? '' : `${description}: `;
  return `\r${head}${percent}%|${blocks(state.done / state.total)}| ${counts(state)}`;
}

function counts({ done, total, seconds }: BarState): string {
  if (done === 0) return `0/${total} [00:00<?, ?it/s]`;
  const each = seconds / done;
  const rate = each > 1 ? `${each.toFixed(2)}s/it` : `${(1 / Math.max(each, 1e-3)).toFixed(2)}it/s`;
  return `${done}/${total} [${clock(seconds)}<${clock(each * (total - done))}, ${rate.padStart(9)}]`;
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds + 1e-6);
  return `${String(Math.floor(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`;
}

/** Ten cells, the last one in eighths. */
function blocks(share: number): string {
  const eighths = Math.round(share * 80);
  const rest = eighths % 8;
  const partial = rest === 0 ? '' : String.fromCodePoint(0x2590 - rest);
  return ('█'.repeat(Math.floor(eighths / 8)) + partial).padEnd(10);
}
