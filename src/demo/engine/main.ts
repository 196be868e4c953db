import { dirname } from 'node:path';
import { sitePackages } from '../site-packages.js';
import { readWorldFile } from '../world-file.js';
import { checkContextLength } from './context-length.js';
import { createLog } from './log.js';
import { readModelFiles } from './model-files.js';
import { watchOwner } from './owner.js';
import { createPace } from './pace.js';
import { PythonError, traceback } from './python-error.js';
import { serve } from './serve.js';
import { parseServerArgs } from './server-args.js';
import type { ServerArgs } from './server-fields.js';
import { raised } from './tracebacks.js';

/**
 * Entry of the simulated SGLang 0.5.9, imported by `bin/sglang` of a demo's folder: `sglang serve --model-path …`.
 * It plays a launch on the simulated GPUs of that folder and reads its arguments, environment and files as the
 * real one does, so that it fails for a reason and succeeds when the reason is gone.
 */
export async function runEngine(script: string, words: readonly string[]): Promise<void> {
  const folder = dirname(dirname(script));
  const world = readWorldFile(folder);
  const [command, ...rest] = words;
  const parsed = parseServerArgs(rest);
  if (command !== 'serve' || parsed.kind === 'usage') {
    process.stderr.write(parsed.kind === 'usage' ? parsed.text : 'usage: sglang {serve} ...\n');
    process.exit(2);
  }
  watchOwner(world.owner, folder);
  const pace = createPace(world.speed);
  await pace.pause(1200);
  checkOrExit(parsed.args, folder);
  await serve({ folder, speed: world.speed, args: parsed.args, log: createLog(null), pace });
}

/** What `ServerArgs` itself finds wrong ends the main process with a plain traceback and status 1. */
function checkOrExit(args: ServerArgs, folder: string): void {
  const error = findFault(args);
  if (error === null) return;
  process.stderr.write(`${traceback(raised.mainConfig(error), `${folder}/${sitePackages}`)}\n`);
  process.exit(1);
}

function findFault(args: ServerArgs): PythonError | null {
  for (const path of [args.model_path, args.speculative_draft_model_path]) {
    if (path === null || readModelFiles(path, args.tp_size) !== null) continue;
    const text = `${path} is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'`;
    return new PythonError('OSError', text, []);
  }
  const target = readModelFiles(args.model_path, args.tp_size);
  if (target === null || args.context_length === null) return null;
  const check = checkContextLength('User-specified', args.context_length, target.maxPositions, process.env);
  return check.kind === 'refused' ? check.error : null;
}
