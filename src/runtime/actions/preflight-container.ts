import { launchSpec } from '../../core/launch-spec.js';
import { FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { type ContainerStart, containerFindings } from '../../preflight/container.js';
import type { Finding } from '../../preflight/finding.js';
import { type LaunchPlan, planLaunch } from '../../preflight/plan.js';
import { portsToSee } from '../../preflight/rules/port.js';
import { isLoss } from './is-loss.js';
import { type Container, list, lookAtContainer, record, text, texts } from './look-at-container.js';
import { lookAtHost, lookLimitMs } from './look-at-host.js';

/**
 * Looks at the host for what would be in the way of starting a container again: whether its engine answers and still has
 * it, its ports, its GPUs. Changes nothing. Rejects when the link was lost, or the script cannot work.
 */
export async function preflightContainer(
  host: Host,
  { id, name }: Pick<Container, 'id' | 'name'>,
  { port }: { readonly port: number | null },
): Promise<readonly Finding[]> {
  let container: Container;
  try {
    container = { ...(await lookAtContainer(host, id)), name };
  } catch (error) {
    if (isLoss(error) || !(error instanceof FiredupError)) throw error;
    const remedy = error.hint === null ? null : { text: error.hint, change: null };
    return [{ id: 'container', level: 'blocker', subject: 'container', text: error.message, remedy }];
  }
  const plan = containerPlan(container);
  const published = publishedBy(container);
  const ports = published === null ? portsToSee(plan, port) : published.map((one) => one.port);
  const report = await lookAtHost(
    host,
    ports.map((one) => `port:${one}`),
  );
  const limitSeconds = Math.round(lookLimitMs / 1000);
  return containerFindings(
    { plan, report, givenPort: port, limitSeconds, isFixed: true },
    { ...container, published },
  );
}

/**
 * What its command tells, with `CUDA_VISIBLE_DEVICES` as the host counts its GPUs. Nothing of it is certain: what its entry
 * point makes of the words is not known, nor what else it starts.
 */
export function containerPlan({ command, inspected }: Container): LaunchPlan {
  const config = record(inspected.Config);
  const own = Object.fromEntries(texts(config.Env).map(variable));
  const { CUDA_VISIBLE_DEVICES: chosen, ...rest } = own;
  const visible = visibleDevices(deviceIds(inspected, own), chosen);
  const env = { ...rest, ...(visible === undefined ? {} : { CUDA_VISIBLE_DEVICES: visible }) };
  return { ...planLaunch(launchSpec({ command, env, cleanEnv: true })), isUncertain: true };
}

const variable = (entry: string): readonly [string, string] => {
  const equals = entry.indexOf('=');
  return [entry.slice(0, equals), entry.slice(equals + 1)];
};

/** The host's GPUs that it is given, by index or UUID; null: all of them, as far as is known. */
function deviceIds(
  inspected: Container['inspected'],
  env: Readonly<Record<string, string>>,
): readonly string[] | null {
  const requests = list(record(inspected.HostConfig).DeviceRequests).map(record);
  const ids = requests.flatMap(({ DeviceIDs }) => texts(DeviceIDs));
  if (ids.length > 0) return ids;
  // What `--gpus` asks for by number, the engine chooses.
  const [first] = requests;
  if (first !== undefined) return null;
  const given = env.NVIDIA_VISIBLE_DEVICES;
  const isList = given !== undefined && /^(?:\d+|GPU-[\w-]+)(?:,(?:\d+|GPU-[\w-]+))*$/.test(given);
  return isList && text(record(inspected.HostConfig).Runtime) === 'nvidia' ? given.split(',') : null;
}

/** Within the container its GPUs are counted from 0. */
function visibleDevices(given: readonly string[] | null, chosen: string | undefined): string | undefined {
  if (given === null) return chosen;
  if (chosen === undefined || !/^\d+(?:,\d+)*$/.test(chosen)) return given.join(',');
  return chosen
    .split(',')
    .map((place) => given[Number(place)])
    .filter((id) => id !== undefined)
    .join(',');
}

function publishedBy({ ports, inspected }: Container): ContainerStart['published'] {
  if (ports === null) return null;
  const bindings = record(record(inspected.HostConfig).PortBindings);
  return Object.entries(bindings).flatMap(([inner, bound]) =>
    list(bound)
      .map(record)
      .map(({ HostIp, HostPort }) => ({ address: text(HostIp) || '0.0.0.0', port: Number(text(HostPort)) }))
      // Without a number the engine takes one that is free.
      .filter(({ port }) => port > 0 && !inner.endsWith('/udp')),
  );
}
