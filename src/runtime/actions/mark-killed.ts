import type { Host } from '../../host/host.js';
import { run } from '../../host/run.js';
import { scriptCommand } from '../../remote/script.js';

/**
 * Records in an attempt's folder, before the first signal, that its end is our doing: a firedup that looks later then
 * says *stopped*, not *crashed*.
 */
export async function markKilled(host: Host, folder: string): Promise<void> {
  await run(host, scriptCommand('mark-killed', [folder]), { timeoutMs: 15_000 });
}
