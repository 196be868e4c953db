import { type EngineId, type PhaseId, type PhaseModel, phaseIds } from '../engines/ids.js';
import type { FailureRule } from '../engines/profile.js';
import type { Traceback } from '../ingest/traceback.js';
import { consequenceOf, type Found, findCause } from './cause.js';
import { reportOfClient } from './client.js';
import { type Evidence, isAtItsEnd, isInterrupt, type Suspect } from './evidence.js';
import { checklistOf, findDeath, findingsOf } from './find.js';
import type { PhaseFinding, ReportFacts } from './findings.js';
import { type Place, withFailure } from './phase-failure.js';
import { remediesFor } from './remedies.js';
import type { LineRef, Outcome, PhaseReport, Remedy, Report } from './report.js';
import type { RunReader } from './run-reader.js';
import { findSignal } from './signal-cause.js';
import { silentSteps } from './silent-steps.js';
import { stallSteps } from './stall-steps.js';

/** The report over a log that has come to its end; what only a live view knows overrides the outcome. */
export function reportOf(
  reader: RunReader,
  engine: EngineId,
  lines: number,
  bytes: number,
  facts: ReportFacts,
): Report {
  const findings = findingsOf(reader, engine, lines, bytes);
  if (findings.client !== null && facts.outcome === undefined)
    return reportOfClient(reader, lines, facts.bytes ?? bytes);
  const judged = outcomeOf(reader, engine, lines);
  const found = causeOf(reader, facts.outcome ?? judged);
  const outcome = facts.outcome ?? (judged === 'crashed' && wasInterrupted(found) ? 'stopped' : judged);
  const at = crashPhase(reader, found, outcome, findings.phase, findings.phaseModel);
  const failed = outcome === 'crashed' && reader.evidence.ready === null;
  const phases = failed ? withFailure(checklistOf(reader), at) : checklistOf(reader);
  return {
    schema: 1,
    engine,
    engineVersion: findings.engineVersion,
    outcome,
    phase: at.id ?? (engine === 'unknown' ? null : 'launch'),
    phaseModel: at.model,
    phases: reader.phases.begun === 0 ? [] : phases.map(phaseReport),
    rootCause: found?.cause ?? null,
    consequences: consequencesOf(reader, found, outcome),
    suspicions: suspicionsOf(reader, found),
    remedies: remediesFrom(reader, found, outcome, findings.phase, facts),
    serverArgs: findings.serverArgs,
    lines,
    bytes: facts.bytes ?? bytes,
  };
}

/** Why it crashed. Who was stopped has no cause but the interrupt: all else was survived, or thrown while it went. */
function causeOf(reader: RunReader, outcome: Outcome): Found | null {
  if (outcome !== 'crashed' && outcome !== 'stopped') return null;
  const { evidence, phases, rules } = reader;
  const found = findCause(evidence, phases, rules);
  if (outcome === 'crashed') return found ?? findSignal(evidence, rules);
  return wasInterrupted(found) ? found : null;
}

/**
 * A finished file is judged by its structure: a dying line, or an exception that nobody caught with no line of the
 * engine going on after it. After ready only the engine's own death counts.
 */
function outcomeOf(reader: RunReader, engine: EngineId, lines: number): Outcome {
  const { evidence } = reader;
  if (findDeath(reader) !== null) return 'crashed';
  if (evidence.stopped !== null) return 'stopped';
  const last = evidence.uncaught;
  if (evidence.ready === null && last !== null && evidence.aliveLine < last.lineNumber) {
    return isInterrupt(last) ? 'stopped' : 'crashed';
  }
  if (last !== null && evidence.ready !== null && isEnginesEnd(last, evidence)) return 'crashed';
  if (evidence.orderly !== null && evidence.aliveLine <= evidence.orderly.lineNumber)
    return hasFailed(evidence) ? 'crashed' : 'stopped';
  if (isAtItsEnd(evidence, lines)) return 'crashed';
  if (evidence.ready !== null) return 'ready';
  if (evidence.hang !== null && evidence.aliveLine <= evidence.hang.lineNumber) return 'stalled';
  return engine === 'unknown' && reader.phases.begun === 0 ? 'unknown' : 'loading';
}

/** Whether a worker's exception came before the end of a program of which nothing else is known to have gone well. */
function hasFailed({ uncaught, ready, work }: Evidence): boolean {
  return (
    uncaught !== null && !isInterrupt(uncaught) && uncaught.depth >= 2 && ready === null && work !== 'done'
  );
}

/** Ctrl-C reaches all processes of a server: each dies with words of its own, and no other cause is there. */
function wasInterrupted(found: Found | null): boolean {
  return found !== null && isInterrupt(found.suspect);
}

/** Behind ready: an exception of the engine's own process, with nothing after it. A request's is logged by the front end. */
function isEnginesEnd(last: Suspect, { ready, aliveLine }: Evidence): boolean {
  const isLast = last.lineNumber > (ready?.lineNumber ?? 0) && aliveLine < last.lineNumber;
  return isLast && last.grave && last.depth >= 2;
}

/** The phase reached by the lines, or a later one that the functions in the traceback name. */
function crashPhase(
  reader: RunReader,
  found: Found | null,
  outcome: Outcome,
  phase: PhaseId | null,
  model: PhaseModel | null,
): Place {
  const lines = { id: phase, model };
  if (outcome !== 'crashed' || reader.evidence.ready !== null) return lines;
  const told = phaseOfFrames(reader, tracebacksOf(reader, found)) ?? found?.rule?.phase;
  // In a log without its beginning a loop at work is most often past its warm-up.
  const named = told === 'warmup' && reader.phases.begun === 0 ? 'serving' : told;
  if (named === undefined || phaseIds.indexOf(named) <= (phase === null ? -1 : phaseIds.indexOf(phase)))
    return lines;
  return { id: named, model: reader.phases.hasModel('draft') ? model : null };
}

/** Null where the log's stamps hold no year (vLLM): a date would be made up. */
function isoTime(logMs: number | null): string | null {
  return logMs === null || logMs < Date.UTC(2010, 0) ? null : new Date(logMs).toISOString();
}

/**
 * The cause's own traceback, then the others from its line on: a compiler's line has none, and one that was cut
 * may lack the frames that tell.
 */
function tracebacksOf(reader: RunReader, found: Found | null): readonly Traceback[] {
  const line = found?.cause.lineNumber ?? 0;
  const thrown = reader.evidence.suspects.filter((suspect) => suspect.tolerated !== 'harmless');
  const later = thrown.filter((suspect) => suspect.lineNumber >= line);
  const all = [
    found?.suspect.traceback,
    ...later.map(({ traceback }) => traceback),
    thrown.at(-1)?.traceback,
  ];
  return all.filter((traceback) => traceback != null);
}

function phaseOfFrames(reader: RunReader, tracebacks: readonly Traceback[]): PhaseId | undefined {
  for (const traceback of tracebacks.slice(0, 20)) {
    const names = framesOf(traceback);
    const rule = reader.rules.frames.find(({ pattern }) => pattern.test(names));
    if (rule !== undefined) return rule.phase;
  }
  return undefined;
}

/** Files and functions of all blocks of a chain. */
function framesOf(traceback: Traceback): string {
  const names: string[] = [];
  for (let block: Traceback | null = traceback; block !== null; block = block.earlier) {
    for (const frame of block.frames) names.push(`${frame.file}:${frame.name}`);
  }
  return names.join('\n');
}

function phaseReport(phase: PhaseFinding): PhaseReport {
  const { startedLogMs, endedLogMs } = phase;
  const millis = startedLogMs === null || endedLogMs === null ? null : endedLogMs - startedLogMs;
  return {
    id: phase.id,
    title: phase.title,
    model: phase.model,
    status: phase.status,
    startedAt: isoTime(startedLogMs),
    seconds: millis === null || millis < 0 ? null : millis / 1000,
    progress: phase.progress,
    detail: phase.detail,
  };
}

function remediesFrom(
  reader: RunReader,
  found: Found | null,
  outcome: Outcome,
  phase: PhaseId | null,
  facts: ReportFacts,
): readonly Remedy[] {
  if (outcome === 'stalled') return stallSteps(phase, facts.stall ?? null);
  if (outcome === 'crashed' && found === null && facts.death) return silentSteps(facts.death, phase);
  return found?.rule == null ? [] : remediesOf(reader, found, found.rule);
}

function remediesOf(reader: RunReader, found: Found, rule: FailureRule): readonly Remedy[] {
  const hints = reader.evidence.hintsFor(rule.category);
  return remediesFor(rule, found.suspect, reader.facts.args, reader.profile, hints);
}

function consequencesOf(reader: RunReader, found: Found | null, outcome: Outcome): readonly LineRef[] {
  if (outcome !== 'crashed') return [];
  const since = reader.evidence.ready?.lineNumber ?? 0;
  const others = reader.evidence.suspects.filter(
    (suspect) => suspect.tolerated !== 'harmless' && suspect.lineNumber >= since,
  );
  const lines = new Map<number, LineRef>();
  // A signal is a cause of nothing that was said before it.
  const isSignal = found !== null && found.cause.lineNumber === reader.evidence.ended?.lineNumber;
  const told =
    found === null || isSignal ? [] : [...others, ...reader.evidence.suspicions.filter(followsFrom(reader))];
  for (const { lineNumber, line } of [...reader.evidence.consequences, ...told]) {
    if (lineNumber !== found?.cause.lineNumber) lines.set(lineNumber, { lineNumber, line: line.trimEnd() });
  }
  return [...lines.values()].sort((a, b) => a.lineNumber - b.lineNumber).slice(0, 100);
}

/** What the cause does not explain: neither its own lines, nor another suspect's, nor what follows from a death. */
function suspicionsOf(reader: RunReader, found: Found | null): readonly LineRef[] {
  if (found === null) return reader.evidence.suspicions;
  const folded = new Set([found.cause.lineNumber]);
  for (const { lineNumber, traceback } of reader.evidence.suspects) {
    folded.add(lineNumber);
    for (let block = traceback; block != null; block = block.earlier) folded.add(block.lineNumber);
  }
  const follows = followsFrom(reader);
  return reader.evidence.suspicions.filter((line) => !folded.has(line.lineNumber) && !follows(line));
}

/** Whether a line is what a rank prints because another one died (Gloo, NCCL). */
function followsFrom(reader: RunReader): (line: LineRef) => boolean {
  return ({ line }) => consequenceOf(line, reader.rules) !== null;
}
