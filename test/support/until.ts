/**
 * Waits until `condition` gives something that is true, and resolves with it; fails with `what` after `limitMs`, which
 * is generous: what holds at all holds long before, also on a machine that does other things.
 */
export async function until<T>(
  condition: () => Falsy<T> | Promise<Falsy<T>>,
  what: string,
  limitMs = 40_000,
): Promise<T> {
  for (const end = performance.now() + limitMs; ; ) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > end) throw new Error(`Not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

type Falsy<T> = T | null | undefined | false;
