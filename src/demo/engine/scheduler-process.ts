import { sitePackages } from '../site-packages.js';
import { createLog } from './log.js';
import type { FromRank, RankStart, ToRank } from './messages.js';
import { PythonError, traceback } from './python-error.js';
import { createRank } from './rank.js';
import { generate, startScheduler } from './scheduler.js';
import { raised } from './tracebacks.js';

// Entry of a scheduler process, forked by the main process with its RankStart as the only argument.
const start = JSON.parse(process.argv[2] ?? '{}') as RankStart;
process.title = start.args.tp_size > 1 ? `sglang::scheduler_TP${start.rank}` : 'sglang::scheduler';

const send = (message: FromRank): void => {
  // The parent may be gone already; then this process ends by `disconnect`.
  if (process.connected) process.send?.(message, () => {});
};
// Stands for PR_SET_PDEATHSIG: a scheduler never outlives its main process.
process.on('disconnect', () => process.exit(1));

run().catch((error: unknown) => die(error));

async function run(): Promise<void> {
  const { rank, hear } = createOrRaise();
  process.on('message', (message: ToRank) => {
    hear(message);
    if (message.type === 'generate')
      void generate(rank, message.tokens, message.warmup).then(() =>
        send({ type: 'generated', id: message.id }),
      );
  });
  const { maxTotalTokens } = await startScheduler(rank);
  send({ type: 'ready', maxTotalTokens });
}

function createOrRaise(): ReturnType<typeof createRank> {
  try {
    return createRank(start, send);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw raised.device(new PythonError('RuntimeError', 'CUDA error: invalid device ordinal', []));
  }
}

/** Logs the exception, tells the parent by SIGQUIT and returns, as `run_scheduler_process` does: exit code 0. */
function die(error: unknown): void {
  const log = createLog(start.args.tp_size > 1 ? `TP${start.rank}` : null);
  const text =
    error instanceof PythonError
      ? traceback(error, `${start.folder}/${sitePackages}`)
      : String(error instanceof Error ? error.stack : error);
  log.say(`Scheduler hit an exception: ${text}\n`);
  process.kill(process.ppid, 'SIGQUIT');
  process.exit(0);
}
