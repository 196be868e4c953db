import type { PhaseId } from '../engines/ids.js';
import type { DeathFacts } from './findings.js';
import type { Remedy } from './report.js';
import { kernelKills, step } from './step.js';

/**
 * What to do about an end of which the log names no cause: how the process ended tells where else the cause stands
 * (signal(7); a status of 128 + N is a shell's word for signal N).
 */
export function silentSteps(
  { signal, code, oomKills }: DeathFacts,
  phase: PhaseId | null,
): readonly Remedy[] {
  const name = signal ?? (code === null ? null : (signalOf[code - 128] ?? null));
  if (name === 'SIGKILL' || oomKills > 0) return killed(phase, oomKills);
  if (name !== null && faults.has(name)) return [crashed(name), moreWords()];
  if (name === 'SIGTERM' || name === 'SIGINT' || name === 'SIGHUP') return [sent(name)];
  return [lastLines(), moreWords()];
}

const signalOf: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};

const faults: ReadonlySet<string> = new Set(['SIGILL', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV']);

/** Nobody can catch SIGKILL, so there are no last words: the kernel's own log has them. */
function killed(phase: PhaseId | null, oomKills: number): readonly Remedy[] {
  const kernel = step(
    'look-for-oom',
    oomKills > 0 ? 'See which process the kernel killed for memory' : 'Ask the kernel who killed it',
    `Without a word it was most often the kernel, for host memory: ${kernelKills}.`,
  );
  const memory = step(
    'host-memory',
    'Give it more host memory, or need less',
    'Checkpoints pass through host memory while they load: raise the limit of the container or job, or end what else holds memory there.',
  );
  return phase === 'weights' || phase === 'download' || oomKills > 0 ? [kernel, memory] : [kernel];
}

const crashed = (name: string): Remedy =>
  name === 'SIGBUS'
    ? step(
        'shared-memory',
        'Look at /dev/shm',
        'SIGBUS is most often a full /dev/shm: df /dev/shm, --shm-size.',
      )
    : step(
        'kernel-log',
        'Look at what crashed',
        'dmesg -T, or coredumpctl, names the library in which it fell.',
      );

const moreWords = (): Remedy => ({
  ...step(
    'more-words',
    'Relaunch with PYTHONFAULTHANDLER=1 and PYTHONUNBUFFERED=1',
    'Python then prints its stack at a fatal signal, and keeps no last line back in a buffer.',
  ),
  change: { env: { PYTHONFAULTHANDLER: '1', PYTHONUNBUFFERED: '1' } },
});

const lastLines = (): Remedy =>
  step('last-lines', 'Read its last lines (D)', 'They stand below, in the log; D keeps forty of them.');

const sent = (name: string): Remedy =>
  step(
    'who-sent-it',
    `Find out who sent ${name}`,
    'Another user, a job scheduler at its time limit, or the end of the login that started it.',
  );
