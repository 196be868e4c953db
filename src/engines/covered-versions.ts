/**
 * The versions whose wording the built-in rules know, oldest to newest, as the research of each engine's sources and
 * logs had them; `by main lines` where only the stable landmarks are known.
 */
const covered: Readonly<Record<string, string>> = {
  sglang: '0.3 – 0.5.18',
  vllm: '0.5 and later, V0 and V1',
  'llama.cpp': 'by main lines',
  trtllm: 'by main lines',
  tgi: 'by main lines',
  lmdeploy: 'by main lines',
  ollama: 'by main lines',
  python: 'any: uvicorn and tracebacks',
};

/** Which versions of the engine `id` are covered; null for engines of a config. */
export const coveredVersions = (id: string): string | null => covered[id] ?? null;
