import type { RemedyChange } from '../engines/ids.js';

/** One thing that was looked at before a launch, or by `firedup doctor`. */
export interface Finding {
  /** Stable, as in `port-taken`; several findings may have the same. */
  readonly id: string;
  /** What was looked at, in a word or two: `port 30000`. */
  readonly subject: string;
  /** `unchecked`: it could not be told, and stands in nobody's way. */
  readonly level: Level;
  /** One line, secrets redacted; may hold bytes of the host: sanitise on showing. */
  readonly text: string;
  readonly remedy: FindingRemedy | null;
}

export type Level = 'ok' | 'unchecked' | 'warning' | 'blocker';

export interface FindingRemedy {
  readonly text: string;
  /** The same as a change of the next launch, where it is one. */
  readonly change: RemedyChange | null;
}

/** `findings` that are in the way, and that are at least worth a word. */
export const blockersOf = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ level }) => level === 'blocker');

export const warningsOf = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ level }) => level === 'warning');

/** `1 blocker · 2 warnings · 9 ok`. */
export function countsText(findings: readonly Finding[]): string {
  const count = (level: Level): number => findings.filter((finding) => finding.level === level).length;
  const many = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
  const parts = [
    count('blocker') > 0 ? many(count('blocker'), 'blocker') : '',
    count('warning') > 0 ? many(count('warning'), 'warning') : '',
    `${count('ok')} ok`,
    count('unchecked') > 0 ? `${count('unchecked')} not checked` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}
