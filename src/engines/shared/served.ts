import type { ReadyRule } from '../profile.js';

/** A request for tokens that was answered: proof enough where the head of the log, with the engine's own word, is missing. */
export const served: ReadyRule = {
  unlessDead: true,
  pattern: String.raw`"POST /(?:generate|v1/(?:chat/)?completions|v1/(?:embeddings|responses|messages|rerank|score))\S* HTTP/1\.[01]" 200`,
  samples: ['INFO:     10.20.0.9:45502 - "POST /v1/completions HTTP/1.1" 200 OK'],
};
