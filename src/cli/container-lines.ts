import type { ContainerPlace } from '../core/process-fact.js';
import { exitCodes, FiredupError } from '../errors.js';
import type { Host } from '../host/host.js';
import { createLineSplitter } from '../ingest/split-lines.js';
import { createContainerFollower } from '../probes/container-follow.js';
import { lastOf } from './last-of.js';

/** The last lines of a container's log. Throws `FiredupError` `no-log` where its engine gives none. */
export async function lastContainerLines(
  host: Host,
  container: ContainerPlace,
  count: number,
): Promise<readonly string[]> {
  const splitter = createLineSplitter();
  const lines: string[] = [];
  let problem: string | null = null;
  const follower = createContainerFollower({
    container,
    lastLines: count,
    onBytes: (bytes) => lines.push(...splitter.push(bytes).map(({ text }) => text)),
    onChange(change) {
      if (change.kind === 'unreadable') problem = change.reason;
      if (change.kind === 'missing') problem = 'it is not there';
    },
  });
  await follower.runToEnd(host, AbortSignal.timeout(60_000));
  if (problem !== null) {
    throw new FiredupError('no-log', `${container.engine} gives no log of ${container.name}: ${problem}`, {
      exitCode: exitCodes.usage,
    });
  }
  return lastOf([...lines, ...splitter.end().map(({ text }) => text)], count);
}
