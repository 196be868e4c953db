import { redact } from '../ingest/redact.js';
import { sanitize } from '../ingest/sanitize.js';

/** Redacted and sanitised lines of at most `width` characters, at most `most` of them: a cause may be a page long. */
export function wrapLines(text: string, width: number, most = 3): readonly string[] {
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
  if (whole.length <= most) return whole;
  return [...whole.slice(0, most - 1), `${(whole[most - 1] ?? '').slice(0, width - 3)}...`];
}
