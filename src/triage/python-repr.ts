import { isSecretName } from '../ingest/secret-names.js';

/**
 * Reads what Python printed for keyword arguments or a dict, from the opening bracket at `start`:
 * `(model_path='/m', tp_size=8)` or `{'model_path': '/m'}`. Strings, numbers, True/False/None become values,
 * anything else stays text. A cut end gives what was complete. Secrets are replaced by `[redacted]`.
 */
export function readPythonArgs(text: string, start: number): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  const open = text[start];
  if (open !== '(' && open !== '{') return args;
  const end = Math.min(text.length, start + 65_536);
  let at = start + 1;
  while (at < end) {
    const next = skipTo(text, at, end);
    const pair = text.slice(at, next).trim();
    const key = /^(?:(\w+)=|['"]([\w-]+)['"]:\s*)/.exec(pair);
    const name = key?.[1] ?? key?.[2];
    if (key !== null && name !== undefined) {
      args[name] =
        (SECRET.test(name) || isSecretName(name, 'field')) && pair.slice(key[0].length) !== 'None'
          ? '[redacted]'
          : value(pair.slice(key[0].length));
    }
    if (text[next] !== ',') break;
    at = next + 1;
  }
  return args;
}

const SECRET = /(?:api_key|api_keys|token|password|secret)$/;

/** Index of the comma or the closing bracket that ends the pair beginning at `at`. */
function skipTo(text: string, at: number, end: number): number {
  let depth = 0;
  for (let i = at; i < end; i++) {
    const char = text[i] ?? '';
    if (char === "'" || char === '"') {
      i = skipString(text, i, end);
    } else if (char === '(' || char === '[' || char === '{') {
      depth++;
    } else if (char === ')' || char === ']' || char === '}') {
      if (depth === 0) return i;
      depth--;
    } else if (char === ',' && depth === 0) {
      return i;
    }
  }
  return end;
}

function skipString(text: string, start: number, end: number): number {
  const quote = text[start];
  for (let i = start + 1; i < end; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote) return i;
  }
  return end;
}

function value(text: string): unknown {
  const quoted = /^(['"])([\s\S]*)\1$/.exec(text);
  if (quoted !== null) return quoted[2] ?? '';
  if (text === 'None') return null;
  if (text === 'True') return true;
  if (text === 'False') return false;
  if (/^-?\d+(?:\.\d+)?(?:e-?\d+)?$/.test(text)) return Number(text);
  return text;
}
