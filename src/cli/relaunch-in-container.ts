import type { KillSignal } from '../core/dialog-look.js';
import { exitCodes } from '../errors.js';
import type { Host } from '../host/host.js';
import { sanitize } from '../ingest/sanitize.js';
import { containerTarget } from '../runtime/actions/container-target.js';
import { previewIfRunning } from '../runtime/actions/end-server.js';
import { lookAtContainer } from '../runtime/actions/look-at-container.js';
import {
  refuseContainerChange,
  refuseSelfRemoval,
  relaunchContainer,
} from '../runtime/actions/relaunch-container.js';
import { comeBackCommand } from './come-back.js';
import { sayBefore } from './commands/launch.js';
import { watch } from './commands/watch.js';
import { confirm } from './confirm.js';
import { connectFirst, hostSpec } from './connection.js';
import { jsonLine } from './json-line.js';
import { previewText } from './kill-target.js';
import { launchCheck } from './launch-check.js';
import { nextConnection } from './next-connection.js';
import type { RelaunchOptions } from './relaunch-options.js';
import { tellEnding } from './tell-step.js';

/** `firedup relaunch --container`: ends the container's run and starts the same container again, then watches it. */
export async function relaunchInContainer(
  label: string,
  options: RelaunchOptions,
  how: {
    readonly graceMs: number;
    readonly signal: KillSignal;
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const { graceMs, signal, env } = how;
  const spec = hostSpec(label, options);
  let host: Host = await connectFirst(spec);
  try {
    const container = await lookAtContainer(host, options.container ?? '');
    refuseContainerChange(container, { env, args: [] });
    const victim = await containerTarget(host, container);
    if (victim !== null) refuseSelfRemoval(container);
    const preview = victim && (await previewIfRunning(host, victim));
    if (!options.yes) {
      if (victim && preview) process.stderr.write(`${previewText(preview, signal, victim.container)}\n`);
      if (!(await confirm(`Start container ${container.name} again?`))) {
        process.exitCode = exitCodes.interrupted;
        return;
      }
    }
    const request = {
      container,
      victim,
      before: options.before ?? [],
      ending: { graceMs, signal, preview },
      ...launchCheck(options),
      onStep: options.json ? () => {} : tellEnding,
      onBefore: sayBefore,
    };
    host = await relaunchContainer(host, request, nextConnection(spec));
    if (options.detach) {
      const comeBack = comeBackCommand(label, options, options);
      process.stdout.write(
        options.json
          ? `${jsonLine({ type: 'started', container: container.name, id: container.id })}\n`
          : `Container ${container.name} runs again\nWatch it with: ${sanitize(comeBack)}\n`,
      );
      return;
    }
  } finally {
    await host.close();
  }
  await watch(label, options);
}
