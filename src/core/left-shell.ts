import type { Findings } from '../triage/findings.js';
import { causeText } from './cause-text.js';
import { processEvidence } from './evidence.js';
import { isOk } from './health.js';
import { loggedDeath, shellsWord } from './log-death.js';
import { isMereLine } from './programs.js';
import { wasReadyInThisRun } from './ready.js';
import { type Member, programMs } from './roster.js';
import { over, type Ruling, unknown, unknownWith } from './ruling.js';
import type { State } from './state.js';
import { ofThisRun } from './this-run.js';

/** Within it a loop that starts a server anew has done so (ms). */
const restartMs = 10_000;

/** How long a question to its port takes (ms). */
const askMs = 5000;

/**
 * A shell that lives is no server that lives: `server; sleep 600`, a loop with a pause. Where we have seen another program
 * in its tree for a while, and nothing but shells and their small programs is left, the server has ended. Null where that
 * is not so, where the port answers all the same (it has left the tree), or while a loop may start it anew.
 */
export function judgeLeftShell(state: State, findings: Findings): Ruling | null {
  const { process, health, target, now } = state;
  const { fact } = process;
  if (fact?.status !== 'alive' || !fact.tree.every(({ command }) => isMereLine(command))) return null;
  const server = endedServer(state);
  if (server === null) return judgeUnseen(state, findings);
  const { goneAt } = server;
  const isAsked = health !== null && health.at > goneAt;
  if (isAsked && isOk(health.answer)) return null;
  const left = `pid ${server.pid} has ended, only what ran it (pid ${fact.pid}) is left`;
  const evidence = [processEvidence(state)];
  const ready = ofThisRun(findings.ready, state);
  if (ready === null && !wasReadyInThisRun(state, findings)) {
    const began = ofThisRun(findings.runStart, state);
    if (began === null || (began.at ?? 0) > goneAt || now - goneAt < restartMs / target.timeScale)
      return null;
    const cause = state.reading.report({ outcome: 'crashed' }).rootCause;
    return over('crashed', cause ? causeText(cause) : `gone before it was ready: ${left}`, evidence);
  }
  // Another one is up, or was when nobody looked.
  if ((ready?.at ?? 0) > goneAt + programMs) return null;
  if (!isAsked && findings.port !== null && now - goneAt < askMs)
    return { ...unknown(`was READY: ${left}; asking its port`, null), evidence };
  const word = loggedDeath(findings);
  if (word === null) return unknownWith(`was READY: ${left}`, evidence);
  const cause = state.reading.report({ outcome: 'crashed' }).rootCause;
  return over('crashed', cause ? causeText(cause) : left, [word, ...evidence]);
}

type Ended = Member & { readonly goneAt: number };

/** It ended before we came: only the word of a shell for that tells it from a script that is the server itself. */
function judgeUnseen(state: State, findings: Findings): Ruling | null {
  const word = ofThisRun(findings.ready, state) === null ? null : shellsWord(findings);
  if (word === null || (state.health !== null && isOk(state.health.answer))) return null;
  const text = 'its shell says that it was killed, and nothing but that is left of it';
  return over('crashed', text, [word, processEvidence(state)]);
}

/** The program that ended last in a tree of which only the shell is left. */
function endedServer({ roster, target }: State): Ended | null {
  const ended = roster.members.filter((each): each is Ended => isEndedProgram(each, target.timeScale));
  return ended.sort((one, other) => other.goneAt - one.goneAt)[0] ?? null;
}

/** Whether a member of a tree is known to have been a program besides the shell's own, and to have ended. */
function isEndedProgram(each: Member, timeScale: number): boolean {
  if (each.goneAt === null || each.inTree !== false || isMereLine(each.command)) return false;
  return each.goneAt - each.firstAt >= programMs / timeScale;
}
