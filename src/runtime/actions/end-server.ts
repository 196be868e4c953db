import type { ActionStep } from '../../core/events.js';
import { FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { type GpuRelease, releaseText, waitForGpus } from './free-gpus.js';
import { heldPortsText, killTree } from './kill.js';
import type { KillOptions, KillResult } from './kill-result.js';
import type { KillTarget } from './kill-target.js';
import { type KillPreview, previewKill } from './preview-kill.js';

export interface EndOptions extends KillOptions {
  /** What was shown to the user; without it, it is looked up first. */
  readonly preview?: KillPreview | null;
  /** How long the GPUs may take to give the memory back; 30 s by default. */
  readonly gpuLimitMs?: number;
}

export interface EndResult extends KillResult {
  /** Null: there was nobody to give memory back. */
  readonly release: GpuRelease | null;
}

/**
 * Ends a server and sees to it that nothing of it is left: every process gone, its ports free, the GPUs' memory back to
 * what it was before. `leftText` says what is in the way of that; null: nothing.
 */
export async function endServer(
  host: Host,
  target: KillTarget,
  options: EndOptions = {},
): Promise<EndResult> {
  const preview =
    options.preview === undefined ? await previewIfRunning(host, target, options.abort) : options.preview;
  const also = new Set((target.also ?? []).map(({ pid }) => pid));
  // Who is asked for besides stays alone: as a member it would draw in what hangs on it.
  const seen = [...(target.seen ?? []), ...(preview?.processes ?? [])].filter(({ pid }) => !also.has(pid));
  const sockets = [...(target.sockets ?? []), ...(preview?.sockets ?? [])];
  const result = await killTree(host, { ...target, seen, sockets: [...new Set(sockets)] }, options);
  if (result.outcome === 'survivors' || result.outcome === 'rebooted' || seen.length === 0) {
    return { ...result, release: null };
  }
  const action = options.action ?? 'kill';
  const step = (status: ActionStep['status'], text: string) =>
    options.onStep?.({ action, step: 'gpus-free', status, text });
  step('active', 'Waiting for the GPUs to give the memory back');
  const release = await waitForGpus(host, target, [...seen, ...(target.also ?? [])], {
    ...(options.gpuLimitMs === undefined ? {} : { limitMs: options.gpuLimitMs }),
    ...(options.abort === undefined ? {} : { abort: options.abort }),
  });
  step(release.outcome === 'held' ? 'failed' : 'done', releaseText(release));
  return { ...result, release };
}

/** What is left of a server that was to be ended, by pid, owner and MiB; null: nothing. */
export function leftText({ survivors, heldPorts, release }: EndResult): string | null {
  const lines = [
    ...survivors.map(
      ({ pid, owner, state, command, foreign }) =>
        `still there: ${pid} (${owner}${foreign ? ', not tried: it is of another user' : ''}, state ${state}) ${command}`,
    ),
    ...(heldPorts.length > 0 ? [heldPortsText(heldPorts)] : []),
    ...(release?.outcome === 'held' ? [releaseText(release)] : []),
  ];
  return lines.length === 0 ? null : lines.join('\n');
}

/** `previewKill`; null where nothing of it runs. */
export async function previewIfRunning(
  host: Host,
  target: KillTarget,
  abort?: AbortSignal,
): Promise<KillPreview | null> {
  return previewKill(host, target, abort).catch((error: unknown) => {
    if (error instanceof FiredupError && error.code === 'not-running') return null;
    throw error;
  });
}
