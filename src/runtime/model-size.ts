import type { Host } from '../host/host.js';
import { runScript } from './actions/run-script.js';

/**
 * Bytes of the weights of a server's model on the host's disk; `model` is a folder, a file or a repository's id as the
 * server was given it, `pid` the server's process, whose view of the files counts. Null where they cannot be read.
 * Rejects as `runScript` does.
 */
export async function readModelSize(
  host: Host,
  { pid, model }: { readonly pid: number; readonly model: string },
  signal?: AbortSignal,
): Promise<number | null> {
  if (model.includes('\0')) return null;
  const answers = await runScript(host, 'model-size', [String(pid), model], signal ? { signal } : {});
  const bytes = Number(answers.find(({ key }) => key === 'bytes')?.words[0]);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null;
}
