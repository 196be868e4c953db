import { redact } from '../ingest/redact.js';
import { sanitize } from '../ingest/sanitize.js';
import { clipLines, wrapWords } from '../tui/text.js';

/**
 * Redacted and sanitised lines of at most `width` columns, at most `most` of them (a cause may be a page long); `mark`, of
 * one column, stands for the rest.
 */
export const wrapLines = (text: string, width: number, mark: string, most = 3): readonly string[] =>
  clipLines(wrapWords(sanitize(redact(text)), width), most, width, mark);
