import { type ChildProcess, fork } from 'node:child_process';
import { packageFile } from '../../package-file.js';
import { sitePackages } from '../site-packages.js';
import type { EngineLog } from './log.js';
import type { FromRank, RankStart, ToRank } from './messages.js';
import type { ServerArgs } from './server-fields.js';

/** The scheduler processes, one a GPU, as the main process sees them. */
export interface Ranks {
  /** Settles when all can serve; never when one hangs, and a crash ends this process. */
  readonly ready: Promise<{ readonly maxTotalTokens: number }>;
  /** Runs one batch of `tokens` tokens through all ranks. */
  generate(tokens: number, warmup: boolean): Promise<void>;
  /** From now on a child's death is reported in the words of a running server. */
  setRunning(): void;
  /** Kills every scheduler and then this process, all by SIGKILL: exit status 137 to a shell. */
  killTree(): never;
}

interface Options {
  readonly folder: string;
  readonly speed: number;
  readonly args: ServerArgs;
  readonly log: EngineLog;
}

// psutil needs about that long to walk the tree; the other ranks' last words come meanwhile.
const treeWalkMs = 120;

/** Forks the schedulers and passes the values of their collective calls between them. */
export function startRanks({ folder, speed, args, log }: Options): Ranks {
  const entry = packageFile('dist/demo-rank.js');
  const gathered = new Map<string, Map<number, number>>();
  const generating = new Map<number, { left: number; readonly done: () => void }>();
  const dead = new Set<number>();
  let nextId = 0;
  let running = false;
  let stopping = false;
  let readyLeft = args.tp_size;
  let settle: (value: { readonly maxTotalTokens: number }) => void = () => {};
  const ready = new Promise<{ readonly maxTotalTokens: number }>((resolve) => {
    settle = resolve;
  });

  const children = Array.from({ length: args.tp_size }, (_, rank) => {
    const start: RankStart = { folder, rank, speed, args };
    const child = fork(entry, [JSON.stringify(start)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [],
    });
    child.on('message', (message: FromRank) => hear(rank, message));
    child.on('exit', (code, signal) => lost(rank, code, signal));
    child.on('error', () => {});
    return child;
  });

  const killTree = (): never => {
    for (const child of children) child.kill('SIGKILL');
    process.kill(process.pid, 'SIGKILL');
    throw new Error('unreachable: SIGKILL cannot be caught');
  };

  process.on('SIGQUIT', () => {
    if (stopping) return;
    stopping = true;
    log.say(
      running
        ? 'SIGQUIT received. signum=3, frame=None. It usually means one child failed.'
        : 'Received sigquit from a child process. It usually means the child failed.',
    );
    setTimeout(killTree, treeWalkMs);
  });

  function hear(rank: number, message: FromRank): void {
    switch (message.type) {
      case 'gather': {
        const values = gathered.get(message.name) ?? new Map<number, number>();
        gathered.set(message.name, values.set(rank, message.value));
        if (values.size < args.tp_size) {
          if (dead.size > 0) tell(children[rank], { type: 'peer-lost' });
          return;
        }
        gathered.delete(message.name);
        const all = Array.from({ length: args.tp_size }, (_, index) => values.get(index) ?? 0);
        for (const child of children) tell(child, { type: 'gathered', name: message.name, values: all });
        return;
      }
      case 'ready':
        readyLeft -= 1;
        if (readyLeft === 0) settle({ maxTotalTokens: message.maxTotalTokens });
        return;
      case 'generated': {
        const run = generating.get(message.id);
        if (run === undefined) return;
        run.left -= 1;
        if (run.left > 0) return;
        generating.delete(message.id);
        run.done();
        return;
      }
    }
  }

  function lost(rank: number, code: number | null, signal: NodeJS.Signals | null): void {
    dead.add(rank);
    for (const child of children) tell(child, { type: 'peer-lost' });
    // A rank that raised has sent SIGQUIT; a rank killed with the group takes this process along.
    setTimeout(() => {
      if (stopping) return;
      stopping = true;
      if (running) process.emit('SIGQUIT');
      else rankDied(rank, signal === null ? (code ?? 0) : -signalNumber(signal));
      setTimeout(killTree, treeWalkMs);
    }, 150);
  }

  /** The main process waits for a rank's word and finds its pipe closed (up to 0.5.9). */
  function rankDied(rank: number, code: number): void {
    log.say(`Rank ${rank} scheduler is dead. Please check if there are relevant logs.`);
    log.say(`Exit code: ${code}`);
    log.raw(
      `Traceback (most recent call last):\n  File "${folder}/${sitePackages}/sglang/srt/entrypoints/engine.py", line 1058, in _wait_for_scheduler_ready\n    data = scheduler_pipe_readers[i].recv()\nEOFError\n`,
    );
    for (const child of children) child.kill('SIGKILL');
    process.exit(1);
  }

  return {
    ready,
    generate: (tokens, warmup) =>
      new Promise((done) => {
        const id = nextId++;
        generating.set(id, { left: args.tp_size, done });
        for (const child of children) tell(child, { type: 'generate', id, tokens, warmup });
      }),
    setRunning: () => {
      running = true;
    },
    killTree,
  };
}

function tell(child: ChildProcess | undefined, message: ToRank): void {
  if (child?.connected) child.send(message, () => {});
}

const signalNumber = (signal: NodeJS.Signals): number =>
  ({ SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 })[signal as 'SIGKILL'] ?? 1;
