/**
 * A pattern for `words` as uvicorn logs them: in its own form (`INFO:     Application startup complete.`) or in one that
 * a log config gave it, where time, level, logger (`uvicorn.error`) and place may stand in front in any order, and
 * nothing else may: `waiting for Application startup complete.` says nothing.
 */
export function uvicornSays(words: string): string {
  return String.raw`\b(?:INFO|uvicorn(?:\.error)?)(?:[\s:,.|()[\]-]|\d|INFO|uvicorn(?:\.error)?|\w+\.py:\d+){1,60}(?:${words})`;
}
