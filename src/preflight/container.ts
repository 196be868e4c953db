import type { Finding } from './finding.js';
import { findingsOf } from './findings.js';
import { blocker, ok, type Rule, type Sight } from './rule.js';
import { gpuRules } from './rules/gpus.js';
import { conflictWith, holderText, portRules } from './rules/port.js';

/** A container that is about to be started again, as it was made. */
export interface ContainerStart {
  readonly engine: 'docker' | 'podman';
  readonly name: string;
  readonly image: string;
  /** What it publishes, on which address of the host; null: it has the host's own network. */
  readonly published: readonly { readonly address: string; readonly port: number }[] | null;
}

/**
 * What can be told from outside before a container starts: whether its ports are free and its GPUs too. What is in it
 * (command, model, versions) cannot be seen. `sight.plan` is of its command, `sight.isFixed` holds.
 */
export function containerFindings(sight: Sight, start: ContainerStart): readonly Finding[] {
  const there: Rule = {
    id: 'container',
    check: () => ok('container', `${start.name}, of ${start.engine}, image ${start.image}`),
  };
  const ports = start.published === null ? portRules : [publishedRule(start.published)];
  return findingsOf(sight, [there, ...ports, ...gpuRules]);
}

const publishedRule = (published: NonNullable<ContainerStart['published']>): Rule => ({
  id: 'port',
  check: ({ report }) =>
    report.unanswered.includes('ports')
      ? null
      : published.map(({ address, port }) => {
          const holder = report.listeners.find(
            (one) => one.port === port && conflictWith(one, address) === 'yes',
          );
          if (holder === undefined) return ok(`port ${port}`, 'free');
          const text = `taken by ${holderText(report, holder)}`;
          return blocker(`port ${port}`, text, 'End it: which port the container publishes is fixed.');
        }),
});
