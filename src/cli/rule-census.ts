import type { EngineProfile, LineRule } from '../engines/profile.js';
import { listRules, nameOfRule } from '../engines/rule-list.js';
import { consequenceOf, ruleFor } from '../triage/cause.js';
import type { Suspect } from '../triage/evidence.js';
import { compilePattern } from '../triage/own-pattern.js';
import type { RuleStep } from '../triage/rule-watch.js';
import { type Rule, rulesOf } from '../triage/rules.js';

/** What the rules of an engine made of a log. */
export interface Census {
  readonly rules: readonly RuleCount[];
  /** Error-like lines and exceptions that no rule knows; alike ones are one. Oldest first. */
  readonly unexplained: readonly LineCount[];
}

export interface LineCount {
  readonly count: number;
  /** The first few line numbers, and the last. */
  readonly first: readonly number[];
  readonly last: number;
  /** One of the lines, the first. */
  readonly line: string;
}

export interface RuleCount extends LineCount {
  readonly section: string;
  readonly name: string;
  readonly pattern: string;
  /** Whether it comes from the user's config. */
  readonly isOwn: boolean;
}

/** Counts what each rule of `profile` meets. `builtIn` are the engines as they come, to tell the user's own rules. */
export class RuleCensus {
  readonly #profile: EngineProfile;
  readonly #builtIn: ReadonlySet<LineRule>;
  readonly #counts = new Map<LineRule, Count>();
  readonly #unexplained = new Map<string, Count>();
  readonly #suspects: Suspect[] = [];

  constructor(profile: EngineProfile, builtIn: readonly EngineProfile[]) {
    this.#profile = profile;
    this.#builtIn = new Set(builtIn.flatMap((engine) => listRules(engine).map(({ rule }) => rule)));
  }

  /** Takes one line with what the rules said of it. */
  see({ line, matched, level, inTraceback, suspect }: RuleStep): void {
    for (const rule of matched) if ('rule' in rule) count(this.#counts, rule.rule, line);
    if (suspect !== null) this.#hold(suspect);
    else if (level === 'error' && !inTraceback && !matched.some(explains)) this.#open(line);
  }

  /** What was found so far. Exceptions are judged here, with the lines of theirs that came after. */
  census(): Census {
    const rules = rulesOf(this.#profile);
    for (const suspect of this.#suspects.splice(0)) {
      const known = ruleFor(suspect, rules) ?? consequence(suspect, this.#profile);
      if (known !== null) count(this.#counts, known, suspect);
      else if (suspect.tolerated === null && consequenceOf(suspect.text, rules) === null) this.#open(suspect);
    }
    return {
      rules: listRules(this.#profile).flatMap((listed): RuleCount[] => {
        const found = this.#counts.get(listed.rule);
        if (found === undefined) return [];
        const { section, rule } = listed;
        const isOwn = !this.#builtIn.has(rule);
        return [{ section, name: nameOfRule(listed), pattern: rule.pattern, isOwn, ...found }];
      }),
      unexplained: [...this.#unexplained.values()],
    };
  }

  /** Once there are very many, the later ones are judged without what follows them. */
  #hold(suspect: Suspect): void {
    this.#suspects.push(suspect);
    if (this.#suspects.length > mostHeld) this.census();
  }

  #open(line: Seen): void {
    const shape = shapeOf(line.line);
    if (this.#unexplained.size < mostShapes || this.#unexplained.has(shape))
      count(this.#unexplained, shape, line);
  }
}

type Seen = Pick<Suspect, 'line' | 'lineNumber'>;

interface Count {
  count: number;
  first: number[];
  last: number;
  line: string;
}

const mostHeld = 1000;
const mostShapes = 2000;
const mostFirst = 5;

function count<Key>(counts: Map<Key, Count>, key: Key, { line, lineNumber }: Seen): void {
  const found = counts.get(key);
  if (found === undefined) {
    counts.set(key, { count: 1, first: [lineNumber], last: lineNumber, line: line.slice(0, 2000) });
    return;
  }
  // A line may hold several frames, and may be the line of an exception besides.
  if (found.last === lineNumber) return;
  found.count += 1;
  found.last = lineNumber;
  if (found.first.length < mostFirst) found.first.push(lineNumber);
}

const telling: ReadonlySet<string> = new Set([
  'benign',
  'failure',
  'consequence',
  'hint',
  'death',
  'ended',
  'stopped',
  'hang',
]);

const explains = ({ kind }: Rule): boolean => telling.has(kind);

function consequence(suspect: Suspect, profile: EngineProfile): LineRule | null {
  const said = suspect.text.slice(0, 4096);
  return profile.consequences.find(({ pattern }) => compilePattern(pattern, profile).test(said)) ?? null;
}

/** Lines that differ in numbers, hexadecimal ids and quoted words alone are alike. */
function shapeOf(line: string): string {
  return line
    .slice(0, 400)
    .replace(/'[^']*'|"[^"]*"/g, '""')
    .replace(/\b(?:0x)?(?:[0-9a-f]*\d[0-9a-f]*|[0-9a-f]{6,})\b/gi, '0')
    .replace(/\d+/g, '0');
}
