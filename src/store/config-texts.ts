import { type Document, isMap, isPair, isScalar, isSeq, Scalar } from 'yaml';

/** Keys of a target whose value is a number or a truth; everything else there is text. */
const notText: ReadonlySet<string> = new Set(['port', 'shell', 'read-only', 'accept-new']);

/**
 * Numbers and truths that stand where a target takes text become the text that is written: `HF_HUB_OFFLINE: 1`,
 * `[--tp, 8]` and `timeout: 90` mean what they say, and `0644` stays `0644`.
 */
export function keepTexts(document: Document): void {
  const { contents } = document;
  if (!isMap(contents)) return;
  keepIn(contents.get('defaults', true));
  const targets: unknown = contents.get('targets', true);
  if (isMap(targets)) for (const { value } of targets.items) keepIn(value);
}

function keepIn(target: unknown): void {
  if (!isMap(target)) return;
  for (const { key, value } of target.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (name === 'env') keep(value, none);
    else if (!notText.has(name)) keep(value, notText);
  }
}

const none: ReadonlySet<string> = new Set();

function keep(node: unknown, except: ReadonlySet<string>): void {
  if (isSeq(node)) for (const item of node.items) keep(item, except);
  else if (isMap(node)) {
    for (const pair of node.items) {
      const name = isPair(pair) && isScalar(pair.key) ? String(pair.key.value) : '';
      if (!except.has(name)) keep(pair.value, except);
    }
  } else if (isScalar(node) && node.type === Scalar.PLAIN && node.source !== undefined) {
    if (['number', 'bigint', 'boolean'].includes(typeof node.value)) node.value = node.source;
  }
}
