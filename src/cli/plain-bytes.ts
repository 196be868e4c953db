import { exitCodes, FiredupError } from '../errors.js';
import { type Damage, gunzip } from './gunzip.js';
import { headBytes, kindOf } from './log-kind.js';

/** What is worth a word beside the report. */
export type Remark = (text: string) => void;

/**
 * The UTF-8 bytes of a log as it came: gzip is unpacked, UTF-16 with a byte order mark is converted, a mark of UTF-8 is
 * dropped. Fails on what is no text; `name` stands for the log in messages. Bad UTF-8 passes: lines show it as U+FFFD.
 */
export async function* plainBytes(
  source: AsyncIterable<Buffer>,
  name: string,
  remark: Remark,
): AsyncGenerator<Buffer> {
  const { head, all } = await peek(source);
  const found = kindOf(head);
  switch (found.kind) {
    case 'text':
      yield* withoutMark(all, head);
      return;
    case 'utf-16le':
    case 'utf-16be':
      yield* decoded(all, found.kind);
      return;
    case 'gzip':
      yield* plainBytes(gunzip(all, tellDamage(name, remark)), `What is packed in ${name}`, remark);
      return;
    case 'packed':
      throw new FiredupError('packed', `${name} is packed with ${found.what}, which firedup does not read.`, {
        exitCode: exitCodes.usage,
        hint: `Unpack it on the way: ${found.command} FILE | firedup triage -`,
      });
    case 'binary':
      throw new FiredupError('binary', `${name} is no text: ${found.what}.`, {
        exitCode: exitCodes.usage,
        hint: 'Name the log that the server writes, as text or packed with gzip.',
      });
  }
}

/** The first bytes, and all of them. */
async function peek(source: AsyncIterable<Buffer>): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  while (length < headBytes) {
    const { value, done } = await chunks.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const whole = Buffer.concat(first);
  return { head: whole.subarray(0, headBytes), all: rejoined(whole, chunks) };
}

async function* rejoined(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (first.length > 0) yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* withoutMark(all: AsyncIterable<Buffer>, head: Buffer): AsyncGenerator<Buffer> {
  let skip = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  for await (const chunk of all) {
    yield skip === 0 ? chunk : chunk.subarray(skip);
    skip = 0;
  }
}

async function* decoded(
  all: AsyncIterable<Buffer>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of all) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

const tellDamage =
  (name: string, remark: Remark) =>
  (damage: Damage, came: boolean): void => {
    const fault =
      damage === 'cut short' ? 'ends in the middle' : came ? 'cannot be read to the end' : 'cannot be read';
    const said = `${name} is ${damage}: its packed data ${fault}.`;
    if (!came) throw new FiredupError('damaged', said, { exitCode: exitCodes.usage });
    remark(`${said} This is what could be read.`);
  };
