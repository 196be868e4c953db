import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProcessFact } from '../../src/core/process-fact.js';
import { localHost } from '../../src/host/local.js';
import { createProcessProbe, type FindProcess } from '../../src/probes/process.js';
import { killTree } from '../../src/runtime/actions/kill.js';
import { shells } from '../remote/shells.js';
import { until, wellBeforeDeadManMs } from '../support/until.js';
import { cuttableHost, later, recorder, running, start, statOf, tempFolder } from './support.js';

const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
/** A server that writes its log forever, with two workers. */
const server = `exec -a fake-server bash -c 'echo up; sleep 600 & sleep 601 & while :; do echo tick; sleep 0.2; done'`;

describe.each(shells)('the process with $name', ({ command }) => {
  const shell = command.join(' ');

  function watch(find: FindProcess) {
    const seen = recorder();
    const others: string[] = [];
    const elsewhere: string[] = [];
    const outputs: string[] = [];
    const { host, channels, sessions } = cuttableHost();
    const probe = createProcessProbe({
      find,
      emit: seen.emit,
      now: Date.now,
      onWritesTo: (path) => others.push(path),
      onWritesElsewhere: (path) => elsewhere.push(path),
      onOutputFile: (path) => outputs.push(path),
      script: { shell },
    });
    const begin = () => running((signal) => probe.run(host, signal));
    const facts = () => seen.of('process').map((event) => event.process);
    const last = () => facts().at(-1);
    return { facts, last, others, elsewhere, outputs, channels, sessions, begin, ...begin() };
  }
  const isAlive = (fact: ProcessFact | undefined) => fact?.status === 'alive';

  it('is who has the log open for writing, with its whole tree, and not who reads it', async () => {
    const log = join(tempFolder(), 'server.log');
    writeFileSync(log, 'old\n');
    start(`exec tail -f '${log}' >/dev/null`);
    const writer = start(`${server} >>'${log}' 2>&1`);
    const before = Date.now();
    const process = watch({ log });
    await until(() => isAlive(process.last()), 'it is found');
    await until(() => treeOf(process.last()).length >= 3, 'its workers are there');
    const fact = process.last();
    expect(fact).toMatchObject({
      status: 'alive',
      pid: writer.pid,
      foundBy: 'log',
      startTicks: statOf(writer.pid ?? 0)?.start,
    });
    expect(fact?.status === 'alive' && fact.command).toContain('fake-server');
    expect(fact?.status === 'alive' && Math.abs((fact.startedAt ?? 0) - before)).toBeLessThan(20_000);
    expect(treeOf(fact).map(({ command }) => command)).toEqual(
      expect.arrayContaining(['sleep 600', 'sleep 601']),
    );
    expect(treeOf(fact).some(({ command }) => command.startsWith('tail'))).toBe(false);
  });

  it('tells whole words of a long command line, and that there is more', async () => {
    const long = start(`exec -a '${'x'.repeat(1488)} --port' sleep 30001`);
    const process = watch({ pid: long.pid ?? 0 });
    const command = (fact: ProcessFact | undefined): string => (fact?.status === 'alive' ? fact.command : '');
    await until(() => command(process.last()).startsWith('xxx'), 'it is told');
    expect(command(process.last())).toBe(`${'x'.repeat(1488)} --port …`);
  });

  it('is who writes the pipe that tee reads', async () => {
    const log = join(tempFolder(), 'it is "here".log');
    const pipeline = start(`(${server}) 2>&1 | grep --line-buffered . | tee "$LOG" >/dev/null`, {
      ...globalThis.process.env,
      LOG: log,
    });
    await until(() => exists(log), 'the log is there');
    const process = watch({ log });
    await until(() => isAlive(process.last()), 'it is found');
    const fact = process.last();
    expect(fact?.status === 'alive' && fact.command).toContain('fake-server');
    expect(fact).not.toMatchObject({ pid: pipeline.pid });
  });

  it.each([
    ['whatever the pipe is read by', '$SERVER | while read -r line; do echo "$line"; done >>"$LOG"'],
    ['and not what only feeds it', 'sleep 601 | $SERVER >>"$LOG"'],
  ])('is who writes a pipe, %s', async (_, line) => {
    const folder = tempFolder();
    const [log, server] = [join(folder, 'server.log'), join(folder, 'server.py')];
    writeFileSync(server, "import time\nprint('up', flush=True)\ntime.sleep(600)\n");
    const env = { ...globalThis.process.env, LOG: log, FILE: server };
    start(line.replace('$SERVER', 'python3 "$FILE"'), env);
    await until(() => exists(log), 'the log is there');
    const process = watch({ log });
    // Caught between fork and exec it still has the shell's name.
    const isServer = (fact: ProcessFact | undefined): boolean =>
      fact?.status === 'alive' && /python.* .*server\.py$/.test(fact.command);
    await until(() => isServer(process.last()), 'it is found');
  });

  it('is who writes the named pipe that a filter has opened itself', async () => {
    const folder = tempFolder();
    const [log, pipe] = [join(folder, 'server.log'), join(folder, 'pipe')];
    start(`mkfifo '${pipe}'; cat '${pipe}' >'${log}'`);
    const server = start(`until [ -p '${pipe}' ]; do sleep 0.05; done; exec sleep 600 >'${pipe}'`);
    await until(() => existsSync(log), 'the log is there');
    const process = watch({ log });
    await until(() => isAlive(process.last()), 'it is found');
    expect(process.last()).toMatchObject({ pid: server.pid, foundBy: 'log' });
  });

  it('is gone when it ends, and another one is found after it', async () => {
    const log = join(tempFolder(), 'server.log');
    const first = start(`${server} >>'${log}'`);
    const process = watch({ log });
    await until(() => isAlive(process.last()), 'it is found');
    const members = treeOf(process.last()).map(({ pid }) => pid);
    globalThis.process.kill(first.pid ?? 0, 'SIGKILL');
    for (const pid of members) if (pid !== first.pid) kill(pid);
    await until(() => process.last()?.status === 'gone', 'it is gone');
    expect(process.last()).toEqual({ status: 'gone', pid: first.pid, exit: null });
    const second = start(`${server} >>'${log}'`);
    await until(() => isAlive(process.last()), 'the next one is found');
    expect(process.last()).toMatchObject({ pid: second.pid });
  });

  it('is gone as a zombie too', async () => {
    // A parent that never waits for it.
    const parent = start(`sleep 30 & echo $! >"$FILE"; exec sleep 600`, {
      ...globalThis.process.env,
      FILE: join(tempFolder(), 'x'),
    });
    await until(() => childrenOf(parent.pid ?? 0).length === 1, 'the child is there');
    const child = childrenOf(parent.pid ?? 0)[0] ?? 0;
    const process = watch({ pid: child });
    await until(() => isAlive(process.last()), 'it is found');
    kill(child);
    await until(() => process.last()?.status === 'gone', 'it is gone');
    expect(statOf(child)?.state).toBe('Z');
  });

  it('stays with the server when a wrapper shell ends', async () => {
    const log = join(tempFolder(), 'server.log');
    const wrapper = start(`sh -c 'sleep 600 & sleep 2; true' >>'${log}'`);
    const process = watch({ log });
    await until(() => isAlive(process.last()), 'it is found');
    await once(wrapper, 'exit');
    await until(() => {
      const fact = process.last();
      return fact?.status === 'alive' && fact.command === 'sleep 600';
    }, 'the server is the process');
    expect(process.facts().some(({ status }) => status === 'gone')).toBe(false);
  });

  it('is absent only when nobody writes and nobody listens', async () => {
    const log = join(tempFolder(), 'finished.log');
    writeFileSync(log, 'The server is fired up and ready to roll!\n');
    const process = watch({ log });
    await until(() => process.facts().length > 0, 'something is known');
    expect(process.facts()).toEqual([{ status: 'absent' }]);
  });

  it('is unknown while something that it cannot see writes to the log', async () => {
    const log = join(tempFolder(), 'server.log');
    writeFileSync(log, '');
    // Opens and closes the file for each line, as a writer elsewhere would look.
    const timer = setInterval(() => appendFileSync(log, 'line\n'), 20);
    later(() => clearInterval(timer));
    const process = watch({ log });
    await until(() => process.facts().length > 0, 'something is known');
    expect(process.last()).toMatchObject({
      status: 'unknown',
      reason: expect.stringContaining('cannot be seen'),
    });
  });

  it('is who listens on the port where the log tells nothing', async () => {
    const file = join(tempFolder(), 'port');
    const listener = start(
      `exec node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>require("fs").writeFileSync(process.env.FILE,String(s.address().port)))'`,
      { ...globalThis.process.env, FILE: file },
    );
    await until(() => exists(file) && readFileSync(file, 'utf8') !== '', 'it listens');
    const process = watch({ port: Number(readFileSync(file, 'utf8')) });
    await until(() => isAlive(process.last()), 'it is found');
    expect(process.last()).toMatchObject({ pid: listener.pid, foundBy: 'port' });
  });

  it('is what our launch recorded, and ends with the status that its supervisor wrote', async () => {
    const folder = tempFolder();
    const child = start('exec sleep 600');
    await until(() => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').startsWith('sleep'), 'it runs');
    const process = watch({ launchFolder: folder, log: '/no/such.log' });
    await until(() => process.last()?.status === 'unknown', 'nothing is recorded yet');
    writeFileSync(
      join(folder, 'pid'),
      `${child.pid} ${statOf(child.pid ?? 0)?.start} ${bootId} 1795960000\n`,
    );
    await until(() => isAlive(process.last()), 'it is found');
    expect(process.last()).toMatchObject({ pid: child.pid, foundBy: 'launch', command: 'sleep 600' });
    writeFileSync(join(folder, 'exit'), '137 1795960100 oom:2:3\n');
    kill(child.pid ?? 0);
    await until(() => process.last()?.status === 'gone', 'it is gone');
    expect(process.last()).toEqual({
      status: 'gone',
      pid: child.pid,
      exit: { code: null, signal: 'SIGKILL', at: 1_795_960_100_000, oomKills: 1 },
    });
  });

  it.each([
    ['killed', 'exit', true],
    ['exit', 'killed', false],
    ['killed', '', true],
  ])('tells whether a kill of ours, by whomever, was its end: %s, then %s', async (one, other, onPurpose) => {
    const folder = tempFolder();
    const child = start('exec sleep 600');
    writeFileSync(
      join(folder, 'pid'),
      `${child.pid} ${statOf(child.pid ?? 0)?.start} ${bootId} 1795960000\n`,
    );
    const process = watch({ launchFolder: folder, log: '/no/such.log' });
    await until(() => isAlive(process.last()), 'it is found');
    const times = { [one]: 1_795_960_100, [other]: 1_795_960_101 };
    for (const name of [one, other].filter(Boolean)) {
      writeFileSync(join(folder, name), name === 'exit' ? '143 1795960100 oom:0:0\n' : '');
      utimesSync(join(folder, name), times[name] ?? 0, times[name] ?? 0);
    }
    kill(child.pid ?? 0);
    await until(() => process.last()?.status === 'gone', 'it is gone');
    expect('endedOnPurpose' in (process.last() ?? {})).toBe(onPurpose);
  });

  it('tells that a kill of ours, by whomever, was the end of a server that was not launched by us', async () => {
    const log = join(tempFolder(), 'server.log');
    const child = start(`exec sleep 600 >>'${log}'`);
    const process = watch({ log });
    await until(() => isAlive(process.last()), 'it is found');
    const { start: startTicks = '' } = statOf(child.pid ?? 0) ?? {};
    await killTree(localHost(), { pid: child.pid ?? 0, startTicks, bootId });
    await until(() => process.last()?.status === 'gone', 'it is gone');
    expect(process.last()).toMatchObject({ pid: child.pid, endedOnPurpose: true });
  });

  it('does not take another process with a recorded pid for ours', async () => {
    const folder = tempFolder();
    const child = start('exec sleep 600');
    const { start: ticks = '0' } = statOf(child.pid ?? 0) ?? {};
    writeFileSync(join(folder, 'pid'), `${child.pid} ${Number(ticks) - 1} ${bootId} 1795960000\n`);
    const process = watch({ launchFolder: folder });
    await until(() => process.facts().length > 0, 'something is known');
    expect(process.last()).toEqual({ status: 'gone', pid: child.pid, exit: null });
  });

  it('tells an end that came while the link was lost', async () => {
    const log = join(tempFolder(), 'server.log');
    const writer = start(`exec sleep 600 >>'${log}'`);
    const process = watch({ log });
    await until(() => isAlive(process.last()), 'it is found');
    process.channels.at(-1)?.close();
    await expect(process.done).rejects.toMatchObject({ code: 'probe-ended' });
    kill(writer.pid ?? 0);
    await once(writer, 'exit');
    process.begin();
    await until(() => process.last()?.status === 'gone', 'it is gone');
    expect(process.last()).toEqual({ status: 'gone', pid: writer.pid, exit: null });
  });

  it('tells where the process writes when the watched log is not there', async () => {
    const folder = tempFolder();
    const real = join(folder, 'server v3.log');
    const writer = start(`exec sleep 600 >>"$REAL"`, { ...globalThis.process.env, REAL: real });
    await until(() => exists(real), 'the log is there');
    const byPid = watch({ pid: writer.pid ?? 0, log: join(folder, 'server v2.log') });
    await until(() => byPid.others.length > 0, 'the file is named');
    expect(byPid.others).toEqual([real]);
    // That another one writes beside it says nothing of a server that is not known.
    const unknown = watch({ log: join(folder, 'server v2.log') });
    await until(() => unknown.last()?.status === 'unknown', 'it is looked for');
    expect(unknown.others).toEqual([]);
  });

  it('tells where the process writes while the watched log is empty, and when it is not any more', async () => {
    const folder = tempFolder();
    const [log, real] = [join(folder, 'empty.log'), join(folder, 'server.log')];
    writeFileSync(log, '');
    const writer = start(`echo up >'${real}'; sleep 600 >>'${real}'`);
    await until(() => exists(real), 'the log is there');
    const process = watch({ pid: writer.pid ?? 0, log });
    await until(() => process.elsewhere.length > 0, 'the file is named');
    writeFileSync(log, `${'up'.repeat(1500)}\n`);
    await until(() => process.elsewhere.length > 1, 'the log has got something');
    expect(process.elsewhere).toEqual([real, log]);
    expect(process.others).toEqual([]);
  });

  it('tells the file that a process given by its pid writes to', async () => {
    const log = join(tempFolder(), 'by pid.log');
    const writer = start(`exec sleep 600 >>"$LOG"`, { ...globalThis.process.env, LOG: log });
    await until(() => exists(log), 'the log is there');
    const process = watch({ pid: writer.pid ?? 0 });
    await until(() => process.outputs.length > 0, 'the file is named');
    expect(process.outputs).toEqual([log]);
    expect(process.others).toEqual([]);
  });

  it('says at once that a pid is no process', async () => {
    const parent = start(`sleep 600 & exec sleep 600`);
    await until(() => childrenOf(parent.pid ?? 0).length === 1, 'the child is there');
    // A shell would still take note of the child's end.
    const comm = `/proc/${parent.pid}/comm`;
    await until(() => readFileSync(comm, 'utf8') === 'sleep\n', 'its parent is no shell any more');
    const zombie = childrenOf(parent.pid ?? 0)[0] ?? 0;
    kill(zombie);
    await until(() => statOf(zombie)?.state === 'Z', 'it is a zombie');
    const threads = readdirSync(`/proc/${globalThis.process.pid}/task`).map(Number);
    const thread = threads.find((id) => id !== globalThis.process.pid) ?? 0;
    for (const [pid, reason] of [
      [0, 'there is no process 0'],
      [zombie, `process ${zombie} has ended already (a zombie)`],
      [thread, `${thread} is a thread of process ${globalThis.process.pid}`],
    ] as const) {
      const process = watch({ pid });
      await until(() => process.facts().length > 0, 'something is known');
      expect(process.facts()).toEqual([{ status: 'absent', reason }]);
    }
  });

  it('leaves no process behind when its channel is closed', async () => {
    const process = watch({ pid: globalThis.process.pid });
    await until(() => isAlive(process.last()), 'it is found');
    await process.stop();
    await until(() => process.sessions().length === 0, 'nothing is left', wellBeforeDeadManMs);
  });
});

describe('the process of another user', () => {
  it.skipIf(globalThis.process.getuid?.() !== 0)('is unknown with the reason', async () => {
    const folder = tempFolder();
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'logs'));
    const log = join(folder, 'logs', 'server.log');
    start(`${server} >>'${log}'`);
    await until(() => exists(log), 'the log is there');
    const local = localHost();
    later(() => local.close());
    const asNobody = {
      ...local,
      exec: (command: string) =>
        local.exec(command.replace(/^exec /, 'exec setpriv --reuid 65534 --clear-groups ')),
    };
    const seen = recorder();
    const probe = createProcessProbe({ find: { log }, emit: seen.emit, now: Date.now });
    running((signal) => probe.run(asNobody, signal));
    await until(() => seen.of('process').length > 0, 'something is known');
    await until(
      () => JSON.stringify(seen.of('process').at(-1)?.process).includes('belongs to user root'),
      'the reason is the user',
    );
    expect(seen.of('process').some(({ process }) => process.status === 'absent')).toBe(false);
  });
});

const treeOf = (fact: ProcessFact | undefined) => (fact?.status === 'alive' ? fact.tree : []);

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went by itself.
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}

function exists(path: string): boolean {
  try {
    return readFileSync(path) !== null;
  } catch {
    return false;
  }
}
