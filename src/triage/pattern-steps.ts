/**
 * A bound for the steps that a regular expression may take on a text of some length, by what it looks like. Each repeat
 * without an end multiplies them by the length, each choice by the number of its branches; repeats within repeats
 * have no bound. Far too high for most, but never too low: what stays small needs nobody to watch the time.
 */
export function stepBound(source: string): (length: number) => number {
  const { degree, factor } = measure(source);
  return (length) => factor * (length + 1) ** degree;
}

/** So many take a few milliseconds. */
export const quickSteps = 1e6;

interface Measure {
  /** How often the length counts. 1 for where it begins. */
  degree: number;
  factor: number;
}

interface Group {
  branches: number;
  /** It can match in more ways than one, so that a repeat of it multiplies these. */
  hasChoice: boolean;
}

function measure(source: string): Measure {
  const sum: Measure = { degree: 1, factor: 1 };
  const groups: Group[] = [{ branches: 1, hasChoice: false }];
  for (let at = 0; at < source.length; ) {
    const group = groups.at(-1) ?? { branches: 1, hasChoice: false };
    token.lastIndex = at;
    const text = token.exec(source)?.[0] ?? source.charAt(at);
    at += Math.max(1, text.length);
    let body: Group = { branches: 1, hasChoice: false };
    if (text.startsWith('(')) {
      groups.push(body);
      continue;
    }
    if (text === '|') {
      group.branches += 1;
      group.hasChoice = true;
      continue;
    }
    if (text === ')' && groups.length > 1) {
      body = groups.pop() ?? body;
      sum.factor *= body.branches;
      const outer = groups.at(-1);
      if (outer !== undefined) outer.hasChoice ||= body.hasChoice;
    }
    // What was matched before is compared again.
    if (/^\\[1-9k]/.test(text)) sum.degree += 1;
    quantifier.lastIndex = at;
    const repeat = quantifier.exec(source);
    if (repeat === null) continue;
    at += repeat[0].length;
    take(repeat, body, sum);
    const outer = groups.at(-1);
    if (outer !== undefined && !/^\{\d+\}/.test(repeat[0])) outer.hasChoice = true;
  }
  sum.factor *= groups[0]?.branches ?? 1;
  return sum;
}

function take(repeat: RegExpExecArray, body: Group, sum: Measure): void {
  const [text, from = '', comma, to = ''] = repeat;
  const least = Number(from) || 0;
  const most = text.startsWith('?') ? 1 : to !== '' ? Number(to) : from !== '' && !comma ? least : null;
  if (body.hasChoice && (most === null || most > 1)) sum.degree = Number.POSITIVE_INFINITY;
  else if (most === null || most - least > 50) sum.degree += 1;
  else sum.factor *= most - least + 1;
}

/** An escape, a class, the head of a group, or one character. */
const token = /\\(?:k<\w+>|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<?[=!]|<\w+>|:))?|[\s\S]/y;

const quantifier = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
