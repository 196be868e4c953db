import type { Frame } from './frame.js';
import type { Rule, RuleKind } from './rules.js';

/**
 * Tells apart the services whose lines a collector has put into one log: `docker compose logs`, `kubectl logs --prefix`,
 * a journal. The engine's own are those that said its first line, arguments or version; what another one says
 * (`Application startup complete.` of a web front end) decides nothing.
 */
export class Services {
  readonly #own = new Set<string>();

  /**
   * The kinds of rules that this line is not taken for, since another service says it, or since it tells of another one's
   * end. Nobody is a stranger before one is known as the engine's.
   */
  passedOver({ text, prefix }: Frame, matched: readonly Rule[]): ReadonlySet<RuleKind> {
    if (matched.some(({ kind }) => kind === 'ended') && this.#isStrangersEnd(text)) return endings;
    if (prefix.written === 0 || !matched.some(({ kind }) => tells.has(kind) || decides.has(kind)))
      return nothing;
    const name = serviceOf(text.slice(0, prefix.written));
    if (name === null) return nothing;
    if (matched.some(({ kind }) => tells.has(kind))) this.#own.add(name);
    return this.#own.size > 0 && !this.#own.has(name) ? decides : nothing;
  }

  #isStrangersEnd(text: string): boolean {
    const ended = containerOf(text);
    return ended !== null && this.#own.size > 0 && ![...this.#own].some((own) => isSame(ended, own));
  }
}

/** Kinds of rules whose lines only the engine itself writes. */
const tells: ReadonlySet<RuleKind> = new Set<RuleKind>(['run-start', 'args', 'version']);

/** Kinds that a stranger's line is not taken for. systemd speaks for others. */
const decides: ReadonlySet<RuleKind> = new Set<RuleKind>([
  'ready',
  'ready-after',
  'ready-needs',
  'death',
  'hang',
  'phase',
]);

const endings: ReadonlySet<RuleKind> = new Set<RuleKind>(['ended']);

const nothing: ReadonlySet<RuleKind> = new Set<RuleKind>();

/** Whose end `docker compose` tells in a line of its own: `vllm-1 exited with code 137`. */
const containerOf = (text: string): string | null =>
  /^(?:\S+ )?([\w.-]+) exited with code \d/.exec(text)?.[1] ?? null;

/** Compose's first version put the project before the name that it prefixes lines with. */
const isSame = (container: string, own: string): boolean =>
  container === own || container.endsWith(`_${own}`) || container.endsWith(`-${own}`);

/** What the collector calls the writer: `web-1` of `web-1  | `, `vllm` of `… node-1 vllm[7]: `, a pod and its container. */
function serviceOf(before: string): string | null {
  return (
    /^\[?([A-Za-z][\w.-]*)\]? +\| |^\[(pod\/[\w./-]+)\]|(?:^| )([\w./@-]+)\[\d+\]: /
      .exec(before)
      ?.slice(1)
      .find((name) => name !== undefined) ?? null
  );
}
