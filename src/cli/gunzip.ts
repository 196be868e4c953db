import { createGunzip } from 'node:zlib';

/** Why the end of packed data could not be had. */
export type Damage = 'cut short' | 'damaged';

/**
 * Unpacks gzip (RFC 1952), member after member, as it comes. What stands before a fault comes whole; then
 * `onDamage` is called and the stream ends.
 */
export async function* gunzip(
  source: AsyncIterable<Buffer>,
  onDamage: (damage: Damage) => void,
): AsyncGenerator<Buffer> {
  const unpacker = createGunzip({ chunkSize: 256 * 1024 });
  // Every chunk is unpacked before the end is told: with the end at hand zlib drops what it has on a fault.
  const feeding = feed(source, unpacker).catch((error: Error) => {
    unpacker.destroy(error);
  });
  try {
    for await (const chunk of unpacker) yield chunk as Buffer;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'Z_BUF_ERROR' && code !== 'Z_DATA_ERROR') throw error;
    onDamage(code === 'Z_BUF_ERROR' ? 'cut short' : 'damaged');
  } finally {
    unpacker.destroy();
    await feeding;
  }
}

async function feed(source: AsyncIterable<Buffer>, unpacker: NodeJS.WritableStream): Promise<void> {
  for await (const chunk of source) {
    const isOver = await new Promise<boolean>((resolve) => {
      const stop = (): void => resolve(true);
      unpacker.once('close', stop);
      unpacker.write(chunk, () => {
        unpacker.off('close', stop);
        resolve(false);
      });
    });
    if (isOver) return;
  }
  unpacker.end();
}
