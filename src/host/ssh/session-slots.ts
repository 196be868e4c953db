/** Hands out a server's session slots (`MaxSessions`), whose number only its refusals tell. */
export interface SessionSlots {
  /**
   * Calls `open` when a slot seems free, again after each refusal, in the order of asking. Rejects with what `open`
   * rejects with when that is no refusal, or when it is refused while no slot is held at all.
   */
  take<T>(open: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** A slot that `take` gave out is free again. */
  release(): void;
}

/** `isRefusal` knows the error by which the server says that it has no slot left. */
export function sessionSlots(isRefusal: (error: unknown) => boolean, retryMs = 1000): SessionSlots {
  const waiting: (() => Promise<void>)[] = [];
  let held = 0;
  let limit = Number.POSITIVE_INFINITY;
  let retry: NodeJS.Timeout | null = null;

  const next = () => {
    while (waiting.length > 0 && held < limit) {
      held++;
      void waiting.shift()?.();
    }
    // A slot may come free without our knowing, or the refusal had another reason: try one more now and then.
    if (waiting.length > 0 && retry === null) {
      retry = setTimeout(() => {
        retry = null;
        limit = Math.max(limit, held + 1);
        next();
      }, retryMs);
    }
  };

  return {
    take(open, signal) {
      return new Promise((resolve, reject) => {
        const attempt = async () => {
          try {
            signal.throwIfAborted();
            resolve(await open());
          } catch (error) {
            held--;
            if (isRefusal(error) && held > 0 && !signal.aborted) {
              limit = held;
              waiting.unshift(attempt);
            } else {
              reject(error);
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
    release() {
      held--;
      next();
    },
  };
}
