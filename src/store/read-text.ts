import { createReadStream } from 'node:fs';
import { usageError } from '../errors.js';

/** No config is larger (bytes), and what never ends (`/dev/zero`) ends here. */
const mostBytes = 1024 * 1024;

/** A small text file of the user (UTF-8) as a whole; a usage error says why it cannot be had. */
export async function readText(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(path, { end: mostBytes })) chunks.push(chunk as Buffer);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw usageError(`${path} cannot be read: ${reasons[code ?? ''] ?? message}.`);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > mostBytes) throw usageError(`${path} is larger than 1 MiB, so it is not what is meant.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`${path} is not UTF-8 text.`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'no permission',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links lead in a circle',
};
