/** Hands out a server's session slots (`MaxSessions`), whose number only its refusals tell. */
export interface SessionSlots {
  /**
   * Calls `open` when a slot seems free, again after each refusal, in the order of asking. Rejects with what `open`
   * rejects with when that is no refusal, or when it is refused although we hold no slot that could come free.
   */
  take<T>(open: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Calls `open` once if a slot seems free and nobody waits for it; null when there is none, or it was refused. */
  attempt<T>(open: () => Promise<T>): Promise<T | null>;
  /** How many the server has granted and not yet got back. */
  granted(): number;
  /** The most that were granted at once. */
  most(): number;
  /** Whether one was ever refused. */
  refused(): boolean;
  /** A slot that `take` gave out is free again. */
  release(): void;
}

/** `isRefusal` knows the error by which the server says that it has no slot left. */
export function sessionSlots(isRefusal: (error: unknown) => boolean): SessionSlots {
  const waiting: (() => Promise<void>)[] = [];
  /** Granted or asked for. */
  let held = 0;
  let granted = 0;
  let most = 0;
  let refused = false;
  let limit = Number.POSITIVE_INFINITY;
  let retry: NodeJS.Timeout | null = null;
  let pauseMs = firstPauseMs;
  let releasedAt = Number.NEGATIVE_INFINITY;
  let refusedAt = Number.NEGATIVE_INFINITY;

  const next = () => {
    while (waiting.length > 0 && held < limit) {
      held++;
      void waiting.shift()?.();
    }
    // sshd counts a session for a moment after its channel has closed, so a release is not always enough.
    if (waiting.length === 0 || retry !== null) return;
    retry = setTimeout(() => {
      retry = null;
      pauseMs = Math.min(pauseMs * 2, lastPauseMs);
      limit = Math.max(limit, held + 1);
      next();
    }, pauseMs);
  };

  const grant = () => {
    granted++;
    most = Math.max(most, granted);
  };
  const mayComeFree = () => held > 0 || performance.now() - releasedAt < lingerMs;

  return {
    take(open, signal) {
      return new Promise((resolve, reject) => {
        const settle = () => signal.removeEventListener('abort', leave);
        const attempt = async () => {
          try {
            signal.throwIfAborted();
            const opened = await open();
            grant();
            resolve(opened);
            pauseMs = firstPauseMs;
            settle();
          } catch (error) {
            held--;
            if (isRefusal(error)) refused = true;
            if (isRefusal(error) && mayComeFree() && !signal.aborted) {
              limit = held;
              waiting.unshift(attempt);
            } else {
              reject(error);
              settle();
            }
            next();
          }
        };
        const leave = () => {
          const index = waiting.indexOf(attempt);
          if (index >= 0) waiting.splice(index, 1);
          reject(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(attempt);
        next();
      });
    },
    async attempt(open) {
      // Now and then it is tried all the same: sshd may only have been slow to count a session as closed.
      const mayHaveGrown = performance.now() - refusedAt > growMs;
      if (waiting.length > 0 || (held >= limit && !mayHaveGrown)) return null;
      limit = Math.max(limit, held + 1);
      held++;
      try {
        const opened = await open();
        grant();
        return opened;
      } catch (error) {
        held--;
        if (!isRefusal(error)) throw error;
        refused = true;
        limit = held;
        refusedAt = performance.now();
        return null;
      }
    },
    granted: () => granted,
    most: () => most,
    refused: () => refused,
    release() {
      held--;
      granted--;
      releasedAt = performance.now();
      pauseMs = firstPauseMs;
      next();
    },
  };
}

const firstPauseMs = 20;
const lastPauseMs = 1000;
const lingerMs = 3000;
const growMs = 5000;
