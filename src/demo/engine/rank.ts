import { join } from 'node:path';
import { sitePackages } from '../site-packages.js';
import { Gpu } from './gpu.js';
import { createLog, type EngineLog } from './log.js';
import type { FromRank, RankStart, ToRank } from './messages.js';
import { createPace, type Pace } from './pace.js';
import { PythonError } from './python-error.js';
import type { ServerArgs } from './server-fields.js';

/** All that one scheduler process works with. */
export interface Rank {
  readonly index: number;
  readonly count: number;
  readonly folder: string;
  readonly sitePackages: string;
  readonly args: ServerArgs;
  readonly log: EngineLog;
  readonly pace: Pace;
  readonly gpu: Gpu;
  /** A collective call: settles with the values of all ranks when all have come to it, which may be never. */
  gather(name: string, value: number): Promise<readonly number[]>;
}

/** Makes the rank of this process; `send` goes to the main process, whose answers are given to `hear`. */
export function createRank(
  start: RankStart,
  send: (message: FromRank) => void,
): { readonly rank: Rank; readonly hear: (message: ToRank) => void } {
  const waiting = new Map<string, Waiting>();
  const rank: Rank = {
    index: start.rank,
    count: start.args.tp_size,
    folder: start.folder,
    sitePackages: join(start.folder, sitePackages),
    args: start.args,
    // Since 0.4.7 a rank is named only where there are several.
    log: createLog(start.args.tp_size > 1 ? `TP${start.rank}` : null),
    pace: createPace(start.speed),
    gpu: new Gpu(start.folder, start.rank),
    gather: (name, value) =>
      new Promise((resolve, reject) => {
        waiting.set(name, { resolve, reject });
        send({ type: 'gather', name, value });
      }),
  };
  const hear = (message: ToRank): void => {
    if (message.type === 'gathered') {
      waiting.get(message.name)?.resolve(message.values);
      waiting.delete(message.name);
    } else if (message.type === 'peer-lost') {
      for (const { reject } of waiting.values()) reject(peerLost());
      waiting.clear();
    }
  };
  return { rank, hear };
}

interface Waiting {
  readonly resolve: (values: readonly number[]) => void;
  readonly reject: (error: PythonError) => void;
}

const peerLost = (): PythonError =>
  new PythonError(
    'RuntimeError',
    '[../third_party/gloo/gloo/transport/tcp/pair.cc:547] Connection closed by peer [127.0.0.1]:41873',
    [],
  );
