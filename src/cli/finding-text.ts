import { redact } from '../ingest/redact.js';
import { sanitize } from '../ingest/sanitize.js';
import type { Finding, Level } from '../preflight/finding.js';
import { isDumb } from './is-interactive.js';

/** Findings as aligned lines: a mark, what was looked at, what is so, and below it the remedy. */
export function findingTexts(findings: readonly Finding[], color: boolean): readonly string[] {
  const width = Math.max(0, ...findings.map(({ subject }) => subject.length));
  return findings.flatMap(({ level, subject, text, remedy }) => {
    const mark = paint(marks[level].mark, marks[level].color, color);
    const shown = paint(clean(text), level === 'ok' ? '' : marks[level].color, color);
    const below =
      remedy === null ? [] : [`${' '.repeat(width + 6)}${paint(`→ ${clean(remedy.text)}`, dim, color)}`];
    return [`  ${mark} ${clean(subject).padEnd(width)}  ${shown}`, ...below];
  });
}

/** Whether `stream` may have colours: a terminal, and nobody has asked for none (https://no-color.org). */
export function mayColor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env.NO_COLOR && !isDumb(env);
}

const dim = '2';

const marks: Readonly<Record<Level, { readonly mark: string; readonly color: string }>> = {
  ok: { mark: '✓', color: '32' },
  unchecked: { mark: '·', color: dim },
  warning: { mark: '!', color: '33' },
  blocker: { mark: '✗', color: '31' },
};

const clean = (text: string): string => sanitize(redact(text));

const paint = (text: string, code: string, color: boolean): string =>
  color && code !== '' ? `\u001B[${code}m${text}\u001B[0m` : text;
