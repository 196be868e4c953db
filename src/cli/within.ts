/**
 * Aborts with `signal`, or after `ms`; `stop` is for whoever needs it no more. Not `AbortSignal.any` over
 * `AbortSignal.timeout`: in Node 20 nothing keeps the signal of such a timer, and once it is collected it never fires.
 */
export function within(
  signal: AbortSignal,
  ms: number,
): { readonly signal: AbortSignal; readonly stop: () => void } {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  return { signal: AbortSignal.any([signal, late.signal]), stop: () => clearTimeout(timer) };
}
