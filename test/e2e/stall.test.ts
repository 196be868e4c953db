import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { State } from '../../src/core/state.js';
import { connectHost } from '../../src/host/connect.js';
import { noPrompts } from '../../src/host/prompts.js';
import { startWatch, type Watch } from '../../src/runtime/watch.js';
import { available } from '../support/available.js';
import { type Sshd, startSshd } from '../support/sshd.js';

const server = fileURLToPath(new URL('../fixtures/ranks.mjs', import.meta.url));

/** An hour is a minute: ten minutes without a line, as loading may take, are ten seconds. */
const timeScale = 60;

describe.skipIf(!available('sshd', 'ssh', 'procfs'))('verdicts over real processes behind sshd', () => {
  let sshd: Sshd;
  let folder: string;
  let config: string;
  let main: ChildProcess | null = null;
  let ranks: number[] = [];
  let watch: Watch | null = null;

  beforeAll(async () => {
    sshd = await startSshd();
    config = sshd.sshConfig('Host box', '  HostName 127.0.0.1');
    folder = mkdtempSync(join(tmpdir(), 'firedup-stall-'));
  });

  afterEach(async () => {
    await watch?.close();
    watch = null;
    for (const pid of ranks) end(pid);
    if (main?.pid) end(main.pid);
    main = null;
    ranks = [];
  });

  afterAll(async () => {
    await sshd?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts the server with its log at `name`, and watches it over ssh. */
  async function begin(name: string, ...args: readonly string[]): Promise<Watch> {
    const log = join(folder, name);
    const fd = openSync(log, 'w');
    const child = spawn(process.execPath, [server, ...args], { stdio: ['ignore', 'pipe', fd] });
    closeSync(fd);
    main = child;
    ranks = await new Promise((resolve) => {
      child.stdout?.on('data', (data) => resolve(String(data).match(/\d+/g)?.map(Number) ?? []));
    });
    const connect = () => connectHost({ label: 'box', configFile: config }, { prompts: noPrompts });
    const started = startWatch({
      host: await connect(),
      connect,
      asking: { kind: 'nobody' },
      target: {
        host: 'box',
        name: null,
        log,
        pid: null,
        port: null,
        engine: null,
        readOnly: true,
        timeScale,
        comeBack: '',
      },
      attempt: null,
      attemptIsNew: false,
      graceMs: 1000,
      outside: { leave: () => {}, copy: () => ({ to: 'nowhere', why: 'no-clipboard' }) },
      env: { HOME: folder },
      now: Date.now,
      random: () => 0.5,
    });
    watch = started;
    await until(started, ({ process }) => process.fact?.status === 'alive' && process.fact.tree.length >= 4);
    return started;
  }

  it('never calls a slow reader stalled, long after its log fell silent', async () => {
    const file = join(folder, 'weights');
    writeFileSync(file, Buffer.alloc(500_000));
    const { store } = await begin('reader.log', '--read', file);
    const outcomes = new Set<string>();
    store.subscribe(({ verdict }) => outcomes.add(verdict.outcome));
    const slow = await until(
      { store },
      ({ verdict, quiet }) => quiet.silentMs > 13_000 && verdict.summary.includes('log quiet'),
    );
    expect(slow.verdict.summary).toContain('but something moves');
    expect([...outcomes]).toEqual(['loading']);
  });

  it('finds a rank that was stopped, names it, and takes it back when it goes on', async () => {
    const started = await begin('stopped.log');
    const [, second = 0] = ranks;
    process.kill(second, 'SIGSTOP');
    // On a busy machine the sampler may find the ranks a moment later than that nothing moves.
    const words = `TP1 (pid ${second}) stopped`;
    const stalled = await until(started, ({ verdict }) => verdict.summary.includes(words));
    expect(stalled.verdict.outcome).toBe('stalled');
    const before = Date.now();
    process.kill(second, 'SIGCONT');
    if (main?.pid) process.kill(main.pid, 'SIGUSR2');
    await until(started, ({ verdict }) => verdict.outcome === 'loading');
    expect(Date.now() - before).toBeLessThan(20_000);
  });

  it('finds a killed worker under a living parent within 30 s', async () => {
    const started = await begin('killed.log');
    const [, , third = 0] = ranks;
    const before = Date.now();
    process.kill(third, 'SIGKILL');
    // On a busy machine it may be seen a moment earlier that nothing moves.
    const words = `rank TP2 (pid ${third}) is gone; its parent waits`;
    const stalled = await until(started, ({ verdict }) => verdict.summary === words);
    expect(Date.now() - before).toBeLessThan(30_000);
    expect(stalled.verdict.outcome).toBe('stalled');
    expect(stalled.verdict.evidence[0]?.text).toContain(`its parent (pid ${main?.pid}) lives`);
  });
});

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** The first state that meets `isThere`, now or later. */
function until({ store }: Pick<Watch, 'store'>, isThere: (state: State) => boolean): Promise<State> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      stop();
      reject(new Error(`it never came: ${JSON.stringify(store.state().verdict)}`));
    }, 60_000);
    const look = (state: State): void => {
      if (!isThere(state)) return;
      clearTimeout(limit);
      stop();
      resolve(state);
    };
    const stop = store.subscribe(look);
    look(store.state());
  });
}
