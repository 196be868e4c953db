import { busOf, kernelEvent } from '../ingest/telemetry-kernel.js';
import type { Evidence, State } from './state.js';

/**
 * What the kernel said of the server's tree and of its GPUs since its start, as evidence: the count of kills for
 * memory in its cgroup, and the last two lines of the kernel's log. Empty where nothing was said, or it may not be read.
 */
export function kernelEvidence(state: State): readonly Evidence[] {
  const { oomKills, kernelLines } = state.roster;
  const killed = oomKills === null ? 0 : oomKills.last - oomKills.first;
  const evidence: Evidence[] = [];
  if (killed > 0) {
    const text = `the kernel killed for memory in this cgroup meanwhile (oom_kill +${killed})`;
    evidence.push({ witness: 'process', text, lineNumber: null });
  }
  for (const text of kernelLines.filter((line) => concerns(state, line)).slice(-2)) {
    evidence.push({ witness: kernelEvent(text)?.kind === 'oom' ? 'process' : 'gpu', text, lineNumber: null });
  }
  return evidence;
}

/** Kills for memory that were seen, of processes of the tree or in its cgroup. */
export function oomKillsSeen({ roster }: State): number {
  const { oomKills, kernelLines } = roster;
  const counted = oomKills === null ? 0 : oomKills.last - oomKills.first;
  return Math.max(counted, kernelLines.filter((line) => kernelEvent(line)?.kind === 'oom').length);
}

/** The last words of the kernel on the GPU at that PCI bus id: `Xid 79: GPU has fallen off the bus.`; null for none. */
export function kernelWordsOn({ roster }: State, busId: string | null): string | null {
  if (busId === null) return null;
  const bus = busOf(busId);
  for (const line of roster.kernelLines.toReversed()) {
    const event = kernelEvent(line);
    if (event !== null && event.kind !== 'oom' && event.bus === bus) return event.text;
  }
  return null;
}

/** An error of a GPU on which others work is none of this server's; where nobody can tell, it may be. */
function concerns({ gpus, roster }: State, line: string): boolean {
  const event = kernelEvent(line);
  if (event === null || event.kind === 'oom') return event !== null;
  const reading = gpus?.lastGood;
  const gpu = reading?.gpus.find(({ busId }) => busId != null && busOf(busId) === event.bus);
  if (!reading || !gpu) return true;
  const pids = new Set([...roster.members.map(({ pid }) => pid), ...(roster.ended?.pids ?? [])]);
  const isKnown = reading.apps.some(({ pid }) => pids.has(pid));
  const there = reading.apps.filter(({ uuid }) => uuid === gpu.uuid);
  return !isKnown || there.length === 0 || there.some(({ pid }) => pids.has(pid));
}
