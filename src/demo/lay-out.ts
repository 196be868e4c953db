import { chmod, mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../package-file.js';
import { cards } from './demo-files.js';
import { foreignText, inventoryText } from './gpu-files.js';
import { nvidiaSmiScript } from './nvidia-smi.js';
import { ownProcessId } from './process-id.js';
import type { Scenario } from './scenario.js';
import { serveLaterScript } from './serve-later.js';
import { type WorldFile, worldFilePath } from './world-file.js';

/** Writes everything that a scenario has on its simulated host below `folder`, which exists. */
export async function layOut(folder: string, scenario: Scenario, speed: number): Promise<void> {
  const world: WorldFile = { owner: ownProcessId(), speed };
  for (const name of ['home', 'logs', 'bin', 'gpus']) await mkdir(join(folder, name));
  for (const file of scenario.files) {
    await write(join(folder, file.path), file.text);
    if (file.sparseBytes !== undefined) await truncate(join(folder, file.path), file.sparseBytes);
  }
  await write(join(folder, 'gpus', 'inventory'), inventoryText(cards));
  await write(join(folder, 'gpus', 'foreign'), foreignText(scenario.foreign));
  await write(worldFilePath(folder), JSON.stringify(world));
  const tools = { sglang: engineScript(), 'nvidia-smi': nvidiaSmiScript, 'serve-later': serveLaterScript };
  for (const [name, text] of Object.entries(tools)) {
    await write(join(folder, 'bin', name), text);
    await chmod(join(folder, 'bin', name), 0o755);
  }
}

/**
 * Shell and JavaScript at once, so that the process reads `node …/bin/sglang serve …` like a Python entry point
 * would, whatever characters the path of this Node has.
 */
function engineScript(): string {
  const node = process.execPath.replaceAll("'", "'\\''");
  const entry = pathToFileURL(packageFile('dist/demo-engine.js'));
  return `#!/bin/sh
':' //; exec '${node}' "$0" "$@"
import(${JSON.stringify(entry.href)}).then(({ runEngine }) => runEngine(process.argv[1], process.argv.slice(2)));
`;
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
