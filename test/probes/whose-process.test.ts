import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProcessFact } from '../../src/core/process-fact.js';
import { localHost } from '../../src/host/local.js';
import { createHealthProbe } from '../../src/probes/health.js';
import { createProcessProbe, type FindProcess } from '../../src/probes/process.js';
import { shells } from '../remote/shells.js';
import { until } from '../support/until.js';
import {
  cuttableHost,
  endProcessesOf,
  later,
  recorder,
  running,
  start,
  statOf,
  tempFolder,
} from './support.js';

const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

/** Notes pids in files of the folder that is its first argument, and has servers that listen there. */
const preamble = `
import os, signal, subprocess, sys, time
folder = sys.argv[1]
log = os.path.join(folder, 'server.log')
def note(name, value):
    path = os.path.join(folder, name)
    with open(path + '.new', 'w') as file: file.write(str(value))
    os.rename(path + '.new', path)
def stay():
    while True: time.sleep(60)
def serve(name):
    from http.server import BaseHTTPRequestHandler, HTTPServer
    class Ready(BaseHTTPRequestHandler):
        def do_GET(self): self.send_response(200); self.end_headers()
        def log_message(self, *_): pass
    server = HTTPServer(('127.0.0.1', 0), Ready)
    note(name, os.getpid()); note(name + '.port', server.server_port)
    server.serve_forever()
def started(name, **options):
    command = [sys.executable, __file__, folder, name]
    return subprocess.Popen(command, **options)
if len(sys.argv) > 2:
    print('up', flush=True)
    serve(sys.argv[2])
`;

describe.each(shells)('whose the process is, with $name', ({ command }) => {
  const script = { shell: command.join(' ') };

  /** Runs a Python program in a session of its own, its output to nowhere unless it says so. */
  function program(text: string, redirect = '') {
    const folder = tempFolder();
    later(() => endProcessesOf(folder));
    const file = join(folder, 'program.py');
    writeFileSync(file, preamble + text);
    const child = start(`exec python3 "$FILE" "$FOLDER" ${redirect}`, {
      ...process.env,
      FILE: file,
      FOLDER: folder,
      LOG: join(folder, 'server.log'),
    });
    const read = async (name: string) => {
      await until(() => contentOf(join(folder, name)) !== '', `${name} is noted`);
      return Number(contentOf(join(folder, name)));
    };
    return { child, folder, log: join(folder, 'server.log'), read };
  }

  function watch(find: FindProcess) {
    const seen = recorder();
    const { host, channels } = cuttableHost();
    const probe = createProcessProbe({ find, emit: seen.emit, now: Date.now, script });
    const facts = () => seen.of('process').map((event) => event.process);
    const begin = () => running((signal) => probe.run(host, signal));
    return { facts, last: () => facts().at(-1), channels, begin, ...begin() };
  }
  const alive = (fact: ProcessFact | undefined) => (fact?.status === 'alive' ? fact : null);
  const pids = (fact: ProcessFact | undefined) => alive(fact)?.tree.map(({ pid }) => pid) ?? [];

  it('is not the notebook that started it, even while that keeps the log open', async () => {
    const { child, log, read } = program(`
out = open(log, 'w')
started('server', stdout=out, stderr=out)
note('innocent', subprocess.Popen(['sleep', '987']).pid)
stay()`);
    const [server, innocent] = [await read('server'), await read('innocent')];
    const found = watch({ log });
    await until(() => alive(found.last()) !== null, 'it is found');
    expect(alive(found.last())).toMatchObject({ pid: server, foundBy: 'log' });
    expect(pids(found.last())).toEqual([server]);
    expect([child.pid, innocent].map((pid) => pids(found.last()).includes(pid ?? 0))).toEqual([false, false]);

    process.kill(server, 'SIGKILL');
    await until(() => found.last()?.status === 'gone', 'its end is seen');
    // The notebook still has the file open, and was there before.
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect(found.facts().at(-1)).toEqual({ status: 'gone', pid: server, exit: null });
    const later = watch({ log });
    await until(() => later.facts().length > 0, 'something is known');
    expect(later.last()).toMatchObject({
      status: 'unknown',
      reason: expect.stringContaining(`${child.pid} keeps the log open`),
    });
  });

  it('is the server itself by its port, and its sibling is a stranger', async () => {
    const { log, read } = program(`
with open(log, 'w') as out: started('server', stdout=out, stderr=out)
with open(log + '.2', 'w') as out: started('sibling', stdout=out, stderr=out)
stay()`);
    const [server, sibling] = [await read('server'), await read('sibling')];
    const [port, foreign] = [await read('server.port'), await read('sibling.port')];
    for (const [find, pid] of [
      [{ log }, server],
      [{ port }, server],
      [{ log: `${log}.2` }, sibling],
    ] as const) {
      const found = watch(find);
      await until(() => alive(found.last()) !== null, 'it is found');
      expect(pids(found.last())).toEqual([pid]);
      await found.stop();
    }
    const seen = recorder();
    const host = localHost();
    later(() => host.close());
    const health = createHealthProbe({ emit: seen.emit, now: Date.now, intervalMs: 250, script });
    health.setTree([server]);
    health.retarget({ port: foreign, path: '/health', source: 'given' });
    running((signal) => health.run(host, signal));
    await until(() => seen.of('health').length > 0, 'it answers');
    expect(seen.of('health').at(-1)?.answer).toMatchObject({
      result: { kind: 'status', code: 200 },
      owned: false,
    });
    health.retarget({ port, path: '/health', source: 'given' });
    await until(() => seen.of('health').at(-1)?.answer.port === port, 'the other answers');
    expect(seen.of('health').at(-1)?.answer.owned).toBe(true);
  });

  it('is not who started other things besides it, though the log is the output of both', async () => {
    const { log, read } = program(
      `
started('server')
note('innocent', subprocess.Popen(['sleep', '987'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).pid)
stay()`,
      '>>"$LOG" 2>&1',
    );
    const [server] = [await read('server'), await read('innocent')];
    const found = watch({ log });
    await until(() => alive(found.last()) !== null, 'it is found');
    expect(pids(found.last())).toEqual([server]);
    process.kill(server, 'SIGKILL');
    await until(() => found.last()?.status === 'gone', 'its end is seen');
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect(found.last()).toEqual({ status: 'gone', pid: server, exit: null });
  });

  it('is the topmost of those whose output the log is, through a launcher of this one alone', async () => {
    const { child, log, read } = program(
      `
quiet = "import subprocess, sys; subprocess.run(sys.argv[2:], stdout=open(sys.argv[1], 'a'))"
subprocess.run([sys.executable, '-c', quiet, log, sys.executable, __file__, folder, 'server'], stdout=subprocess.DEVNULL)`,
      '>>"$LOG" 2>/dev/null',
    );
    const server = await read('server');
    const found = watch({ log });
    await until(() => pids(found.last()).includes(server), 'the whole of it is found');
    expect(alive(found.last())?.pid).toBe(child.pid);
    expect(pids(found.last())).toHaveLength(3);
  });

  it.each([
    ['cat on a socket', 'cat', `['cat']`],
    ['a shell that runs it, as of tmux pipe-pane', 'cat', `['dash', '-c', 'cat >>"$0"', log]`],
    ['tail -f of another log', 'tail', `['tail', '-f', '/dev/null']`],
  ])('is not who only brings the log: %s', async (_what, name, words) => {
    const { log, read } = program(`
import socket
ours, theirs = socket.socketpair()
server = started('server', stdout=subprocess.DEVNULL)
with open(log, 'w') as out: note('carrier', subprocess.Popen(${words}, stdin=theirs, stdout=out).pid)
stay()`);
    const [server, port, carrier] = [await read('server'), await read('server.port'), await read('carrier')];
    const found = watch({ log });
    await until(() => found.facts().length > 0, 'something is known');
    expect(found.facts()[0]).toMatchObject({
      status: 'unknown',
      reason: expect.stringContaining(`brought by ${name} (process ${carrier})`),
    });
    await found.stop();
    const byPort = watch({ log, port });
    await until(() => alive(byPort.last()) !== null, 'it is found');
    expect(alive(byPort.last())).toMatchObject({ pid: server, foundBy: 'port' });
  });

  it('is who opened the log itself, where it is nobody’s output', async () => {
    const { child, log } = program(`
out = open(log, 'a')
os.fork()
stay()`);
    await until(() => exists(log), 'the log is there');
    const found = watch({ log });
    await until(() => pids(found.last()).length === 2, 'it is found');
    expect(alive(found.last())?.pid).toBe(child.pid);
  });

  it('stays with the other writer of the log, without a word of an end', async () => {
    const { log, read } = program(`
with open(log, 'a') as out:
    one = subprocess.Popen(['sleep', '601'], stdout=out)
    other = subprocess.Popen(['sleep', '602'], stdout=out)
note('one', one.pid); note('other', other.pid)
stay()`);
    const [one, other] = [await read('one'), await read('other')];
    const found = watch({ log });
    await until(() => alive(found.last()) !== null, 'it is found');
    const first = alive(found.last())?.pid ?? 0;
    process.kill(first, 'SIGKILL');
    await until(() => alive(found.last())?.pid === (first === one ? other : one), 'the other is it');
    expect(found.facts().every(({ status }) => status === 'alive')).toBe(true);
    process.kill(first === one ? other : one, 'SIGKILL');
    await until(() => found.last()?.status === 'gone', 'it is gone');
  });

  it('is gone when only the workers of a server that died are left, and they are no server later', async () => {
    const { child, log, read } = program(
      `
if os.fork() == 0:
    note('worker', os.getpid())
    stay()
stay()`,
      '>>"$LOG" 2>&1',
    );
    const worker = await read('worker');
    const found = watch({ log });
    await until(() => pids(found.last()).includes(worker), 'its worker is known');
    process.kill(child.pid ?? 0, 'SIGKILL');
    await until(() => found.last()?.status === 'gone', 'it is gone');
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect(found.last()).toEqual({ status: 'gone', pid: child.pid, exit: null });
    expect(statOf(worker)?.state).toBe('S');
  });

  it.each([
    ['a fork that has lost its server, and listens nowhere', '', 'stay()', 'orphan'],
    ['one that listens, which may be by what it has inherited', '', "serve('server')", 'orphan'],
    ['a daemon that leads its session', 'os.setsid()', 'stay()', undefined],
  ])('is believed of %s only where it may be a server', async (_, before, body, doubt) => {
    const { log, read } = program(
      `
note('parent', os.getpid())
if os.fork() == 0:
    ${before || 'pass'}
    note('worker', os.getpid())
    while os.getppid() == int(open(os.path.join(folder, 'parent')).read() or 0): time.sleep(0.01)
    note('alone', os.getpid())
    ${body}
while not os.path.exists(os.path.join(folder, 'worker')): time.sleep(0.01)
os.kill(os.getpid(), signal.SIGKILL)`,
      '>>"$LOG" 2>&1',
    );
    const worker = await read('alone');
    if (body !== 'stay()') await read('server.port');
    const found = watch({ log });
    await until(() => found.facts().length > 0, 'something is known');
    expect(alive(found.facts()[0])).toMatchObject({ pid: worker, foundBy: 'log' });
    expect(alive(found.facts()[0])?.doubt).toBe(doubt);
  });

  it('is no proxy on the port that was given, neither after the server has died nor before one writes the log', async () => {
    const other = tempFolder();
    const proxy = program('serve("proxy")', `>>'${other}/proxy.log' 2>&1`);
    const port = Number(await proxy.read('proxy.port'));
    const { child, log } = program('stay()', '>>"$LOG" 2>&1; echo');
    writeFileSync(log, 'loading\n');
    const found = watch({ log, port });
    await until(() => alive(found.last())?.pid === child.pid, 'the writer is it');
    process.kill(child.pid ?? 0, 'SIGKILL');
    await until(() => found.last()?.status === 'gone', 'it is gone');
    const later = watch({ log, port });
    await until(() => alive(later.last()) !== null, 'the listener is told');
    expect(alive(later.last())).toMatchObject({ pid: proxy.child.pid, doubt: 'elsewhere' });
    expect(found.last()?.status).toBe('gone');
    const next = start(`exec sleep 600 >>'${log}'`);
    await until(() => alive(later.last())?.pid === next.pid, 'the next writer is it');
    await until(() => alive(found.last())?.pid === next.pid, 'there as well');
  });

  it('is who writes the log that a link leads to now, though the one before lives on', async () => {
    const folder = tempFolder();
    const [old, next, log] = ['old', 'next', 'latest'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const first = start(`echo up; exec sleep 600 >>'${old}'`);
    await until(() => exists(old), 'its log is there');
    symlinkSync(old, log);
    const found = watch({ log });
    await until(() => alive(found.last())?.pid === first.pid, 'it is found');
    const second = start(`echo up >'${next}'; exec sleep 600 >>'${next}'`);
    symlinkSync(next, `${log}.new`);
    renameSync(`${log}.new`, log);
    await until(() => alive(found.last())?.pid === second.pid, 'the other is it');
    expect(pids(found.last())).toEqual([second.pid]);
    expect(statOf(first.pid ?? 0)?.state).toBe('S');
  });

  it('is gone when it is started anew, and then it is the new one', async () => {
    const { log, read } = program(`
for turn in range(2):
    with open(log, 'a') as out: server = started('server%d' % turn, stdout=out)
    server.wait()
stay()`);
    const first = await read('server0');
    const found = watch({ log });
    await until(() => alive(found.last()) !== null, 'it is found');
    process.kill(first, 'SIGKILL');
    const killedAt = Date.now();
    const second = await read('server1');
    await until(() => alive(found.last())?.pid === second, 'the new one is found');
    expect(alive(found.last())?.ageMs).toBeGreaterThanOrEqual(0);
    expect(alive(found.last())?.ageMs).toBeLessThanOrEqual(Date.now() - killedAt + 50);
    expect(found.facts()).toContainEqual({ status: 'gone', pid: first, exit: null });
  });

  describe('launched by us', () => {
    /** The launch's folder, as the supervisor leaves it for a process that has its mark. */
    function launch(text: string, redirect = '>>"$LOG" 2>&1') {
      const mark = `mark-${process.pid}-${Math.random()}`;
      const launched = program(
        `os.environ['x'] = ''\nif 'FIREDUP_ATTEMPT' not in os.environ:
    os.environ['FIREDUP_ATTEMPT'] = '${mark}'
    os.execv(sys.executable, [sys.executable, __file__, folder])
while not os.path.exists(os.path.join(folder, 'pid')): time.sleep(0.01)\n${text}`,
        redirect,
      );
      const ticks = statOf(launched.child.pid ?? 0)?.start;
      writeFileSync(join(launched.folder, 'id'), `${mark}\n`);
      writeFileSync(join(launched.folder, 'pid'), `${launched.child.pid} ${ticks} ${bootId} 1\n`);
      const ends = once(launched.child, 'exit').then(([code, signal]) => {
        const status = signal === null ? code : 137;
        writeFileSync(
          join(launched.folder, 'exit'),
          `${status} ${Math.floor(Date.now() / 1000)} oom:0:0${signal === null ? '' : ' by:signal'}\n`,
        );
      });
      return { ...launched, ends };
    }
    const daemon = (body: string, env = 'None') => `
if os.fork() == 0:
    os.setsid()
    os.execve(sys.executable, [sys.executable, '-c', ${JSON.stringify(body)}, folder], ${env} or os.environ)
os._exit(0)`;
    const stays =
      'import os, sys, time; open(sys.argv[1] + "/daemon", "w").write(str(os.getpid())); time.sleep(600)';

    it.each([
      ['with its mark, whatever it writes to', daemon(stays), '>/dev/null 2>&1'],
      ['without the mark, but writing to its log', daemon(stays, '{"PATH": "/bin"}'), '>>"$LOG" 2>&1'],
    ])('is the daemon that a launcher leaves behind, %s', async (_, text, redirect) => {
      const { child, folder, log, read, ends } = launch(text, redirect);
      const found = watch({ launchFolder: folder, log });
      const [pid] = [await read('daemon'), await ends];
      await until(() => alive(found.last())?.pid === pid, 'the daemon is the process');
      expect(alive(found.last())).toMatchObject({ foundBy: 'launch' });
      expect(found.facts().some(({ status }) => status === 'gone')).toBe(false);
      const second = watch({ launchFolder: folder, log });
      await until(() => second.facts().length > 0, 'a later look knows it');
      expect(alive(second.last())?.pid).toBe(pid);
      process.kill(pid, 'SIGKILL');
      await until(() => found.last()?.status === 'gone', 'it is gone');
      // The launcher's exit 0 is not how the daemon ended.
      expect(found.last()).toEqual({ status: 'gone', pid, exit: null });
      expect(child.pid).not.toBe(pid);
    });

    it('is gone with its status when only its workers are left', async () => {
      const { child, folder, log, read, ends } = launch(`
if os.fork() == 0:
    note('worker', os.getpid())
    stay()
stay()`);
      const worker = await read('worker');
      const found = watch({ launchFolder: folder, log });
      await until(() => pids(found.last()).includes(worker), 'its worker is known');
      process.kill(child.pid ?? 0, 'SIGKILL');
      await ends;
      await until(() => found.last()?.status === 'gone', 'it is gone');
      expect(found.last()).toMatchObject({ pid: child.pid, exit: { signal: 'SIGKILL' } });
      expect(statOf(worker)?.state).toBe('S');
    });

    const waits = "while not os.path.exists(os.path.join(folder, 'go')): time.sleep(0.01)\n";
    const fork = (body: string) => `if os.fork() == 0:\n${body.replace(/^/gm, '    ')}\n    stay()\n`;
    const noted = `note('worker', os.getpid())`;
    it.each([
      ['killed, and that is recorded', `${fork(noted)}stay()`, 'gone'],
      ['killed, and so was its supervisor', `${fork(noted)}${waits}`, 'fork'],
      ['ended well', `${fork(noted)}${waits}os._exit(0)`, 'fork'],
      [
        'ended well, after a fork that leads a session',
        `${fork(`os.setsid()\n${noted}`)}${waits}os._exit(0)`,
        'silent',
      ],
      [
        'ended well, after the start of another program',
        `subprocess.Popen([sys.executable, __file__, folder, 'worker'])\n${waits}os._exit(0)`,
        'server',
      ],
    ] as const)('is told from a fork of it by who comes later: %s', async (what, text, expected) => {
      const { child, folder, log, read, ends } = launch(text);
      const worker = await read('worker');
      if (what.startsWith('killed')) process.kill(child.pid ?? 0, 'SIGKILL');
      else writeFileSync(join(folder, 'go'), '');
      await ends;
      if (what.endsWith('supervisor')) rmSync(join(folder, 'exit'));
      const found = watch({ launchFolder: folder, log });
      await until(() => found.facts().length > 0, 'something is known');
      if (expected === 'gone') {
        expect(found.facts()[0]).toMatchObject({ pid: child.pid, exit: { signal: 'SIGKILL' } });
        return;
      }
      expect(alive(found.facts()[0])).toMatchObject({ pid: worker, foundBy: 'launch' });
      expect(alive(found.facts()[0])?.doubt).toBe(expected === 'server' ? undefined : expected);
      if (expected === 'server') return;
      // After a reconnect it is not believed without a word either.
      found.channels.at(-1)?.close();
      found.begin();
      const before = found.facts().length;
      await until(() => found.facts().length > before, 'it is found again');
      expect(alive(found.last())).toMatchObject({ pid: worker, doubt: expected });
    });

    it('is not believed to be the fork of what a shell ran, also under our eyes', async () => {
      const file = "os.path.join(folder, 'inner.py')";
      const { folder, log, read, ends } = launch(`
with open(${file}, 'w') as out: out.write('import os, sys, time\\nif os.fork() == 0: open(sys.argv[1] + "/worker", "w").write(str(os.getpid()))\\ntime.sleep(600)')
with open(${file} + '.sh', 'w') as out: out.write('echo $$ >"$0.pid"; python3 "$1" "$2" & wait $!; exit 0')
os.execvp('sh', ['sh', ${file} + '.sh', ${file}, folder])`);
      const found = watch({ launchFolder: folder, log });
      const worker = await read('worker');
      await until(() => pids(found.last()).includes(worker), 'its fork is known');
      const server = alive(found.last())?.tree.find(({ pid }) => pid === worker)?.parent ?? 0;
      process.kill(server, 'SIGKILL');
      await ends;
      await until(() => alive(found.last())?.pid === worker, 'the fork is left');
      expect(alive(found.last())?.doubt).toBe('fork');
    });

    it('may be silent at first, until it listens', async () => {
      const { folder, log, read, ends } = launch(`
subprocess.Popen([sys.executable, '-c', """
import os, socket, sys, time
folder = sys.argv[1]
open(folder + '/worker', 'w').write(str(os.getpid()))
while not os.path.exists(folder + '/listen'): time.sleep(0.01)
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); time.sleep(600)
""", folder])
os._exit(0)`);
      await read('worker');
      await ends;
      const found = watch({ launchFolder: folder, log });
      await until(() => alive(found.last())?.doubt === 'silent', 'it is doubted');
      writeFileSync(join(folder, 'listen'), '');
      await until(() => alive(found.last())?.doubt === undefined, 'it is believed');
      expect(found.facts().every(({ status }) => status === 'alive')).toBe(true);
    });

    it('is gone though somebody else writes to its log', async () => {
      const { child, folder, log, ends } = launch('stay()');
      await until(() => exists(log), 'the log is there');
      const found = watch({ launchFolder: folder, log });
      await until(() => alive(found.last()) !== null, 'it is found');
      start(`exec sleep 600 >>'${log}'`);
      process.kill(child.pid ?? 0, 'SIGKILL');
      await ends;
      await until(() => found.last()?.status === 'gone', 'it is gone');
    });
  });
});

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const exists = (path: string): boolean => {
  try {
    return readFileSync(path) !== null;
  } catch {
    return false;
  }
};
