import type { State } from './state.js';

/** Notes how much of the target's weights has come from the disk. */
export function noteDiskReads(state: State): State {
  const weights = targetWeights(state);
  const total = diskBytes(state);
  if (weights?.status !== 'active' || total === null) return state;
  const { diskReads } = state;
  if (diskReads === null) return { ...state, diskReads: { before: total, since: 0 } };
  const since = Math.max(diskReads.since, total - diskReads.before);
  return since === diskReads.since ? state : { ...state, diskReads: { ...diskReads, since } };
}

/** Above this share of the checkpoint the disk was what one waited for. */
const coldShare = 0.3;

/**
 * Whether the weights came from the disk (`cold`) or were in the host's page cache (`warm`); null while, or where, that
 * cannot be told. `read_bytes` of `/proc/PID/io` counts what really came from storage, mapped files included.
 */
export function pageCache(state: State): 'cold' | 'warm' | null {
  const { diskReads, modelBytes } = state;
  if (diskReads === null || modelBytes === null) return null;
  if (diskReads.since >= coldShare * modelBytes) return 'cold';
  return targetWeights(state)?.status === 'done' ? 'warm' : null;
}

function targetWeights(state: State) {
  return state.reading.findings().phases.find(({ id, model }) => id === 'weights' && model !== 'draft');
}

/** Null where none of the processes can be looked into. */
function diskBytes({ activity }: State): number | null {
  const readable = (activity.sample?.processes ?? []).flatMap(({ readBytes }) =>
    readBytes === null || readBytes === undefined ? [] : [readBytes],
  );
  return readable.length === 0 ? null : readable.reduce((sum, bytes) => sum + bytes, 0);
}
