import type { LogLine } from '../ingest/line.js';
import { createLineSplitter } from '../ingest/split-lines.js';
import type { LogOptions } from './log-source.js';
import { openLog } from './open-log.js';
import { plainBytes, type Remark } from './plain-bytes.js';

// Lines live as long as their piece: in a large one, a million empty lines would fill the memory.
const pieceBytes = 64 * 1024;

/**
 * Reads the log `file` (a path, HOST:PATH or `-`) once and hands its lines on as they come; nothing is kept. What is
 * worth a word beside the result (cut short, empty) goes to `remark`. Fails on what cannot be read or is no text.
 */
export async function readLog(
  file: string,
  options: LogOptions,
  take: (lines: readonly LogLine[]) => void,
  remark: Remark,
): Promise<void> {
  const source = await openLog(file, options, remark);
  try {
    const splitter = createLineSplitter();
    let isEmpty = true;
    for await (const chunk of plainBytes(source.bytes, source.name, remark)) {
      isEmpty &&= chunk.length === 0;
      for (let from = 0; from < chunk.length; from += pieceBytes)
        take(splitter.push(chunk.subarray(from, from + pieceBytes)));
    }
    take(splitter.end());
    if (isEmpty) remark(`${source.name} is empty.`);
  } finally {
    await source.close();
  }
}
