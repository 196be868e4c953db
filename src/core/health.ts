import type { HealthAnswer } from './events.js';
import type { State } from './state.js';

/** Folds one answer of the readiness path. A 200 counts only from a listener that is known to be the server's own. */
export function reduceHealth(state: State, told: HealthAnswer, at: number): State {
  const before = state.health;
  const answer = stillForeign(state, told);
  const samePort = before?.answer.port === answer.port;
  const ok = isOk(answer) && answer.owned === true;
  const open = isOk(answer) && answer.owned !== false;
  return {
    ...state,
    health: {
      answer,
      at,
      becameOkAt: becameOkAt(state, answer, at),
      okSince: ok ? ((samePort ? before?.okSince : null) ?? at) : null,
      openSince: open ? ((samePort ? before?.openSince : null) ?? at) : null,
    },
  };
}

/** A stranger's port stays a stranger's when the server has gone, whose processes could be compared before. */
function stillForeign({ health, process }: State, answer: HealthAnswer): HealthAnswer {
  const wasForeign = health?.answer.port === answer.port && health.answer.owned === false;
  const isOpen = answer.owned === null && process.fact?.status === 'gone' && isOk(answer);
  return wasForeign && isOpen ? { ...answer, owned: false } : answer;
}

/** An answer that clearly was no 200, and the next one soon after it over the same connection. */
function becameOkAt({ health, upSince }: State, answer: HealthAnswer, at: number): number | null {
  if (health === null || health.answer.port !== answer.port) return null;
  if (health.becameOkAt !== null || !isOk(answer) || answer.owned === false) return health.becameOkAt;
  const { kind } = health.answer.result;
  const wasNot = kind === 'refused' || (kind === 'status' && !isOk(health.answer));
  return wasNot && health.at >= upSince && at - health.at <= soonMs ? at : null;
}

/** Two questions, the answer to one of which takes its time (ms). */
const soonMs = 10_000;

/** Whether the readiness path said 200, whoever said it. */
export function isOk(answer: HealthAnswer): boolean {
  return answer.result.kind === 'status' && answer.result.code === 200;
}

/** How long the readiness path must answer 200 before that alone means READY (ms; contract, rule 1). */
export const steadyMs = 5000;
