import type {
  BenignRule,
  ConsequenceRule,
  EndedRule,
  EngineProfile,
  FailureRule,
  HangRule,
  HintRule,
  LineRule,
  PhaseRule,
  ReadyRule,
} from '../engines/profile.js';
import { type ClientRule, clientRules } from '../engines/shared/clients.js';
import { workRules } from '../engines/shared/offline-work.js';
import { type PackageRule, packageRules } from '../engines/shared/packages.js';
import { compilePattern } from './own-pattern.js';

/** One rule of a profile with its compiled pattern. */
export type Rule =
  | { readonly kind: 'phase'; readonly pattern: RegExp; readonly rule: PhaseRule }
  | { readonly kind: 'ready'; readonly pattern: RegExp; readonly rule: ReadyRule; readonly index: number }
  | { readonly kind: 'ready-needs' | 'ready-after'; readonly pattern: RegExp; readonly index: number }
  | { readonly kind: 'death'; readonly pattern: RegExp; readonly rule: EndedRule }
  | { readonly kind: 'run-start'; readonly pattern: RegExp; readonly rule: LineRule }
  | { readonly kind: 'args' | 'version' | 'port'; readonly pattern: RegExp; readonly rule: LineRule }
  | { readonly kind: 'ended' | 'stopped'; readonly pattern: RegExp; readonly rule: EndedRule }
  | { readonly kind: 'hang'; readonly pattern: RegExp; readonly rule: HangRule }
  | { readonly kind: 'benign'; readonly pattern: RegExp; readonly rule: BenignRule }
  | { readonly kind: 'consequence'; readonly pattern: RegExp; readonly rule: ConsequenceRule }
  | { readonly kind: 'hint'; readonly pattern: RegExp; readonly rule: HintRule }
  | { readonly kind: 'work'; readonly pattern: RegExp; readonly rule: LineRule }
  | { readonly kind: 'client'; readonly pattern: RegExp; readonly rule: ClientRule }
  | { readonly kind: 'package'; readonly pattern: RegExp; readonly rule: PackageRule }
  | { readonly kind: 'failure'; readonly pattern: RegExp; readonly rule: FailureRule };

export type RuleKind = Rule['kind'];

/** Every rule that is tried on lines; rules for exceptions alone are tried on exceptions. */
export function collectRules(profile: EngineProfile): readonly Rule[] {
  const compile = (source: string): RegExp => compilePattern(source, profile);
  const rules: Rule[] = [];
  for (const rule of profile.benign) rules.push({ kind: 'benign', pattern: compile(rule.pattern), rule });
  for (const rule of profile.runStart)
    rules.push({ kind: 'run-start', pattern: compile(rule.pattern), rule });
  for (const rule of profile.args) rules.push({ kind: 'args', pattern: compile(rule.pattern), rule });
  for (const rule of profile.version) rules.push({ kind: 'version', pattern: compile(rule.pattern), rule });
  for (const rule of profile.port) rules.push({ kind: 'port', pattern: compile(rule.pattern), rule });
  for (const rule of profile.phases) rules.push({ kind: 'phase', pattern: compile(rule.pattern), rule });
  profile.ready.forEach((rule, index) => {
    rules.push({ kind: 'ready', pattern: compile(rule.pattern), rule, index });
    if (rule.needs === undefined) return;
    rules.push({ kind: 'ready-after', pattern: compile(rule.needs.after), index });
    rules.push({ kind: 'ready-needs', pattern: compile(rule.needs.line), index });
  });
  for (const rule of profile.death) rules.push({ kind: 'death', pattern: compile(rule.pattern), rule });
  for (const rule of profile.ended) rules.push({ kind: 'ended', pattern: compile(rule.pattern), rule });
  for (const rule of profile.stopped) rules.push({ kind: 'stopped', pattern: compile(rule.pattern), rule });
  for (const rule of profile.hang) rules.push({ kind: 'hang', pattern: compile(rule.pattern), rule });
  for (const rule of profile.consequences)
    rules.push({ kind: 'consequence', pattern: compile(rule.pattern), rule });
  for (const rule of profile.hints) rules.push({ kind: 'hint', pattern: compile(rule.pattern), rule });
  for (const rule of profile.failures) {
    if (rule.on !== 'exception') rules.push({ kind: 'failure', pattern: compile(rule.pattern), rule });
  }
  for (const rule of workRules) rules.push({ kind: 'work', pattern: compile(rule.pattern), rule });
  for (const rule of clientRules) rules.push({ kind: 'client', pattern: compile(rule.pattern), rule });
  for (const rule of packageRules) rules.push({ kind: 'package', pattern: compile(rule.pattern), rule });
  return rules;
}
