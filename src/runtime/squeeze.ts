import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Squeeze } from '../core/log-chunk.js';

/** Level 1: server logs repeat themselves so much that more effort gains little; 250 KB take about 1 ms. */
export const deflate: Squeeze = {
  squeeze: (bytes) => deflateRawSync(bytes, { level: 1 }),
  restore: (bytes) => inflateRawSync(bytes),
};
