import { redact } from '../ingest/redact.js';
import type { Watch } from '../runtime/watch.js';
import { remark } from './remark.js';

type Ending = Pick<Watch, 'store' | 'keep' | 'close'>;

/** Keeps what there is to keep of a watch, though the terminal be closed meanwhile (SIGHUP); a fault is told on stderr. */
export const keepWatch = (watch: Ending): Promise<void> => telling(watch, () => throughHangup(watch.keep));

/** The same, and closes it. */
export const closeWatch = (watch: Ending): Promise<void> =>
  telling(watch, async () => {
    await throughHangup(watch.keep);
    await watch.close();
  });

/** What goes wrong at the very end (a history that cannot be written) is told when nobody listens any more. */
async function telling({ store }: Ending, work: () => Promise<void>): Promise<void> {
  const told = store.state().notice;
  await work();
  const { notice } = store.state();
  if (notice !== null && notice !== told && notice.level !== 'info') remark(redact(notice.text));
}

async function throughHangup(work: () => Promise<void>): Promise<void> {
  const stay = (): void => {};
  process.on('SIGHUP', stay);
  try {
    await work();
  } finally {
    process.off('SIGHUP', stay);
  }
}
