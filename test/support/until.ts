/**
 * Waits until `condition` gives something that is true, and resolves with it; fails with `what` after `limitMs`, which
 * is generous: what holds at all holds long before, also on a machine that does other things.
 */
export async function until<T>(
  condition: () => Falsy<T> | Promise<Falsy<T>>,
  what: string,
  limitMs = 60_000,
): Promise<T> {
  for (const end = performance.now() + limitMs; ; ) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > end) throw new Error(`Not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Ours that lives on without us ends itself after 25 s (`remote/alive.sh`): what is to go at once has gone by then. */
export const wellBeforeDeadManMs = 20_000;

type Falsy<T> = T | null | undefined | false;
