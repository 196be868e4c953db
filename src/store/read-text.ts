import { createReadStream } from 'node:fs';
import { fileReason, usageError } from '../errors.js';

/** No config is larger (bytes), and what never ends (`/dev/zero`) ends here. */
const mostBytes = 1024 * 1024;

/** A small text file of the user (UTF-8) as a whole; a usage error says why it cannot be had. */
export async function readText(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(path, { end: mostBytes })) chunks.push(chunk as Buffer);
  } catch (error) {
    throw usageError(`${path} cannot be read: ${fileReason(error as NodeJS.ErrnoException)}.`);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > mostBytes) throw usageError(`${path} is larger than 1 MiB, so it is not what is meant.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`${path} is not UTF-8 text.`);
  }
}
