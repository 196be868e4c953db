import type { Host } from '../../host/host.js';
import { run } from '../../host/run.js';
import { lastFrame } from '../../ingest/frames.js';
import { redact } from '../../ingest/redact.js';
import { sanitize } from '../../ingest/sanitize.js';
import { createLineSplitter } from '../../ingest/split-lines.js';
import { scriptCommand } from '../../remote/script.js';
import { chooseServer } from '../choose-server.js';
import { connectFirst, hostSpec, type SshOptions } from '../connection.js';
import { lastContainerLines } from '../container-lines.js';
import { jsonLine } from '../json-line.js';
import { lastOf } from '../last-of.js';
import { requireLogNow } from '../look-at-server.js';
import { remark } from '../remark.js';
import type { ServerOptions } from '../server-options.js';
import { unreadableThere } from '../unreadable-there.js';

export interface DumpOptions extends SshOptions, ServerOptions {
  readonly lines: number;
  readonly json?: boolean;
}

/** `firedup dump`: the last lines of the log itself, unfiltered, secrets redacted, on stdout. */
export async function dump(label: string, options: DumpOptions): Promise<void> {
  const host = await connectFirst(hostSpec(label, options));
  try {
    const server = await chooseServer(host, options);
    const log = await requireLogNow(host, server);
    const container = server.kind === 'attached' ? server.container : null;
    const last = container
      ? await lastContainerLines(host, container, options.lines)
      : await lastLines(host, log, options.lines);
    const lines = last.map((line) => redact(lastFrame(line)));
    if (lines.length === 0 && server.kind === 'launched' && />|\btee\b/.test(server.record.attempt.command)) {
      remark(`${log} is empty: if its command sent its output elsewhere, --log PATH reads that file`);
    }
    if (options.json) process.stdout.write(`${jsonLine({ log, lines })}\n`);
    else for (const line of lines) process.stdout.write(`${sanitize(line)}\n`);
  } finally {
    await host.close();
  }
}

/** Longest line that a dump cares about times the lines (bytes): `tail -n` alone could bring gigabytes. */
const bytesPerLine = 64 * 1024;

async function lastLines(host: Host, log: string, count: number): Promise<readonly string[]> {
  const limit = Math.min(count * bytesPerLine, 32 * 1024 * 1024);
  const { code, stdout, stderr } = await run(
    host,
    scriptCommand('last-lines', [log, String(count), String(limit)]),
    {
      timeoutMs: 60_000,
      maxBytes: limit + 65_536,
    },
  );
  if (code !== 0) throw unreadableThere(host.label, log, stderr);
  const mark = '\n#firedup-last-lines\n';
  const splitter = createLineSplitter();
  const lines = splitter.push(Buffer.from(stdout.slice(stdout.indexOf(mark) + mark.length)));
  const all = [...lines, ...splitter.end()].map(({ text }) => text);
  return lastOf(all, count);
}
