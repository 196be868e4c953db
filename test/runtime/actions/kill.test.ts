import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActionStep } from '../../../src/core/events.js';
import { launchSpec } from '../../../src/core/launch-spec.js';
import type { ProcessFact } from '../../../src/core/process-fact.js';
import { createProcessProbe } from '../../../src/probes/process.js';
import { scriptCommand } from '../../../src/remote/script.js';
import { readAttempt } from '../../../src/runtime/actions/attempts.js';
import { killTree } from '../../../src/runtime/actions/kill.js';
import { killTargetOf } from '../../../src/runtime/actions/kill-target.js';
import { launchCommand } from '../../../src/runtime/actions/launch.js';
import { previewKill } from '../../../src/runtime/actions/preview-kill.js';
import { readCommand } from '../../../src/runtime/actions/read-command.js';
import { shells } from '../../remote/shells.js';
import { until } from '../../support/until.js';
import {
  becomes,
  content,
  isAlive,
  python,
  targetOf,
  type Workbench,
  workbench,
} from './support/workbench.js';

const treeScript = fileURLToPath(new URL('./support/tree.py', import.meta.url));

let bench: Workbench;
let number = 0;

async function launch(command: readonly string[]) {
  const attempt = await launchCommand(bench.host, {
    name: 'default',
    spec: launchSpec({ command, cwd: bench.folder }),
  });
  bench.adopt(attempt.pid);
  return attempt;
}

/** Starts something that is not ours, in a session of its own as another login would. */
function bystander(
  command: readonly string[],
  options: { env?: NodeJS.ProcessEnv; file?: string; cwd?: string } = {},
): ChildProcess {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    detached: true,
    stdio: 'ignore',
    env: options.env ?? process.env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  bench.adopt(child.pid ?? 0);
  return child;
}

/** A Python program whose processes each write their pid into a file of a folder of their own. */
function program(text: string): { command: string[]; pid: (name: string) => Promise<number> } {
  number += 1;
  const folder = bench.path(`pids-${number}`);
  mkdirSync(folder);
  const file = bench.write(`program-${number}.py`, `${preamble}\n${text}`);
  return {
    command: [python, file, folder],
    pid: async (name) => {
      const pid = Number(await content(`${folder}/${name}`));
      bench.adopt(pid);
      return pid;
    },
  };
}

const preamble = `import os, signal, subprocess, sys, threading, time
def note(name, pid=None):
    path = os.path.join(sys.argv[1], name)
    with open(path + '.new', 'w') as file: file.write(str(pid or os.getpid()))
    os.rename(path + '.new', path)
def stay(name):
    note(name)
    while True: time.sleep(60)
`;

async function launchTree() {
  number += 1;
  const folder = bench.path(`tree-${number}`);
  mkdirSync(folder);
  const command = [python, treeScript, folder];
  const attempt = await launch(command);
  await content(`${folder}/root`);
  const pids = new Map(
    readdirSync(folder).map((name) => [name, Number(readFileSync(`${folder}/${name}`, 'utf8'))]),
  );
  for (const pid of pids.values()) bench.adopt(pid);
  return { attempt, command, pids };
}

const alive = (pids: ReadonlyMap<string, number>) =>
  [...pids].filter(([, pid]) => isAlive(pid)).map(([name]) => name);

/** The first attempt, once its end has been recorded. */
const endedAttempt = () =>
  until(async () => {
    const record = await readAttempt(bench.host, 'default', 1);
    return record.life.kind === 'ended' && record;
  }, 'the recorded end');

/** Whom the log belongs to, as the probe finds it. */
async function processOf(log: string): Promise<Extract<ProcessFact, { status: 'alive' }>> {
  const found = new AbortController();
  let fact: ProcessFact | null = null;
  const emit = (event: { readonly process: ProcessFact }) => {
    fact = event.process;
    found.abort();
  };
  await createProcessProbe({ find: { log }, emit, now: Date.now }).run(bench.host, found.signal);
  const result = fact as ProcessFact | null;
  if (result?.status !== 'alive') throw new Error(`not alive: ${JSON.stringify(result)}`);
  return result;
}

const gone = (pid: number) => until(() => !isAlive(pid), `process ${pid} to be gone`);

describe.each(shells)('killing a launched server, where sh is $name', ({ command: shell }) => {
  beforeEach(() => {
    bench = workbench({ shell });
  });
  afterEach(() => bench.close());

  it('ends the whole tree, and nobody else', async () => {
    const { attempt, command, pids } = await launchTree();
    expect(pids.size).toBe(10);
    const innocents = {
      'a twin with the same command line': bystander(command),
      'a reader of the log': bystander(['tail', '-f', attempt.log]),
      'another writer of the log': bystander(['sh', '-c', 'exec sleep 300 >>"$1"', 'sh', attempt.log]),
    };
    await becomes(innocents['another writer of the log'].pid, 'sleep');
    const target = killTargetOf(await readAttempt(bench.host, 'default', 1));
    const steps: ActionStep[] = [];
    const result = await killTree(bench.host, target, { graceMs: 3000, onStep: (step) => steps.push(step) });

    const writer = innocents['another writer of the log'].pid;
    expect(result).toEqual({
      outcome: 'gone',
      survivors: [],
      heldPorts: [],
      others: [{ pid: writer, owner: expect.any(String), foreign: false, command: 'sleep 300' }],
    });
    expect(alive(pids)).toEqual([]);
    for (const [who, child] of Object.entries(innocents))
      expect([who, isAlive(child.pid ?? 0)]).toEqual([who, true]);
    expect(steps.map(({ text }) => text)).toEqual([
      `Ending pid ${attempt.pid} and its tree`,
      'SIGTERM to 1 process',
      'SIGTERM to 9 processes',
      'SIGKILL to 1 process',
      expect.stringMatching(`^Every process has gone; outside its tree.*: ${writer} \\(\\w+\\) sleep 300$`),
    ]);
    expect(steps.at(-1)).toMatchObject({ action: 'kill', step: 'kill', status: 'done' });
    expect((await endedAttempt()).life).toMatchObject({ kind: 'ended', exit: { signal: 'SIGTERM' } });
  });

  it('lists every process that a kill would end, and signals none', async () => {
    const { attempt, pids } = await launchTree();
    const target = killTargetOf(await readAttempt(bench.host, 'default', 1));
    const preview = await previewKill(bench.host, target);
    expect(preview.processes.map(({ pid }) => pid).sort()).toEqual([...pids.values()].sort());
    expect(preview.server).toMatchObject({ pid: attempt.pid, startTicks: attempt.startTicks });
    expect(preview.server?.command).toContain('tree.py');
    expect(preview.server?.owner).toMatch(/^[a-z]/);
    expect(preview.server?.ageMs).toBeGreaterThanOrEqual(0);
    expect(preview.server?.ageMs).toBeLessThan(60_000);
    expect(preview.foreign).toEqual([]);
    // It stands in the server's folder, too, and is ours.
    expect(preview.near.map(({ command }) => command).join('\n')).not.toContain('/1/supervisor');
    expect(alive(pids)).toHaveLength(10);
  });

  it('finds the tree when the server itself has died before', async () => {
    const { attempt, pids } = await launchTree();
    process.kill(attempt.pid, 'SIGKILL');
    await gone(attempt.pid);
    const record = await endedAttempt();
    const result = await killTree(bench.host, killTargetOf(record), { graceMs: 500 });
    expect(result.outcome).toBe('gone');
    expect(alive(pids)).toEqual([]);
  });

  it('signals nothing when pid and start do not belong together, or the host was started anew', async () => {
    const { attempt, pids } = await launchTree();
    const target = targetOf(attempt.pid);
    const launchOf = { id: 'another', endedAt: null };
    for (const wrong of [
      { ...target, startTicks: '1' },
      { ...target, startTicks: String(Number(target.startTicks) + 1), launch: launchOf },
      { ...target, bootId: '11111111-2222-3333-4444-555555555555' },
    ]) {
      const { outcome } = await killTree(bench.host, wrong, { graceMs: 300 });
      expect(outcome).toMatch(/^(absent|rebooted)$/);
      await expect(previewKill(bench.host, wrong)).rejects.toMatchObject({ code: 'not-running' });
    }
    expect(alive(pids)).toHaveLength(10);
  });
});

describe('killing', () => {
  beforeEach(() => {
    bench = workbench();
  });
  afterEach(() => bench.close());

  it('gives the server the signal first and alone, so that an orderly end stays one', async () => {
    const { command, pid } = program(`
def orderly(*_):
    print('orderly', flush=True)
    child.kill(); child.wait(); sys.exit(0)
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'])
signal.signal(signal.SIGTERM, orderly)
stay('root')`);
    const attempt = await launch(command);
    await pid('root');
    const result = await killTree(bench.host, targetOf(attempt.pid));
    expect(result.outcome).toBe('gone');
    expect(readFileSync(attempt.log, 'utf8')).toBe('orderly\n');
  });

  it.each([
    ['INT', 'SIGINT'],
    ['KILL', 'SIGKILL'],
  ] as const)('sends the signal that was chosen: %s', async (signal, name) => {
    const { command, pid } = program(`
signal.signal(signal.SIGINT, signal.SIG_DFL)
stay('root')`);
    const attempt = await launch(command);
    await pid('root');
    expect((await killTree(bench.host, targetOf(attempt.pid), { signal })).outcome).toBe('gone');
    expect((await endedAttempt()).life).toMatchObject({ exit: { signal: name } });
  });

  it('finds who was born during the kill', async () => {
    const { command, pid } = program(`
def last_words(*_):
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        stay('child')
    os._exit(0)
signal.signal(signal.SIGTERM, last_words)
stay('root')`);
    const attempt = await launch(command);
    await pid('root');
    const record = await readAttempt(bench.host, 'default', 1);
    const result = await killTree(bench.host, killTargetOf(record), { graceMs: 4000 });
    expect(result.outcome).toBe('gone');
    expect(isAlive(attempt.pid)).toBe(false);
    const child = await pid('child');
    expect(isAlive(child)).toBe(false);
  });

  it('leaves the shell alone that the server was started from, and what else that one has started', async () => {
    const { command, pid } = program(`
servers = [subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)']) for _ in range(2)]
note('one', servers[0].pid); note('other', servers[1].pid)
stay('starter')`);
    bystander(command);
    const [starter, one, other] = [await pid('starter'), await pid('one'), await pid('other')];
    const preview = await previewKill(bench.host, targetOf(one));
    expect(preview.processes.map((process) => process.pid)).toEqual([one]);
    expect((await killTree(bench.host, targetOf(one))).outcome).toBe('gone');
    expect([starter, one, other].map(isAlive)).toEqual([true, false, true]);
  });

  it('leaves siblings alone when the script that started them all has gone', async () => {
    const { command, pid } = program(`
servers = [subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)']) for _ in range(2)]
note('one', servers[0].pid); note('other', servers[1].pid)
note('starter')`);
    bystander(command);
    const [starter, one, other] = [await pid('starter'), await pid('one'), await pid('other')];
    await gone(starter);
    expect((await killTree(bench.host, targetOf(one))).outcome).toBe('gone');
    expect([one, other].map(isAlive)).toEqual([false, true]);
  });

  it('ends the other parts of a pipeline that the server leads', async () => {
    const { command, pid } = program(`
reader, writer = os.pipe()
tee = subprocess.Popen(['cat'], stdin=reader, stdout=subprocess.DEVNULL)
note('tee', tee.pid)
stay('root')`);
    bystander(command);
    const [root, tee] = [await pid('root'), await pid('tee')];
    await killTree(bench.host, targetOf(root));
    expect([root, tee].map(isAlive)).toEqual([false, false]);
  });

  it('knows who was seen in the tree before, though nothing ties it to the server any more', async () => {
    const { command, pid } = program(`
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: stay('daemon')
    while not os.path.exists(os.path.join(sys.argv[1], 'leave')): time.sleep(0.01)
    os._exit(0)
threading.Thread(target=os.wait, daemon=True).start()
stay('root')`);
    bystander(command);
    const [root, daemon] = [await pid('root'), await pid('daemon')];
    const { processes } = await previewKill(bench.host, targetOf(root));
    expect(processes.map((process) => process.pid)).toContain(daemon);
    const middle = processes.find((process) => ![root, daemon].includes(process.pid));
    process.kill(middle?.pid ?? 0, 'SIGKILL');
    process.kill(root, 'SIGKILL');
    await gone(root);
    await gone(middle?.pid ?? 0);
    const target = { ...targetOf(root), startTicks: processes.find((p) => p.pid === root)?.startTicks ?? '' };
    expect((await killTree(bench.host, target)).outcome).toBe('absent');
    expect(isAlive(daemon)).toBe(true);
    expect((await killTree(bench.host, { ...target, seen: processes })).outcome).toBe('gone');
    expect(isAlive(daemon)).toBe(false);
    // A process with the pid of one that was seen is not that one.
    const stranger = bystander(['sleep', '300']).pid ?? 0;
    await killTree(bench.host, { ...target, seen: [{ pid: stranger, startTicks: '1' }] });
    expect(isAlive(stranger)).toBe(true);
  });

  it('tells who still writes the log of a server that someone else started, and leaves it alone', async () => {
    const { command, pid } = program(`
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: stay('daemon')
    os._exit(0)
os.wait()
stay('root')`);
    const log = bench.path('attached.log');
    for (const redirect of ['>>"$0" 2>&1', '2>&1 | cat >>"$0"']) {
      bystander(['sh', '-c', `"$@" ${redirect}`, log, ...command]);
      const [root, daemon] = [await pid('root'), await pid('daemon')];
      const result = await killTree(bench.host, targetOf(root));
      expect(result).toMatchObject({
        outcome: 'gone',
        others: [{ pid: daemon, foreign: false, command: expect.stringContaining(command[1] ?? '') }],
      });
      expect([root, daemon].map(isAlive)).toEqual([false, true]);
      process.kill(daemon, 'SIGKILL');
      for (const name of ['root', 'daemon']) rmSync(`${command[2]}/${name}`);
    }
  });

  it('ends the server that a notebook started, and nothing else of the notebook', async () => {
    const log = bench.path('notebook.log');
    const { command, pid } = program(`
out = open('${log}', 'a')
code = 'import time; time.sleep(300)'
note('server', subprocess.Popen([sys.executable, '-c', code], stdout=out, stderr=out).pid)
note('innocent', subprocess.Popen(['sleep', '300']).pid)
stay('notebook')`);
    bystander(command);
    const [notebook, server, innocent] = [await pid('notebook'), await pid('server'), await pid('innocent')];
    const found = await processOf(log);
    expect(found.pid).toBe(server);
    const { spec } = await readCommand(bench.host, found.pid);
    expect(spec?.command).toEqual([python, '-c', 'import time; time.sleep(300)']);
    const result = await killTree(bench.host, { ...targetOf(found.pid), log, seen: found.tree });
    expect(result).toEqual({ outcome: 'gone', survivors: [], others: [], heldPorts: [] });
    expect([notebook, server, innocent].map(isAlive)).toEqual([true, false, true]);
  });

  it('does not take somebody for a member who copied the environment of a launch', async () => {
    const { attempt, pids } = await launchTree();
    const record = await readAttempt(bench.host, 'default', 1);
    const copy = bystander(['sleep', '300'], { env: { ...process.env, FIREDUP_ATTEMPT: record.id } });
    const { processes } = await previewKill(bench.host, killTargetOf(record));
    expect(processes.map(({ pid }) => pid)).not.toContain(copy.pid);
    await killTree(bench.host, killTargetOf(record), { graceMs: 300 });
    expect([alive(pids), isAlive(attempt.pid), isAlive(copy.pid ?? 0)]).toEqual([[], false, true]);
  });

  it('does not list what firedup runs itself as near the server, though it stands in the same folder', async () => {
    const { command, pid } = program("stay('root')");
    bystander(command, { cwd: process.cwd() });
    const beside = bystander(['sleep', '301'], { cwd: process.cwd() });
    // Other tests run scripts in this folder at the same time, by other shells too.
    const scripts = await Promise.all(
      shells.map(({ command: shell }) =>
        bench.host.exec(scriptCommand('follow', [bench.path('none.log')], { shell: shell.join(' ') })),
      ),
    );
    await Promise.all(scripts.map(({ stdout }) => once(stdout, 'data')));
    const { near } = await previewKill(bench.host, targetOf(await pid('root')));
    for (const script of scripts) script.close();
    await Promise.all(scripts.map(({ exited }) => exited));
    expect(near.map((one) => one.pid)).toContain(beside.pid);
    expect(near.filter(({ command: line }) => line.includes('base64 -d')).map((one) => one.pid)).toEqual([]);
  });

  it('reads the process table right whatever processes call themselves', async () => {
    const { command, pid } = program(`
def call(name):
    with open('/proc/self/comm', 'wb') as file: file.write(name)
if os.fork() == 0:
    call(b'x) Z 1 1 1 0')
    stay('bracket')
if os.fork() == 0:
    call(b'a\\n1 (b) S 1 1\\n')
    stay('newline')
call(b') S 1 (')
stay('root')`);
    bystander(command);
    const [root, bracket, newline] = [await pid('root'), await pid('bracket'), await pid('newline')];
    const { processes } = await previewKill(bench.host, targetOf(root));
    expect(processes.map((process) => process.pid).sort()).toEqual([root, bracket, newline].sort());
    await killTree(bench.host, targetOf(root));
    expect([root, bracket, newline].map(isAlive)).toEqual([false, false, false]);
  });

  it('is not content with a zombie whose threads go on', async () => {
    const { command, pid } = program(`
import ctypes
threading.Thread(target=lambda: time.sleep(300)).start()
note('root')
signal.signal(signal.SIGTERM, signal.SIG_IGN)
ctypes.CDLL(None).pthread_exit(None)`);
    const child = bystander(command);
    const root = await pid('root');
    await until(() => readFileSync(`/proc/${root}/stat`, 'utf8').includes(') Z '), 'its first thread to end');
    expect(child.exitCode).toBe(null);
    const result = await killTree(bench.host, targetOf(root), { graceMs: 400 });
    expect(result.outcome).toBe('gone');
    expect(isAlive(root)).toBe(false);
  });

  it('is content with a zombie that its parent never asks for', async () => {
    const { command, pid } = program(`
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'])
note('server', child.pid)
stay('parent')`);
    bystander(command);
    const [parent, server] = [await pid('parent'), await pid('server')];
    expect((await killTree(bench.host, targetOf(server))).outcome).toBe('gone');
    expect(isAlive(parent)).toBe(true);
  });

  it('refuses to end init, or what this connection hangs on', async () => {
    for (const pid of [1, process.pid]) {
      await expect(killTree(bench.host, targetOf(pid))).rejects.toMatchObject({ code: 'kill-refused' });
      await expect(previewKill(bench.host, targetOf(pid))).rejects.toMatchObject({ code: 'kill-refused' });
    }
  });

  it('goes on to the end when nobody listens any more', async () => {
    const { pids } = await launchTree();
    const target = killTargetOf(await readAttempt(bench.host, 'default', 1));
    const leave = new AbortController();
    const killing = killTree(bench.host, target, {
      graceMs: 1000,
      abort: leave.signal,
      onStep: ({ text }) => {
        if (text === 'SIGTERM to 1 process') leave.abort();
      },
    });
    await expect(killing).rejects.toMatchObject({ code: 'link-lost', exitCode: 5 });
    await until(() => alive(pids).length === 0, 'every process to be gone');
  });

  describe.skipIf(process.getuid?.() !== 0)('a tree with processes of another user (needs root)', () => {
    it('ends ours, and tells of the others without a try', async () => {
      const { command, pid } = program(`
os.chmod(sys.argv[1], 0o777)
os.chmod(os.path.dirname(sys.argv[1]), 0o755)
if os.fork() == 0:
    os.setuid(65534)
    signal.signal(signal.SIGTERM, lambda *_: note('signalled'))
    stay('foreign')
if os.fork() == 0: stay('ours')
stay('root')`);
      const attempt = await launch(command);
      const [root, ours, foreign] = [await pid('root'), await pid('ours'), await pid('foreign')];
      const preview = await previewKill(bench.host, targetOf(attempt.pid));
      expect(preview.foreign.map((process) => process.pid)).toEqual([foreign]);
      const result = await killTree(bench.host, targetOf(attempt.pid), { graceMs: 500 });
      expect(result).toEqual({
        outcome: 'survivors',
        heldPorts: [],
        others: [],
        survivors: [
          {
            pid: foreign,
            owner: 'nobody',
            command: expect.stringContaining(command[1] ?? ''),
            foreign: true,
            state: expect.any(String),
          },
        ],
      });
      expect([root, ours, foreign].map(isAlive)).toEqual([false, false, true]);
      expect(readdirSync(command[2] ?? '')).not.toContain('signalled');
    });
  });
});
