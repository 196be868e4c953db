import { redact } from '../ingest/redact.js';
import { sanitize } from '../ingest/sanitize.js';

/** Redacted and sanitised lines of at most `width` characters: a long text gets three. */
export function wrapLines(text: string, width: number): readonly string[] {
  const words = sanitize(redact(text)).split(' ');
  const lines: string[] = [''];
  for (const word of words) {
    for (let rest = word, isFirst = true; rest !== '' || isFirst; isFirst = false) {
      const last = lines.at(-1) ?? '';
      const joined = isFirst && last !== '' ? `${last} ${rest}` : `${last}${rest}`;
      if (joined.length <= width) {
        lines[lines.length - 1] = joined;
        rest = '';
      } else if (last !== '' && rest.length <= width) {
        lines.push(rest);
        rest = '';
      } else {
        const cut = last === '' ? width : 0;
        if (cut > 0) lines[lines.length - 1] = rest.slice(0, cut);
        lines.push('');
        rest = rest.slice(cut);
      }
    }
  }
  const whole = lines.filter((line) => line !== '');
  return whole.length <= 3 ? whole : [...whole.slice(0, 2), `${(whole[2] ?? '').slice(0, width - 3)}...`];
}
