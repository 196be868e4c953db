import type { EngineProfile } from '../engines/profile.js';
import { requiredLiterals } from '../ingest/literals.js';
import type { PrefixPattern } from '../ingest/prefix.js';
import { WordFinder } from '../ingest/word-finder.js';
import { compilePattern } from './own-pattern.js';
import { isQuoted } from './quoted.js';
import { collectRules, type Rule, type RuleKind } from './rule-kinds.js';

/** A profile made ready for reading: every pattern compiled once, and one pass that says which may match. */
export interface Rules {
  readonly profile: EngineProfile;
  readonly prefixes: readonly PrefixPattern[];
  /** The engine's first prefix anywhere in a line: progress bars are glued in front of log lines. */
  readonly embedded: RegExp | null;
  /** All of the engine's prefixes, wherever in a line. */
  readonly anywhere: readonly RegExp[];
  readonly codePath: RegExp;
  readonly frames: readonly {
    readonly pattern: RegExp;
    readonly phase: EngineProfile['frames'][number]['phase'];
  }[];
  readonly progress: readonly {
    readonly pattern: RegExp;
    readonly rule: EngineProfile['progress'][number];
  }[];
  /**
   * Fills `matched` with the rules that match `text`, of which the program itself wrote what begins at `written`; returns
   * the flags of its words.
   */
  match(text: string, written: number, matched: Rule[]): number;
}

/** Words that tell what a line may be, whatever the engine. */
export const flag = { traceback: 1, frame: 2, error: 4, warning: 8, bar: 16, chain: 32 } as const;

const flagWords: readonly (readonly [number, readonly string[]])[] = [
  [flag.traceback, ['Traceback (most recent call last)']],
  [flag.frame, ['File "']],
  [
    flag.error,
    [
      'ERROR',
      'Error',
      'CRITICAL',
      'FATAL',
      'Fatal',
      'Exception',
      'out of memory',
      'egfault',
      'Segmentation fault',
      'Killed',
      'core dumped',
      ' error:',
    ],
  ],
  [flag.warning, ['WARN', 'Warning', 'warning:']],
  [flag.bar, ['%|', '% Completed |']],
  [flag.chain, ['The above exception was', 'During handling of the above']],
];

// Rules look at the head of a frame: what is longer is a dump of arguments or of a request.
const LOOK_AT = 16_384;

const compiled = new WeakMap<EngineProfile, Rules>();

/** Compiles `profile`, once. */
export function rulesOf(profile: EngineProfile): Rules {
  let rules = compiled.get(profile);
  if (rules === undefined) {
    rules = compile(profile);
    compiled.set(profile, rules);
  }
  return rules;
}

function compile(profile: EngineProfile): Rules {
  const all = collectRules(profile);
  const always: Rule[] = [];
  const words = all.map((rule): readonly string[] => {
    const literals = requiredLiterals(rule.pattern.source);
    if (literals === null) always.push(rule);
    return literals ?? [];
  });
  const finder = new WordFinder([...words, ...flagWords.map(([, list]) => list)]);
  const found: number[] = [];
  const anywhere = profile.prefixes.map(({ pattern }) => compilePattern(pattern, profile));
  return {
    profile,
    prefixes: profile.prefixes.map(({ pattern, repeats, depth }) => ({
      pattern: compilePattern(pattern, profile, 'y'),
      repeats,
      depth,
    })),
    anywhere,
    embedded: anywhere[0] ?? null,
    codePath: compilePattern(profile.codePath, profile),
    frames: profile.frames.map(({ pattern, phase }) => ({
      pattern: compilePattern(pattern, profile),
      phase,
    })),
    progress: profile.progress.map((rule) => ({ pattern: compilePattern(rule.pattern, profile), rule })),
    match(text, written, matched) {
      const looked = text.length > LOOK_AT ? text.slice(0, LOOK_AT) : text;
      const count = finder.find(looked, found);
      let flags = 0;
      matched.length = 0;
      for (let i = 0; i < count; i++) {
        const id = found[i] ?? 0;
        const rule = all[id];
        if (rule === undefined) flags |= flagWords[id - all.length]?.[0] ?? 0;
        else if (isSaid(rule, looked, written)) matched.push(rule);
      }
      for (const rule of always) if (isSaid(rule, looked, written)) matched.push(rule);
      if (matched.some(({ kind }) => kind === 'death')) dropTolerated(looked, matched);
      return flags;
    },
  };
}

/** Kinds that decide a verdict: a line that only quotes their words decides nothing. */
const decisive: ReadonlySet<RuleKind> = new Set<RuleKind>(['ready', 'death', 'stopped', 'hang']);

/** `^` in a pattern is where a line begins, and also where it does without what a collector has put in front of it. */
function isSaid(rule: Rule, text: string, written: number): boolean {
  if (isSaidIn(rule, text, written)) return true;
  return written > 0 && rule.pattern.source.includes('^') && isSaidIn(rule, text.slice(written), 0);
}

function isSaidIn(rule: Rule, text: string, written: number): boolean {
  if (!decisive.has(rule.kind)) return rule.pattern.test(text);
  const found = rule.pattern.exec(text);
  return found !== null && !isQuoted(text, found.index, written);
}

/** In `Ignore import error when loading x: Scheduler hit an exception` the harmless words come first: it tells of another. */
function dropTolerated(text: string, matched: Rule[]): void {
  const benignAt = Math.min(
    ...matched.map(({ kind, pattern }) =>
      kind === 'benign' ? text.search(pattern) : Number.POSITIVE_INFINITY,
    ),
  );
  for (let i = matched.length - 1; i >= 0; i--) {
    const rule = matched[i];
    if (rule?.kind === 'death' && text.search(rule.pattern) > benignAt) matched.splice(i, 1);
  }
}

export type { Rule, RuleKind };
