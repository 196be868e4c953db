import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LogLine } from '../../src/ingest/line.js';
import { stripAnsi } from '../../src/ingest/strip-ansi.js';

/** One labelled log: `case.log` and what its label says of it. */
export interface LabelledLog {
  readonly name: string;
  readonly label: Label;
  readonly text: string;
}

export interface Label {
  readonly engine: string;
  readonly outcome: 'ready' | 'crashed' | 'loading' | 'stalled' | 'stopped';
  readonly last_phase: string;
  readonly root_cause_line: string | null;
  readonly root_cause_line_no?: number;
  readonly root_cause_equivalents?: readonly string[];
  readonly root_cause_category: string | null;
  readonly decoys: readonly string[];
}

const folder = fileURLToPath(new URL('../cases/', import.meta.url));

/** All cases below `test/cases`. */
export function labelledLogs(): readonly LabelledLog[] {
  const names = fs.readdirSync(folder).filter((name) => fs.existsSync(path.join(folder, name, 'case.json')));
  return names.sort().map((name) => ({
    name,
    label: JSON.parse(fs.readFileSync(path.join(folder, name, 'case.json'), 'utf8')) as Label,
    text: fs.readFileSync(path.join(folder, name, 'case.log'), 'utf8'),
  }));
}

/** The lines of a log as ingest hands them on: by `\n`, without a trailing `\r`, without ANSI. */
export function linesOf(text: string): LogLine[] {
  const parts = text.split('\n');
  if (parts.at(-1) === '') parts.pop();
  return parts.map((part, index) => ({ number: index + 1, text: stripAnsi(part.replace(/\r+$/, '')) }));
}
