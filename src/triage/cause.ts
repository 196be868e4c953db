import type { EngineProfile, FailureRule } from '../engines/profile.js';
import type { Traceback } from '../ingest/traceback.js';
import type { Evidence, Suspect } from './evidence.js';
import { compilePattern } from './own-pattern.js';
import type { PhaseTrack } from './phase-track.js';
import type { RootCause } from './report.js';
import type { Rules } from './rules.js';

/** The cause that was found, with the rule that knows it. */
export interface Found {
  readonly cause: RootCause;
  readonly suspect: Suspect;
  readonly rule: FailureRule | null;
}

/**
 * The earliest exception of the deepest process that is not a known consequence; null where the log names none.
 * In a chain it is the block that says most (see `tellingBlock`). After ready only what came after it counts.
 */
export function findCause(evidence: Evidence, phases: PhaseTrack, rules: Rules): Found | null {
  const since = evidence.ready?.lineNumber ?? 0;
  const ended = hasEnd(evidence);
  const worst = ended ? 3 : 0;
  const returns = returning(evidence);
  let best: { suspect: Suspect; tier: number } | null = null;
  for (const suspect of evidence.suspects) {
    if (suspect.lineNumber < since || (!ended && wasOutlived(suspect, evidence))) continue;
    const told = tellingBlock(suspect, rules);
    const tier = tierOf(told, evidence, phases, rules, returns(suspect));
    if (tier > worst) continue;
    if (best === null || tier < best.tier || (tier === best.tier && told.depth > best.suspect.depth))
      best = { suspect: told, tier };
  }
  if (best === null) return ended ? findOrphan(evidence, since, rules) : null;
  const { suspect, tier } = best;
  const rule = ruleFor(suspect, rules) ?? suspect.rule;
  return { suspect, rule, cause: describe(suspect, rule, rules, tier) };
}

/** An exception line whose traceback is not in the log: its head was cut, or somebody copied the errors alone. */
function findOrphan(evidence: Evidence, since: number, rules: Rules): Found | null {
  for (const { lineNumber, line } of evidence.suspicions) {
    const text = /(?:^|[\])] +)((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception): \S.*)$/.exec(line)?.[1];
    if (text === undefined || lineNumber < since || consequenceOf(text, rules) !== null) continue;
    const suspect: Suspect = { ...orphan, lineNumber, line, text };
    const rule = ruleFor(suspect, rules, 'exception');
    return { suspect, rule, cause: describe(suspect, rule, rules, ORPHAN) };
  }
  return null;
}

/** What is known of a line that stands alone. */
export const orphan: Omit<Suspect, 'line' | 'lineNumber' | 'text'> = {
  traceback: null,
  rule: null,
  rank: null,
  depth: 0,
  phase: null,
  model: null,
  logged: true,
  grave: true,
  tolerated: null,
};

/** Whether the log itself shows an end; without one (a silent kill) nothing that was outlived is named. */
function hasEnd(evidence: Evidence): boolean {
  return (
    evidence.ownDeath !== null ||
    (evidence.uncaught !== null && evidence.aliveLine < evidence.uncaught.lineNumber)
  );
}

/**
 * Whether the server went on behind it: a request that failed is not why it was killed later, nor is what a launcher said
 * long before its end why somebody's signal ended it.
 */
function wasOutlived({ lineNumber, traceback }: Suspect, evidence: Evidence): boolean {
  const { ready, aliveLine, ended, endedBySignal } = evidence;
  if (lineNumber < aliveLine) return ready !== null || endedBySignal;
  return endedBySignal && traceback === null && ended !== null && ended.lineNumber - lineNumber > LAST_WORDS;
}

/** How many lines before its end a program may say by itself why that comes. */
const LAST_WORDS = 40;

// A shorter message may be anybody's.
const TELLING = 24;

/** Tells whether what a tolerated traceback says is in the words of a later one that was not tolerated. */
function returning(evidence: Evidence): (suspect: Suspect) => boolean {
  const fatal = evidence.suspects.filter(({ tolerated }) => tolerated === null);
  return ({ tolerated, traceback, lineNumber }) => {
    const said = traceback?.message.trimEnd().slice(0, 160) ?? '';
    if (tolerated === null || said.length < TELLING) return false;
    return fatal.some((other) => other.lineNumber > lineNumber && other.text.includes(said));
  };
}

/** 0 a cause of its own · 1 one that the process outlived · 2 soft consequence · 3 tolerated by its header · 4 never. */
function tierOf(
  suspect: Suspect,
  evidence: Evidence,
  phases: PhaseTrack,
  rules: Rules,
  returns: boolean,
): number {
  if ((suspect.tolerated === 'harmless' && !returns) || isAnothersStart(suspect, evidence)) return 4;
  const consequence = consequenceOf(suspect.text, rules);
  if (consequence === 'hard') return 4;
  if (suspect.tolerated === 'maybe' && !returns) return 3;
  if (consequence === 'soft') return 2;
  return phases.wentOn(suspect.rank, suspect.lineNumber) ? 1 : 0;
}

/** A program that a launcher did not find, where the engine did start: it tells of its own death. */
function isAnothersStart({ rule, phase }: Suspect, { ownDeath }: Evidence): boolean {
  return rule?.phase === 'launch' && phase === null && ownDeath !== null;
}

/** Whether `text` is what a process prints because another one died. */
export function consequenceOf(text: string, rules: Rules): 'hard' | 'soft' | null {
  const said = text.slice(0, 4096);
  let soft = false;
  for (const { pattern, soft: isSoft } of consequencePatterns(rules)) {
    if (!pattern.test(said)) continue;
    if (!isSoft) return 'hard';
    soft = true;
  }
  return soft ? 'soft' : null;
}

const consequences = new WeakMap<Rules, readonly { readonly pattern: RegExp; readonly soft: boolean }[]>();

function consequencePatterns(rules: Rules): readonly { readonly pattern: RegExp; readonly soft: boolean }[] {
  let list = consequences.get(rules);
  if (list === undefined) {
    list = rules.profile.consequences.map((rule) => ({
      pattern: compilePattern(rule.pattern, rules.profile),
      soft: rule.soft === true,
    }));
    consequences.set(rules, list);
  }
  return list;
}

/**
 * Of the blocks of one chain the one to show. The last is what the program says in the end (`flashinfer … is not
 * installed`, `gated repo`) and is taken, unless it only wraps an earlier one: it repeats its message, is a known
 * consequence, or a rule knows the earlier one and not the later.
 */
function tellingBlock(suspect: Suspect, rules: Rules): Suspect {
  let told = suspect;
  for (let block = suspect.traceback; block?.earlier != null; block = block.earlier) {
    const earlier = { ...told, ...blockText(block.earlier), traceback: block.earlier, rule: null };
    const wraps =
      block.earlier.message.length > 7 && block.message.includes(block.earlier.message.slice(0, 60));
    const known = ruleFor(told, rules) !== null;
    if (!wraps && consequenceOf(told.text, rules) === null && (known || ruleFor(earlier, rules) === null))
      break;
    if (consequenceOf(earlier.text, rules) === 'hard') break;
    // A name without a message says less than whatever was raised from it.
    if (block.earlier.message === '' && block.message !== '' && consequenceOf(told.text, rules) !== 'hard')
      break;
    told = earlier;
  }
  return told;
}

function blockText(block: Traceback): { line: string; lineNumber: number; text: string } {
  return { line: block.line, lineNumber: block.lineNumber, text: textOf(block) };
}

/** `Type: message` as Python prints it. */
export function textOf(block: Traceback): string {
  return block.message === '' ? block.exception : `${block.exception}: ${block.message}`;
}

const failurePatterns = new WeakMap<FailureRule, RegExp>();

/** The pattern of `rule` of `profile`, compiled once. */
export function patternOf(rule: FailureRule, profile: EngineProfile): RegExp {
  let pattern = failurePatterns.get(rule);
  if (pattern === undefined) {
    pattern = compilePattern(rule.pattern, profile);
    failurePatterns.set(rule, pattern);
  }
  return pattern;
}

/** The first failure rule that knows what `suspect` says, over its message with its further lines. */
export function ruleFor(
  suspect: Suspect,
  rules: Rules,
  as: 'exception' | 'line' = suspect.traceback === null ? 'line' : 'exception',
): FailureRule | null {
  const text = wholeText(suspect);
  for (const rule of rules.profile.failures) {
    if (rule.on === 'line' && as === 'exception') continue;
    if (rule.model !== undefined && rule.model !== suspect.model) continue;
    if (rule.during !== undefined && (suspect.phase === null || !rule.during.includes(suspect.phase)))
      continue;
    if (patternOf(rule, rules.profile).test(text)) return rule;
  }
  return null;
}

/** What rules for exceptions look at, blank-separated: the exception line, its further lines, and the words before its traceback. */
export function wholeText(suspect: Suspect): string {
  const block = suspect.traceback;
  return block === null ? suspect.text : [suspect.text, ...block.more, block.header].join(' ').slice(0, 8192);
}

/** A cause as the report tells it. `tier` says how sure it is. */
export function describe(suspect: Suspect, rule: FailureRule | null, rules: Rules, tier: number): RootCause {
  const block = suspect.traceback;
  return {
    line: suspect.line.trimEnd(),
    lineNumber: suspect.lineNumber,
    exception: block?.exception ?? null,
    message: messageOf(suspect),
    rank: suspect.rank,
    category: rule?.category ?? 'unknown',
    where: block === null ? null : deepestFrame(block, rules),
    confidence: Math.round((rule === null ? 0.7 : 0.95) * (tierTrust[tier] ?? 0) * 100) / 100,
  };
}

/** pydantic prints the real message a line later: `Value error, <message> [type=value_error, …`. */
function messageOf(suspect: Suspect): string {
  const block = suspect.traceback;
  if (block === null) return suspect.text.trim();
  for (const line of block.more) {
    const real = /^(?:Value|Assertion) error, (.*?)(?: \[type=|$)/.exec(line);
    if (real?.[1] !== undefined) return real[1];
  }
  return block.message || (block.more[0] ?? '');
}

function deepestFrame(block: Traceback, rules: Rules): string | null {
  for (let i = block.frames.length - 1; i >= 0; i--) {
    const frame = block.frames[i];
    const path = frame === undefined ? undefined : rules.codePath.exec(frame.file)?.[1];
    if (frame !== undefined && path !== undefined) return `${path}:${frame.line} ${frame.name}`.trimEnd();
  }
  return null;
}

/** The tier of a line that stands alone. */
export const ORPHAN = 4;

const tierTrust: readonly number[] = [1, 0.6, 0.5, 0.5, 0.5];
