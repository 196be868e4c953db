import type { EngineProfile } from '../engines/profile.js';
import { packageIn } from '../engines/shared/packages.js';
import { readPythonArgs } from './python-repr.js';
import { isSet } from './ready-watch.js';
import type { Rule } from './rules.js';

/** A rule whose lines tell something about the run rather than how it goes. */
export type FactRule = Extract<Rule, { kind: 'args' | 'version' | 'port' | 'package' }>;

export const isFactRule = (rule: Rule): rule is FactRule =>
  rule.kind === 'args' || rule.kind === 'version' || rule.kind === 'port' || rule.kind === 'package';

/** What a log says of its run: version, arguments, port, packages. */
export class RunFacts {
  version: string | null = null;
  port: number | null = null;
  args: Readonly<Record<string, unknown>> | null = null;
  packages: Readonly<Record<string, string>> = {};
  readonly #keys: EngineProfile['argKeys'];

  constructor(keys: EngineProfile['argKeys']) {
    this.#keys = keys;
  }

  /** Takes from `text` what the rule, which matches it, is about. */
  take(rule: FactRule, text: string): void {
    switch (rule.kind) {
      case 'args':
        this.#readArgs(rule.pattern, text);
        return;
      case 'version':
        this.version = rule.pattern.exec(text)?.groups?.v ?? this.version;
        return;
      case 'port':
        this.port = Number(rule.pattern.exec(text)?.groups?.port) || this.port;
        return;
      case 'package':
        this.#package(rule, text);
    }
  }

  /** Whether the printed arguments ask for a draft model; null while they are unknown. */
  get speculative(): boolean | null {
    const { args } = this;
    const keys = this.#keys.speculative;
    if (args === null || keys === undefined) return null;
    return keys.some((key) => isSet(args[key]) && args[key] !== 'NGRAM');
  }

  /** For the next run in the same file: the engine stays the same, what it was started with need not. */
  nextRun(): void {
    this.args = null;
    this.packages = {};
    this.port = null;
  }

  #readArgs(pattern: RegExp, text: string): void {
    const match = pattern.exec(text);
    if (match === null) return;
    this.args = readPythonArgs(text, match.index + match[0].length);
    const port = this.args[this.#keys.port ?? 'port'];
    if (typeof port === 'number') this.port = port;
  }

  /** The first word counts: later ones may be of other places of the same machine. */
  #package({ rule, pattern }: Extract<FactRule, { kind: 'package' }>, text: string): void {
    const found = packageIn(rule, pattern.exec(text));
    if (found === null || found.name in this.packages) return;
    this.packages = { ...this.packages, [found.name]: found.version };
  }
}
