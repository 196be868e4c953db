import type { LogLine } from '../ingest/line.js';
import { createLineSplitter } from '../ingest/split-lines.js';
import type { SshOptions } from './connection.js';
import { openLog } from './log-source.js';
import { plainBytes, type Remark } from './plain-bytes.js';

/**
 * Reads the log `file` (a path, HOST:PATH or `-`) once and hands its lines on as they come; nothing is kept. What is
 * worth a word beside the result (cut short, empty) goes to `remark`. Fails on what cannot be read or is no text.
 */
export async function readLog(
  file: string,
  options: SshOptions,
  take: (lines: readonly LogLine[]) => void,
  remark: Remark,
): Promise<void> {
  const source = await openLog(file, options, remark);
  try {
    const splitter = createLineSplitter();
    let isEmpty = true;
    for await (const chunk of plainBytes(source.bytes, source.name, remark)) {
      isEmpty &&= chunk.length === 0;
      take(splitter.push(chunk));
    }
    take(splitter.end());
    if (isEmpty) remark(`${source.name} is empty.`);
  } finally {
    await source.close();
  }
}
