import { serverKey } from '../core/history.js';
import { describeError } from '../errors.js';
import type { KillTarget } from '../runtime/actions/kill-target.js';
import { keepStopped } from '../store/history-stopped.js';
import type { Server } from './choose-server.js';
import { remark } from './remark.js';

/** Tells the history that the server of `label` was stopped by a command; what cannot be written is a warning. */
export async function rememberStopped(label: string, server: Server, target: KillTarget): Promise<void> {
  const name = server.kind === 'launched' ? server.record.attempt.name : serverKey({ ...server, name: null });
  try {
    await keepStopped(process.env, { host: label, name, process: target }, Date.now());
  } catch (error) {
    remark(describeError(error));
  }
}
