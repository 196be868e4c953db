/**
 * The text inside a line that a collector wrote as one JSON object: docker's json-file (`log`), Rust's tracing
 * (`fields.message` with `timestamp`, `level`, `target`), and plain `message` or `msg` records. Null for any other line.
 * The text may hold several lines.
 */
export function unwrapJsonRecord(text: string): string | null {
  if (!(text.startsWith('{"') || text.startsWith('{ "')) || !text.endsWith('}')) return null;
  const record = parse(text);
  if (record === null) return null;
  const fields = isRecord(record.fields) ? record.fields : record;
  const message = fields.message ?? fields.msg ?? record.log;
  if (typeof message !== 'string') return null;
  const { timestamp, level, target } = record;
  const isTracing = typeof timestamp === 'string' && typeof level === 'string' && typeof target === 'string';
  const uvicorns = ofUvicorn(record, message);
  if (uvicorns !== null) return uvicorns;
  return isTracing ? `${timestamp}  ${level} ${target}: ${message}` : message.replace(/\n$/, '');
}

/** Python's JSON formatters keep level and logger apart; uvicorn's words are told by its own form, `INFO:     …`. */
function ofUvicorn(record: Readonly<Record<string, unknown>>, message: string): string | null {
  const name = record.name ?? record.logger;
  const level = record.levelname ?? record.level ?? record.severity;
  if (typeof name !== 'string' || typeof level !== 'string' || !/^uvicorn(?:\.|$)/.test(name)) return null;
  return `${level.toUpperCase()}:`.padEnd(10) + message;
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
