import { changedSpec } from '../../core/changed-spec.js';
import { displayArgv, launchSpec } from '../../core/launch-spec.js';
import type { RelaunchForm } from '../../core/relaunch-form.js';
import { isSecretName } from '../../ingest/secret-names.js';
import { type Container, type Json, list, record, text, texts } from './look-at-container.js';

/**
 * The command line that makes a container anew with `change`: the options that its inspection tells, what of its
 * environment its image does not give, and its command. For people: a secret's name stands alone, so that its value
 * comes from their shell. What inspection does not tell of (devices, limits, labels, …) is theirs to add.
 */
export function containerRunLine(container: Container, change: Pick<RelaunchForm, 'env' | 'args'>): string {
  const { engine, inspected, imageConfig, image } = container;
  const config = record(inspected.Config);
  const host = record(inspected.HostConfig);
  const env = { ...ownEnvironment(config, imageConfig), ...change.env };
  const [entrypoint = '', ...more] = own(config.Entrypoint, imageConfig.Entrypoint);
  const command =
    change.args.length > 0
      ? changedSpec(launchSpec({ command: ['', ...texts(config.Cmd)] }), change).command.slice(1)
      : own(config.Cmd, imageConfig.Cmd);
  return displayArgv([
    engine,
    'run',
    '-d',
    '--name',
    text(inspected.Name).replace(/^\//, '') || container.name,
    ...hostOptions(host),
    ...Object.entries(env).flatMap(([name, value]) => [
      '-e',
      isSecretName(name, 'variable') ? name : `${name}=${value}`,
    ]),
    ...(text(config.User) === text(imageConfig.User) ? [] : ['--user', text(config.User)]),
    ...(entrypoint === '' ? [] : ['--entrypoint', entrypoint]),
    image,
    ...more,
    ...command,
  ]);
}

function hostOptions(host: Json): readonly string[] {
  const options: string[] = [];
  const policy = record(host.RestartPolicy);
  const restart = text(policy.Name);
  const most = Number(text(policy.MaximumRetryCount));
  if (restart !== '' && restart !== 'no')
    options.push('--restart', most > 0 ? `${restart}:${most}` : restart);
  if (host.AutoRemove === true) options.push('--rm');
  for (const request of list(host.DeviceRequests).map(record)) {
    const ids = texts(request.DeviceIDs);
    const count = request.Count === -1 ? 'all' : text(request.Count);
    options.push('--gpus', ids.length > 0 ? `"device=${ids.join(',')}"` : count);
  }
  const runtime = text(host.Runtime);
  if (!['', 'runc', 'crun', 'oci'].includes(runtime)) options.push('--runtime', runtime);
  const network = text(host.NetworkMode);
  if (!['', 'default', 'bridge', 'slirp4netns', 'pasta'].includes(network))
    options.push('--network', network);
  const ipc = text(host.IpcMode);
  if (ipc === 'host') options.push('--ipc', ipc);
  if (host.Privileged === true) options.push('--privileged');
  const shmBytes = Number(text(host.ShmSize));
  if (ipc !== 'host' && shmBytes > 0 && shmBytes !== 64 * 1024 * 1024)
    options.push('--shm-size', String(shmBytes));
  for (const [inner, bound] of Object.entries(record(host.PortBindings))) {
    for (const { HostIp, HostPort } of list(bound).map(record)) {
      const ip = text(HostIp);
      const place = [ip.includes(':') ? `[${ip}]` : ip, text(HostPort), inner.replace('/tcp', '')];
      options.push('-p', place.filter(Boolean).join(':'));
    }
  }
  for (const bind of texts(host.Binds)) options.push('-v', bind);
  return options;
}

/** Nothing where the image gives the same. */
function own(value: unknown, ofImage: unknown): readonly string[] {
  const words = texts(value);
  return JSON.stringify(words) === JSON.stringify(texts(ofImage)) ? [] : words;
}

function ownEnvironment(config: Json, image: Json): Readonly<Record<string, string>> {
  const given = new Set(texts(image.Env));
  const entries = texts(config.Env)
    .filter((entry) => !given.has(entry))
    .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const);
  return Object.fromEntries(entries);
}
