import type { Target } from '../core/events.js';
import type { Server } from './choose-server.js';
import type { Engines } from './load-engines.js';

interface TargetOptions {
  readonly port?: number | undefined;
  readonly readOnly?: boolean | undefined;
}

/** What the core is told of the server that was chosen, or was launched just now. */
export function targetOf(
  label: string,
  server:
    | Server
    | { readonly kind: 'launched'; readonly record: { readonly attempt: { readonly name: string } } },
  log: string | null,
  { port, readOnly }: TargetOptions,
  { engine }: Engines,
  comeBack: string,
): Target {
  const isLaunched = server.kind === 'launched';
  return {
    host: label,
    name: isLaunched ? server.record.attempt.name : null,
    log,
    pid: isLaunched ? null : server.pid,
    port: port ?? null,
    container: server.kind === 'attached' ? server.container : null,
    engine,
    readOnly: readOnly === true,
    timeScale: 1,
    comeBack,
  };
}
