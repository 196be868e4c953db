import { redact } from '../ingest/redact.js';

/**
 * `value` as one line of JSON, secrets redacted, and safe on a terminal: control characters above ASCII and characters
 * that turn the direction of text are escaped as well, which means the same to every reader of JSON.
 */
export function jsonLine(value: unknown): string {
  return redact(JSON.stringify(value)).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
