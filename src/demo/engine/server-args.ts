import { type ServerArgs, serverFields } from './server-fields.js';

export type ParsedArgs =
  | { readonly kind: 'args'; readonly args: ServerArgs }
  /** Argparse's last words; the exit status is 2. */
  | { readonly kind: 'usage'; readonly text: string };

const aliases: Readonly<Record<string, string>> = {
  '--model': '--model-path',
  '--tp': '--tp-size',
  '--tensor-parallel-size': '--tp-size',
  '--dp': '--dp-size',
  '--ep': '--ep-size',
  '--speculative-draft-model': '--speculative-draft-model-path',
};

/** Reads the words after `sglang serve` as argparse does: `--flag value`, `--flag=value`, switches without a value. */
export function parseServerArgs(words: readonly string[]): ParsedArgs {
  const values: Record<string, string | number | boolean | null> = {};
  for (const [name, , fallback] of serverFields) values[name] = fallback;
  const unknown: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const cut = word.indexOf('=');
    const flag = cut < 0 ? word : word.slice(0, cut);
    const field = fieldOf(aliases[flag] ?? flag);
    if (field === undefined) {
      unknown.push(word);
      continue;
    }
    const [name, kind] = field;
    if (kind === 'flag') {
      values[name] = true;
      continue;
    }
    const value = cut < 0 ? words[++at] : word.slice(cut + 1);
    if (value === undefined) return usage(`argument ${flag}: expected one argument`);
    if (kind !== 'str' && !(kind === 'int' ? /^-?\d+$/ : /^-?(\d+\.?\d*|\.\d+)$/).test(value))
      return usage(`argument ${flag}: invalid ${kind} value: '${value}'`);
    values[name] = kind === 'str' ? value : Number(value);
  }
  if (values.model_path === null) return usage('the following arguments are required: --model-path/--model');
  if (unknown.length > 0) return usage(`unrecognized arguments: ${unknown.join(' ')}`);
  for (const name of ['tokenizer_path', 'served_model_name']) values[name] ??= values.model_path ?? null;
  return { kind: 'args', args: values as unknown as ServerArgs };
}

/** The `server_args=ServerArgs(…)` line: a Python dataclass as it prints itself. */
export function describeServerArgs(args: ServerArgs): string {
  const values = args as unknown as Record<string, string | number | boolean | null>;
  const parts = serverFields.map(([name, kind]) => `${name}=${python(values[name] ?? null, kind)}`);
  return `server_args=ServerArgs(${parts.join(', ')})`;
}

const fieldOf = (flag: string) => serverFields.find(([name]) => flag === `--${name.replaceAll('_', '-')}`);

function usage(problem: string): ParsedArgs {
  const text = `usage: launch_server.py [-h] --model-path MODEL_PATH [--port PORT] [--tp-size TP_SIZE] [...]\nlaunch_server.py: error: ${problem}\n`;
  return { kind: 'usage', text };
}

function python(value: string | number | boolean | null, kind: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number')
    return kind === 'float' && Number.isInteger(value) ? `${value}.0` : `${value}`;
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
