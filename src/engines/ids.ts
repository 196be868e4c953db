declare const ofUser: unique symbol;

/** Names that the engine profiles, the triage report and the screen share. */
export type EngineId =
  | 'sglang'
  | 'vllm'
  | 'llama.cpp'
  | 'trtllm'
  | 'tgi'
  | 'lmdeploy'
  | 'ollama'
  | 'python'
  | 'unknown'
  | UserEngineId;

/** An engine that only the user's config knows; nothing else may make one. */
export type UserEngineId = string & { readonly [ofUser]: true };

/** In the usual order; an engine has those it has, in its own order. */
export const phaseIds = [
  'launch',
  'args',
  'init',
  'distributed',
  'download',
  'weights',
  'compile',
  'profile',
  'kv-cache',
  'graphs',
  'serving',
  'warmup',
  'ready',
] as const;

export type PhaseId = (typeof phaseIds)[number];

export type PhaseModel = 'target' | 'draft';

export interface RemedyChange {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}
