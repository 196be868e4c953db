import type { ServerArgs } from './server-fields.js';

/** What a scheduler process tells the main process over its IPC channel. */
export type FromRank =
  /** It has come to a collective call and brings its value; it goes on when all have. */
  | { readonly type: 'gather'; readonly name: string; readonly value: number }
  | { readonly type: 'ready'; readonly maxTotalTokens: number }
  | { readonly type: 'generated'; readonly id: number };

/** What the main process tells a scheduler process. */
export type ToRank =
  | { readonly type: 'gathered'; readonly name: string; readonly values: readonly number[] }
  /** A peer's process ended: a collective call that waits for it fails. */
  | { readonly type: 'peer-lost' }
  | { readonly type: 'generate'; readonly id: number; readonly tokens: number; readonly warmup: boolean };

/** What a scheduler process is started with. */
export interface RankStart {
  readonly folder: string;
  readonly rank: number;
  readonly speed: number;
  /** The parsed server arguments. */
  readonly args: ServerArgs;
}
