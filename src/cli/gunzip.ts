import { createGunzip } from 'node:zlib';

/** Why the end of packed data could not be had. */
export type Damage = 'cut short' | 'damaged';

/**
 * Unpacks gzip (RFC 1952), member after member, as it comes. Where it is cut, all that stands before the cut comes;
 * where it is damaged, all but the last few kilobytes of packed data before that. Then `onDamage` is called with
 * whether anything came, and the stream ends.
 */
export async function* gunzip(
  source: AsyncIterable<Buffer>,
  onDamage: (damage: Damage, came: boolean) => void,
): AsyncGenerator<Buffer> {
  const unpacker = createGunzip({ chunkSize: 256 * 1024 });
  // Every chunk is unpacked before the end is told: with the end at hand zlib drops what it has on a fault.
  const feeding = feed(source, unpacker).catch((error: Error) => {
    unpacker.destroy(error);
  });
  let came = false;
  try {
    for await (const chunk of unpacker) {
      came = true;
      yield chunk as Buffer;
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'Z_BUF_ERROR' && code !== 'Z_DATA_ERROR') throw error;
    onDamage(code === 'Z_BUF_ERROR' ? 'cut short' : 'damaged', came);
  } finally {
    unpacker.destroy();
    await feeding;
  }
}

async function feed(source: AsyncIterable<Buffer>, unpacker: NodeJS.WritableStream): Promise<void> {
  for await (const chunk of inPieces(source)) {
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

// What zlib has unpacked of a piece is lost when a fault stands in the same piece.
const pieceBytes = 8 * 1024;

async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    for (let from = 0; from < chunk.length; from += pieceBytes) yield chunk.subarray(from, from + pieceBytes);
  }
}
