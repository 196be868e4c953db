import type { Host } from '../../host/host.js';
import { checkPid } from './check-pid.js';
import type { ContainerTarget, KillTarget } from './kill-target.js';
import type { Container } from './look-at-container.js';

/** In place of the boot id: its processes cannot be seen from the host. */
export const unseenBoot = '-';

/** What is to be ended of a container that runs, or waits for its restart; null where it does neither. */
export async function containerTarget(host: Host, container: Container): Promise<KillTarget | null> {
  const { engine, name, id, started, restartPolicy, pid, status } = container;
  if (!container.running && status !== 'restarting') return null;
  const found = await checkPid(host, pid);
  const seen = found.kind === 'running' ? found : { startTicks: '0', bootId: unseenBoot };
  const run = { engine, name, id, started, restartPolicy };
  return { pid, startTicks: seen.startTicks, bootId: seen.bootId, container: run };
}

/** What a kill of it has to say besides, a sentence each. */
export function containerNotes({ engine, name, restartPolicy }: ContainerTarget): readonly string[] {
  const by = restartPolicy === 'no' ? `${engine} kill` : `${engine} stop`;
  const why =
    restartPolicy === 'no'
      ? ''
      : `, which begins with the container's own stop signal: its restart policy (${restartPolicy}) would start it again after a kill`;
  return [`container ${name} is ended by ${by}${why}`];
}
