import type { Frame } from './frame.js';
import type { Rule, RuleKind } from './rules.js';

/**
 * Tells apart the services whose lines a collector has put into one log: `docker compose logs`, `kubectl logs --prefix`,
 * a journal. The engine's own are those that said its first line, arguments or version; what another one says
 * (`Application startup complete.` of a web front end) decides nothing.
 */
export class Services {
  readonly #own = new Set<string>();

  /** Whether another service says it. Nobody is a stranger before one is known as the engine's. */
  isStranger({ text, prefix }: Frame, matched: readonly Rule[]): boolean {
    if (prefix.written === 0 || !matched.some(({ kind }) => tells.has(kind) || decides.has(kind)))
      return false;
    const name = serviceOf(text.slice(0, prefix.written));
    if (name === null) return false;
    if (matched.some(({ kind }) => tells.has(kind))) this.#own.add(name);
    return this.#own.size > 0 && !this.#own.has(name);
  }
}

/** Kinds of rules whose lines only the engine itself writes. */
const tells: ReadonlySet<RuleKind> = new Set<RuleKind>(['run-start', 'args', 'version']);

/** Kinds that a stranger's line is not taken for. systemd speaks for others. */
export const decides: ReadonlySet<RuleKind> = new Set<RuleKind>([
  'ready',
  'ready-after',
  'ready-needs',
  'death',
  'hang',
  'phase',
]);

/** What the collector calls the writer: `web-1` of `web-1  | `, `vllm` of `… node-1 vllm[7]: `, a pod and its container. */
function serviceOf(before: string): string | null {
  return (
    /^\[?([A-Za-z][\w.-]*)\]? +\| |^\[(pod\/[\w./-]+)\]|(?:^| )([\w./@-]+)\[\d+\]: /
      .exec(before)
      ?.slice(1)
      .find((name) => name !== undefined) ?? null
  );
}
