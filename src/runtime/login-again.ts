import type { Link } from '../core/events.js';
import { describeError } from '../errors.js';
import { isFinal, openQuestion } from '../host/failures.js';
import type { Host } from '../host/host.js';
import { onAbort } from '../host/on-abort.js';
import type { Prompts } from '../host/prompts.js';

/** Who can be asked when a login, after a loss, is refused or cannot go on without an answer. */
export type Asking =
  /** Somebody before a screen: when they say so (`wake`), and as often as they do. `cancelled` aborts at their "no". */
  | { readonly kind: 'on-demand'; readonly prompts: Prompts; readonly cancelled: () => AbortSignal }
  /** Somebody before a terminal: at once, where an answer is what is missing. */
  | { readonly kind: 'at-once'; readonly prompts: Prompts }
  | { readonly kind: 'nobody' };

export interface LoginAgainOptions {
  readonly connect: (signal: AbortSignal, prompts?: Prompts) => Promise<Host>;
  readonly asking: Asking;
  readonly tell: (link: Link) => void;
  readonly signal: AbortSignal;
  /** Aborts when the user wants to go on. */
  readonly wake: () => AbortSignal;
}

export type LoginAgain =
  | { readonly kind: 'up'; readonly host: Host }
  /** It may pass: the network went, say. */
  | { readonly kind: 'passing'; readonly reason: string }
  | { readonly kind: 'over' };

/**
 * Goes on after a login that was refused, or that nobody answered: never by itself, always on a word of somebody. Over
 * when there is nobody, or when `signal` aborts; `tell` has heard why.
 */
export async function loginAgain(refused: unknown, options: LoginAgainOptions): Promise<LoginAgain> {
  const { asking, tell } = options;
  switch (asking.kind) {
    case 'on-demand':
      return onDemand(refused, asking, options);
    case 'at-once':
      if (openQuestion(refused) !== null) return atOnce(refused, asking.prompts, options);
  }
  const question = openQuestion(refused);
  const reason =
    question === null ? describeError(refused) : `${question.replace(/\.$/, '')}, and nobody can be asked.`;
  tell({ status: 'lost', reason });
  return { kind: 'over' };
}

async function onDemand(
  refused: unknown,
  { prompts, cancelled }: Extract<Asking, { kind: 'on-demand' }>,
  { connect, tell, signal, wake }: LoginAgainOptions,
): Promise<LoginAgain> {
  for (let error = refused; ; ) {
    tell(waitingFor(error, false));
    await aborted(AbortSignal.any([signal, wake()]));
    if (signal.aborted) return { kind: 'over' };
    const stop = cancelled();
    tell(waitingFor(error, true));
    try {
      return { kind: 'up', host: await connect(AbortSignal.any([signal, stop]), prompts) };
    } catch (failure) {
      // Whatever it was, the next try is theirs, too: by itself it would come before the same question.
      if (!stop.aborted) error = failure;
    }
  }
}

async function atOnce(
  refused: unknown,
  prompts: Prompts,
  { connect, tell, signal }: LoginAgainOptions,
): Promise<LoginAgain> {
  tell(waitingFor(refused, true));
  try {
    return { kind: 'up', host: await connect(signal, prompts) };
  } catch (error) {
    const reason = describeError(error);
    if (!isFinal(error)) return { kind: 'passing', reason };
    tell({ status: 'lost', reason });
    return { kind: 'over' };
  }
}

function waitingFor(error: unknown, trying: boolean): Link {
  const question = openQuestion(error);
  return {
    status: 'waiting',
    needs: question === null ? 'retry' : 'answer',
    reason: question ?? describeError(error),
    trying,
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => void onAbort(signal, resolve));
