import type { PhaseId } from '../engines/ids.js';
import type { StallFacts } from './findings.js';
import type { Remedy } from './report.js';
import { kernelKills, step } from './step.js';

/**
 * What to do about a launch that hangs: first a look at the rank that lags behind, then what makes the next start say
 * more. NCCL's own words tell which peer or interface a collective waits for.
 */
export function stallSteps(phase: PhaseId | null, stall: StallFacts | null): readonly Remedy[] {
  const kind = stall?.kind ?? 'still';
  const who = stall?.who ?? 'the rank that lags behind';
  const steps: Remedy[] = [];
  if (kind === 'dead-rank') {
    steps.push(
      step(
        'relaunch',
        'Relaunch',
        `${who} does not come back, and the others wait for it for ever: kill and start again.`,
      ),
      step(
        'look-for-oom',
        'Ask the kernel why it went',
        `A rank that goes without a word was most often killed for memory: ${kernelKills}.`,
      ),
    );
    return steps;
  }
  if (kind === 'stopped')
    steps.push(
      step('continue', `Let ${who} go on`, 'It is stopped (state T): kill -CONT, or quit the debugger.'),
    );
  else
    steps.push(
      step(
        'py-spy',
        `Look at the stack of ${who} (key p)`,
        'py-spy dump shows the line it stands at; the one rank that stands elsewhere than the others is the culprit.',
      ),
    );
  if (phase === 'weights' || phase === 'download')
    steps.push(
      step(
        'storage',
        'Look at the storage',
        'df, and a read of one file of the checkpoint on the host, show whether the share or the hub still answers.',
      ),
    );
  if (phase === null || talks.has(phase))
    steps.push({
      ...step(
        'nccl-debug',
        'Relaunch with NCCL_DEBUG=INFO',
        'NCCL then logs which interface, peer and collective it waits for.',
      ),
      change: { env: { NCCL_DEBUG: 'INFO' } },
    });
  if (phase === 'distributed')
    steps.push({
      ...step(
        'nccl-p2p-off',
        'Relaunch without peer-to-peer (NCCL_P2P_DISABLE=1)',
        'Joining hangs where GPUs cannot reach each other directly (IOMMU, ACS, virtual machines); slower, but it tells.',
      ),
      change: { env: { NCCL_P2P_DISABLE: '1' } },
    });
  return steps;
}

/** Phases in which ranks wait for each other. */
const talks: ReadonlySet<PhaseId> = new Set([
  'distributed',
  'weights',
  'kv-cache',
  'profile',
  'compile',
  'graphs',
  'warmup',
]);
