import type { Duplex } from 'node:stream';
import type { HealthAnswer } from '../core/events.js';

type Result = HealthAnswer['result'];

/** How much of the answer may come before its stream is closed; nothing but the status is kept. */
const maxBytes = 64 * 1024;
/** A status line is never longer. */
const maxStatusBytes = 1024;

/**
 * Sends one GET for `authority` (`ADDRESS:PORT`) over `stream` and resolves with the status code, or with how it failed.
 * The caller bounds the time by destroying the stream. Never rejects.
 */
export function httpStatus(stream: Duplex, authority: string, path: string): Promise<Result> {
  return new Promise<Result>((resolve) => {
    let head = '';
    let answered = false;
    let bytes = 0;
    const answer = (result: Result) => {
      answered = true;
      resolve(result);
    };
    stream.on('error', (error) => answer({ kind: 'failed', reason: error.message }));
    stream.on('close', () => answer({ kind: 'failed', reason: 'closed without an answer' }));
    stream.on('end', () => answer({ kind: 'failed', reason: 'closed without an answer' }));
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      // Read to its end, so that the server does not log a broken pipe; but not whatever it sends.
      if (bytes > maxBytes) stream.destroy();
      if (answered) return;
      head += chunk.toString('latin1', 0, maxStatusBytes);
      const end = head.indexOf('\n');
      if (end < 0 && head.length < maxStatusBytes) return;
      const code = /^HTTP\/\d(?:\.\d)? (\d{3})\b/.exec(head)?.[1];
      answer(
        code === undefined
          ? { kind: 'failed', reason: 'no HTTP there' }
          : { kind: 'status', code: Number(code) },
      );
    });
    stream.write(
      `GET ${path} HTTP/1.1\r\nHost: ${authority}\r\nUser-Agent: firedup\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    );
  });
}
