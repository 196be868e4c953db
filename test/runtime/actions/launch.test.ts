import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LaunchSpec, launchSpec } from '../../../src/core/launch-spec.js';
import {
  currentAttempt,
  listAttempts,
  listNames,
  readAttempt,
} from '../../../src/runtime/actions/attempts.js';
import { killTree } from '../../../src/runtime/actions/kill.js';
import { killTargetOf } from '../../../src/runtime/actions/kill-target.js';
import { launchCommand } from '../../../src/runtime/actions/launch.js';
import { shells } from '../../remote/shells.js';
import { commandLineOf, pids } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { isAlive, python, startTicksOf, type Workbench, workbench } from './support/workbench.js';

let bench: Workbench;

async function launch(spec: Partial<LaunchSpec> & Pick<LaunchSpec, 'command'>, name = 'default') {
  const attempt = await launchCommand(bench.host, { name, spec: launchSpec({ cwd: bench.folder, ...spec }) });
  bench.adopt(attempt.pid);
  return attempt;
}

/** Waits until the supervisor has recorded the end. */
async function ended(number: number, name = 'default') {
  await until(() => existsSync(bench.path(`state/firedup/${name}/${number}/exit`)), 'the end to be recorded');
  return (await readAttempt(bench.host, name, number)).life;
}

const sleeper = [python, '-c', 'import time; time.sleep(300)'];

describe.each(shells)('a launch, where sh is $name', ({ command: shell }) => {
  beforeEach(() => {
    bench = workbench({ shell });
  });
  afterEach(() => bench.close());

  it('runs the argv without a shell, and tells the pid of the command itself, leader of its own session', async () => {
    const attempt = await launch({ command: [...sleeper, '$(touch no)', "it's"] });
    expect(attempt).toMatchObject({ number: 1, name: 'default', startTicks: startTicksOf(attempt.pid) });
    const words = await until(() => {
      const line = readFileSync(`/proc/${attempt.pid}/cmdline`, 'utf8').split('\0');
      return line.includes('$(touch no)') && line;
    }, 'the command');
    expect(words.slice(-3)).toEqual(['$(touch no)', "it's", '']);
    const stat = readFileSync(`/proc/${attempt.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    expect([Number(stat[2]), Number(stat[3])]).toEqual([attempt.pid, attempt.pid]);
    expect(Math.abs(attempt.startedAt - Date.now())).toBeLessThan(20_000);
    expect((await readAttempt(bench.host, 'default', 1)).life).toEqual({ kind: 'running' });
  });

  it('writes stdout and stderr into one log in the folder of the attempt, which nobody else may enter', async () => {
    const attempt = await launch({ command: ['sh', '-c', 'echo out; echo err >&2'] });
    await ended(1);
    expect(readFileSync(attempt.log, 'utf8')).toBe('out\nerr\n');
    expect(attempt.log).toBe(`${attempt.folder}/log`);
    expect(attempt.folder).toBe(bench.path('state/firedup/default/1'));
    expect(statSync(attempt.folder).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(attempt.folder))
      expect(modeOf(`${attempt.folder}/${file}`) & 0o077).toBe(0);
  });

  it('gives the command default signals, no open files of ours, and only the environment and umask that were there', async () => {
    process.env.LC_ALL = 'C.UTF-8';
    const mask = process.umask(0o027);
    const report = `import os, signal, json
fds = {}
for fd in os.listdir('/proc/self/fd'):
    try: fds[fd] = os.readlink('/proc/self/fd/' + fd)
    except OSError: pass
ignored = [s.name for s in signal.Signals if signal.getsignal(s) == signal.SIG_IGN]
print(json.dumps({'fds': fds, 'ignored': ignored, 'locale': os.environ.get('LC_ALL'), 'umask': os.umask(0)}))`;
    try {
      const attempt = await launch({ command: [python, '-c', report] });
      await ended(1);
      const { fds, ignored, locale, umask } = JSON.parse(readFileSync(attempt.log, 'utf8'));
      // Less what this process itself passes on to whatever it starts.
      const inherited = JSON.parse(execFileSync(python, ['-c', report], { encoding: 'utf8' })).fds;
      for (const fd of Object.keys(inherited).filter((fd) => Number(fd) > 2)) delete fds[fd];
      expect(fds).toEqual({ 0: '/dev/null', 1: attempt.log, 2: attempt.log });
      // Python itself ignores these two.
      expect(ignored).toEqual(['SIGPIPE', 'SIGXFSZ']);
      expect(locale).toBe('C.UTF-8');
      expect(umask).toBe(0o027);
      // A log of the user's own is as readable as if they had written it; what is ours is for its owner alone.
      const log = bench.path('logs of all/server.log');
      const shared = await launch({ command: ['sh', '-c', 'true'], log }, 'shared');
      expect(shared.log).toBe(log);
      expect(statSync(log).mode & 0o777).toBe(0o640);
      expect(statSync(bench.path('logs of all')).mode & 0o777).toBe(0o750);
      await ended(1, 'shared');
      for (const file of readdirSync(shared.folder))
        expect(modeOf(`${shared.folder}/${file}`) & 0o077).toBe(0);
    } finally {
      process.umask(mask);
      delete process.env.LC_ALL;
    }
  });

  it.each([
    ['0', 'raise SystemExit(0)', { code: 0, signal: null }],
    ['1', 'raise SystemExit(1)', { code: 1, signal: null }],
    ['3', 'raise SystemExit(3)', { code: 3, signal: null }],
    ['SIGKILL', 'import os; os.kill(os.getpid(), 9)', { code: null, signal: 'SIGKILL' }],
    ['SIGSEGV', 'import os; os.kill(os.getpid(), 11)', { code: null, signal: 'SIGSEGV' }],
    ['SIGTERM', 'import os; os.kill(os.getpid(), 15)', { code: null, signal: 'SIGTERM' }],
    // As a shell or `docker run` tells of a child that was killed: the status is the same, the end is not.
    ['137', 'raise SystemExit(137)', { code: 137, signal: null, relayed: 'SIGKILL' }],
    ['143', 'raise SystemExit(143)', { code: 143, signal: null, relayed: 'SIGTERM' }],
  ])('records the end: %s', async (_name, program, exit) => {
    const attempt = await launch({ command: [python, '-c', program] });
    const life = await ended(1);
    expect(life).toMatchObject({ kind: 'ended', exit });
    expect(Math.abs((life.kind === 'ended' ? (life.exit.at ?? 0) : 0) - Date.now())).toBeLessThan(20_000);
    // No word of the shell about it in the log.
    expect(readFileSync(attempt.log, 'utf8')).toBe('');
  });

  it('records a command that is not there, or may not be run, as an attempt that ended', async () => {
    await launch({ command: ['no-such-command', 'x'] });
    expect(await ended(1)).toMatchObject({ kind: 'ended', exit: { code: 127, signal: null } });
    expect(readFileSync(bench.path('state/firedup/default/1/log'), 'utf8')).toContain('no-such-command');
    bench.write('plain', 'not a program');
    await launch({ command: [bench.path('plain'), 'x'] });
    expect(await ended(2)).toMatchObject({ kind: 'ended', exit: { code: 126, signal: null } });
  });

  it('runs one word, or what is marked as a line, through bash', async () => {
    const attempt = await launch({
      command: ['[[ a == a ]] && echo "$0 $(shopt -q login_shell && echo login)"; exit 7'],
    });
    expect(await ended(1)).toMatchObject({ exit: { code: 7 } });
    expect(readFileSync(attempt.log, 'utf8')).toContain('bash login\n');
    const second = await launch({ command: ['echo', '$((1 + 1))'], shell: true });
    await ended(2);
    expect(readFileSync(second.log, 'utf8')).toContain('2\n');
  });

  it('hands over arguments, variables and folder byte by byte, whatever is in them', async () => {
    const bytes = Array.from({ length: 255 }, (_, index) => index + 1);
    // Bytes that are not UTF-8 travel as U+DC80…U+DCFF.
    const every = bytes.map((byte) => String.fromCharCode(byte < 128 ? byte : 0xdc00 + byte)).join('');
    const odd = 'a "b" \'c\' $(touch evaluated) `touch evaluated`\n\\n ünï 🚀 \t ';
    const folder = "with blank's and \n $(touch evaluated) ü";
    mkdirSync(bench.path(folder));
    const spec = launchSpec({
      command: [python, bench.write('report.py', reportBytes), bench.path('out'), every, odd, ''],
      env: { EVERY: every, ODD: odd, EMPTY: '', IFS: 'x', folder: 'mine', CDPATH: '/' },
      cwd: bench.path(folder),
      log: 'my log {attempt} $(touch evaluated)',
    });
    const attempt = await launchCommand(bench.host, { name: 'bytes', spec });
    await ended(1, 'bytes');
    expect(readFileSync(attempt.log, 'utf8')).toBe('');
    const out = JSON.parse(readFileSync(bench.path('out'), 'utf8'));
    const hex = (text: Uint8Array | string) => Buffer.from(text).toString('hex');
    expect(out.argv).toEqual([hex(Uint8Array.from(bytes)), hex(odd), '']);
    expect(out.env).toEqual({
      EVERY: hex(Uint8Array.from(bytes)),
      ODD: hex(odd),
      EMPTY: '',
      IFS: hex('x'),
      folder: hex('mine'),
      CDPATH: hex('/'),
    });
    expect(out.cwd).toBe(hex(bench.path(folder)));
    expect(attempt.log).toBe(`${bench.path(folder)}/my log 1 $(touch evaluated)`);
    expect(existsSync(bench.path('evaluated')) || existsSync(bench.path(`${folder}/evaluated`))).toBe(false);
    // And comes back for a relaunch.
    const record = await readAttempt(bench.host, 'bytes', 'latest');
    expect(record.spec).toEqual(spec);
    expect(record.attempt).toEqual(attempt);
  });

  it('can give a command nothing but the variables that are listed', async () => {
    process.env.FIREDUP_TEST_LEAK = 'leaked';
    try {
      const attempt = await launch({
        command: [python, '-c', 'import os; print(sorted(os.environ)); print(os.environ["A"])'],
        env: { A: 'x\ny', PATH: process.env.PATH ?? '' },
        cleanEnv: true,
      });
      await ended(1);
      const [names, ...rest] = readFileSync(attempt.log, 'utf8').split('\n');
      const expected = ['A', 'FIREDUP_ATTEMPT', 'PATH'];
      // Shells set these by themselves.
      const own = ['OLDPWD', 'PWD', 'SHLVL', '_', 'LC_CTYPE'];
      expect(
        JSON.parse((names ?? '').replaceAll("'", '"')).filter((name: string) => !own.includes(name)),
      ).toEqual(expected);
      expect(rest).toEqual(['x', 'y', '']);
    } finally {
      delete process.env.FIREDUP_TEST_LEAK;
    }
  });

  it('shows no value of the environment on any command line, and keeps none where it is for display', async () => {
    const secret = `hidden${Math.random().toString(36).slice(2)}`;
    const seen: string[] = [];
    const env = { HF_TOKEN: secret, PLAIN: `plain-${secret}` };
    const pending = launch({ command: ['sh', '-c', 'sleep 300', '--api-key', `key-${secret}`], env });
    let isDone = false;
    void pending.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      seen.push(...pids().map(commandLineOf));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const attempt = await pending;
    seen.push(...pids().map(commandLineOf));
    // The command's own words are on its command line, by its own wish; the variables are not.
    const lines = seen
      .join('\n')
      .split('\n')
      .filter((line) => line.includes(secret) && !line.includes(`key-${secret}`));
    expect(lines).toEqual([]);
    expect(attempt.command).toContain('--api-key ***');
    const shown = JSON.parse(readFileSync(`${attempt.folder}/shown.json`, 'utf8'));
    expect(shown).toMatchObject({
      env: { HF_TOKEN: '***', PLAIN: `plain-${secret}` },
      command: attempt.command,
    });
    const [record] = await listAttempts(bench.host, 'default');
    expect(record?.attempt.command).toBe(attempt.command);
    expect((await readAttempt(bench.host, 'default', 1)).spec.env).toEqual(env);
  });

  it('refuses a second start while one runs, and says since when', async () => {
    const first = await launch({ command: sleeper });
    const second = launch({ command: sleeper });
    await expect(second).rejects.toMatchObject({ code: 'already-running', exitCode: 2 });
    await expect(second).rejects.toThrow(`runs as pid ${first.pid}`);
    await expect(second).rejects.toThrow(new Date(first.startedAt).toISOString().slice(11, 19));
    await expect(second).rejects.toThrow(` by ${userInfo().username}.`);
    expect(await listAttempts(bench.host, 'default')).toHaveLength(1);
    // Another name is another server.
    expect((await launch({ command: sleeper }, 'other')).number).toBe(1);
    expect(await listNames(bench.host)).toEqual(['default', 'other']);
  });

  it('refuses a start while a launch that has ended has left its server behind', async () => {
    const left = [bench.path('daemon'), bench.path('child')];
    // A launcher that daemonises (double fork, setsid, own files), and a child in its own session; then it ends well.
    const launcher = `import os, sys, time
def stay(path):
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2): os.dup2(null, fd)
    open(path + '.new', 'w').write(str(os.getpid())); os.rename(path + '.new', path)
    time.sleep(300)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: stay(sys.argv[1])
    os._exit(0)
if os.fork() == 0: stay(sys.argv[2])
while not all(map(os.path.exists, sys.argv[1:])): time.sleep(0.01)`;
    const first = await launch({ command: [python, '-c', launcher, ...left] });
    await ended(1);
    const pids = left.map((path) => Number(readFileSync(path, 'utf8')));
    for (const pid of pids) bench.adopt(pid);
    const second = launch({ command: sleeper });
    await expect(second).rejects.toMatchObject({ code: 'already-running', exitCode: 2 });
    await expect(second).rejects.toThrow(/Attempt 1 of "default" has ended, but left processes behind/);
    for (const pid of pids) await expect(second).rejects.toThrow(String(pid));
    await expect(second).rejects.toThrow(new Date(first.startedAt).toISOString().slice(11, 19));
    expect(await listAttempts(bench.host, 'default')).toHaveLength(1);
    // What is left can be ended under its name, and then the way is free.
    const record = await readAttempt(bench.host, 'default', 'latest');
    expect((await killTree(bench.host, killTargetOf(record), { graceMs: 500 })).outcome).toBe('gone');
    expect(pids.some(isAlive)).toBe(false);
    expect((await launch({ command: sleeper })).number).toBe(2);
  });

  it('takes what the profile of the login shell starts for everybody for no part of the server', async () => {
    const agent = bench.path('agent');
    const daemon = `import os, sys, time
if os.fork() == 0:
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2): os.dup2(null, fd)
    open(sys.argv[1] + '.new', 'w').write(str(os.getpid())); os.rename(sys.argv[1] + '.new', sys.argv[1])
    time.sleep(300)`;
    const script = bench.write('agent.py', daemon);
    bench.write('.bash_profile', `[ -e '${agent}' ] || ${python} '${script}' '${agent}'\nprofile=loaded\n`);
    const marked = `test -n "$FIREDUP_ATTEMPT" && test -z "$FIREDUP_LAUNCH" && echo "$profile"`;
    const command = [`${marked}; exec ${python} -c 'import time; time.sleep(300)'`];
    const attempt = await launch({ command, env: { HOME: bench.folder } });
    const pid = Number(await until(() => existsSync(agent) && readFileSync(agent, 'utf8'), 'the agent'));
    bench.adopt(pid);
    await until(() => readFileSync(attempt.log, 'utf8') === 'loaded\n', 'the server');
    await until(() => readFileSync(`/proc/${attempt.pid}/cmdline`, 'utf8').startsWith(python), 'its program');
    const record = await readAttempt(bench.host, 'default', 1);
    expect((await killTree(bench.host, killTargetOf(record), { graceMs: 500 })).outcome).toBe('gone');
    expect([isAlive(attempt.pid), isAlive(pid)]).toEqual([false, true]);
    expect((await launch({ command, env: { HOME: bench.folder } })).number).toBe(2);
  });

  it('starts one of many that are asked for at once', async () => {
    const all = await Promise.allSettled(Array.from({ length: 6 }, () => launch({ command: sleeper })));
    const started = all.filter((result) => result.status === 'fulfilled');
    const codes = all.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(started).toHaveLength(1);
    expect(codes).toEqual(Array.from({ length: 5 }, () => 'already-running'));
    expect(
      (await listAttempts(bench.host, 'default')).filter(({ life }) => life.kind === 'running'),
    ).toHaveLength(1);
  });

  it('means the attempt that runs here where another host of the same home folder has started a later one', async () => {
    await launch({ command: sleeper });
    const other = bench.path('state/firedup/default/2');
    mkdirSync(other);
    writeFileSync(`${other}/id`, 'other-host');
    writeFileSync(`${other}/pid`, '1 1 00000000-0000-0000-0000-000000000000 1');
    const records = await listAttempts(bench.host, 'default');
    expect(records.map(({ life }) => life.kind)).toEqual(['running', 'unknown']);
    expect(currentAttempt(records)?.attempt.number).toBe(1);
    expect(currentAttempt(records.slice(1))?.attempt.number).toBe(2);
  });

  it('starts one server for one id, however often it is asked', async () => {
    const spec = launchSpec({ command: sleeper, cwd: bench.folder });
    const request = { name: 'default', spec, id: 'one-launch' };
    const [first, ...again] = [
      await launchCommand(bench.host, request),
      ...(await Promise.all([launchCommand(bench.host, request), launchCommand(bench.host, request)])),
    ];
    bench.adopt(first.pid);
    expect(again).toEqual([first, first]);
  });

  it('counts attempts, and gives each a log of its own', async () => {
    const command = ['sh', '-c', 'echo run'];
    const log = bench.path('logs/server.log');
    const logs: string[] = [];
    for (const number of [1, 2, 3]) {
      logs.push((await launch({ command, log })).log);
      await ended(number);
    }
    expect(logs).toEqual([log, `${log}.2`, `${log}.3`]);
    for (const path of logs) expect(readFileSync(path, 'utf8')).toBe('run\n');

    const numbered = await launch({ command, log: bench.path('n{attempt}-{attempt}.log') });
    expect(numbered.log).toBe(bench.path('n4-4.log'));
    await ended(4);
    // A second server with the same --log.
    const other = await launch({ command, log }, 'other');
    expect(other.log).toBe(`${log}.4`);
    await ended(1, 'other');
    const taken = await launch({ command, log: bench.path('n4-{attempt}.log') });
    expect(taken.log).toBe(bench.path('n4-5.log'));
    await ended(5);
  });

  it('adds to a log that is there already', async () => {
    const log = bench.write('server.log', 'before\n');
    await launch({ command: ['sh', '-c', 'echo run'], log });
    await ended(1);
    expect(readFileSync(log, 'utf8')).toBe('before\nrun\n');
  });

  it.each([
    ['a folder that is missing', { cwd: '/no/such folder' }, 'cwd-missing', '/no/such folder'],
    ['a log that is a folder', { log: '.' }, 'log-is-folder', 'is a folder'],
    ['a log that cannot be written', { log: '/proc/server.log' }, 'log-not-writable', '/proc/server.log'],
    ['a log where no folder can be made', { log: '/dev/null/x/log' }, 'log-not-writable', '/dev/null/x'],
  ])('refuses %s, and leaves nothing behind', async (_name, spec, code, text) => {
    const started = launch({ command: ['sh', '-c', 'echo no'], ...spec });
    await expect(started).rejects.toMatchObject({ code, exitCode: 2 });
    await expect(started).rejects.toThrow(text);
    expect(await listAttempts(bench.host, 'default')).toEqual([]);
  });

  it('takes no answer for no start', async () => {
    const host = { ...bench.host, exec: () => bench.host.exec("printf '\\n=firedup=\\n'; cat >/dev/null") };
    const spec = launchSpec({ command: ['sh', '-c', 'echo no'] });
    await expect(launchCommand(host, { name: 'default', spec })).rejects.toMatchObject({
      code: 'launch-unanswered',
      exitCode: 2,
    });
  });

  it('refuses what cannot be carried to a host', async () => {
    await expect(launch({ command: [] })).rejects.toMatchObject({ code: 'usage' });
    await expect(launch({ command: ['a\0b'] })).rejects.toMatchObject({ code: 'usage' });
    await expect(launch({ command: ['-x', 'y'] })).rejects.toMatchObject({ code: 'usage' });
    await expect(launch({ command: ['x'], env: { 'a-b': '' } })).rejects.toMatchObject({ code: 'usage' });
    await expect(launch({ command: ['x'] }, '../up')).rejects.toMatchObject({ code: 'usage' });
    await expect(launch({ command: ['x'] }, '.')).rejects.toMatchObject({ code: 'usage' });
  });

  it('does not know the end when the supervisor was killed', async () => {
    const attempt = await launch({ command: sleeper });
    const supervisor = Number(
      readFileSync(`/proc/${attempt.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1],
    );
    expect(readFileSync(`/proc/${supervisor}/cmdline`, 'utf8')).toContain('supervisor');
    process.kill(supervisor, 'SIGKILL');
    await until(() => !isAlive(supervisor), 'the supervisor to be gone');
    expect((await readAttempt(bench.host, 'default', 1)).life).toEqual({ kind: 'running' });
    process.kill(attempt.pid, 'SIGKILL');
    await until(() => !isAlive(attempt.pid), 'the command to be gone');
    expect((await readAttempt(bench.host, 'default', 1)).life).toEqual({
      kind: 'unknown',
      reason: 'its supervisor was killed',
    });
    expect((await launch({ command: sleeper })).number).toBe(2);
  });

  it('is supervised by a process that hangs on to nothing and takes no notice of HUP and TERM', async () => {
    const attempt = await launch({ command: sleeper });
    const stat = readFileSync(`/proc/${attempt.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const supervisor = Number(stat[1]);
    const said = `${attempt.folder}/said`;
    for (const [fd, to] of Object.entries({ 0: '/dev/null', 1: '/dev/null', 2: said }))
      await until(() => readlinkSync(`/proc/${supervisor}/fd/${fd}`) === to, `its ${fd} is ${to}`);
    process.kill(supervisor, 'SIGHUP');
    process.kill(supervisor, 'SIGTERM');
    process.kill(attempt.pid, 'SIGTERM');
    expect(await ended(1)).toMatchObject({ exit: { code: null, signal: 'SIGTERM' } });
  });

  it('is not disturbed by a start that died half way', async () => {
    mkdirSync(bench.path('state/firedup/default/1'), { recursive: true });
    const attempt = await launch({ command: sleeper });
    expect(attempt.number).toBe(2);
    const [first] = await listAttempts(bench.host, 'default');
    expect(first?.life).toEqual({ kind: 'unknown', reason: 'it never came up' });
  });
});

/** 0 of what has just gone: its supervisor tidies up after it has recorded the end. */
const modeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mode ?? 0;

describe('reading attempts', () => {
  beforeEach(() => {
    bench = workbench();
  });
  afterEach(() => bench.close());

  it('is empty where there was no launch', async () => {
    expect(await listNames(bench.host)).toEqual([]);
    expect(await listAttempts(bench.host, 'default')).toEqual([]);
    await expect(readAttempt(bench.host, 'default', 'latest')).rejects.toMatchObject({
      code: 'no-attempt',
      exitCode: 2,
    });
  });

  it('sorts by number', async () => {
    for (let number = 1; number <= 11; number++) {
      await launch({ command: ['true', 'x'] });
      await ended(number);
    }
    const attempts = await listAttempts(bench.host, 'default');
    expect(attempts.map(({ attempt }) => attempt.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect((await readAttempt(bench.host, 'default', 'latest')).attempt.number).toBe(11);
  });

  it('does not take a process of an earlier boot, or with the same pid, for the attempt', async () => {
    const attempt = await launch({ command: sleeper });
    const file = bench.path('state/firedup/default/1/pid');
    const [pid, ticks, boot, at] = readFileSync(file, 'utf8').trim().split(' ');
    bench.write('state/firedup/default/1/pid', `${pid} ${Number(ticks) - 1} ${boot} ${at}\n`);
    expect((await readAttempt(bench.host, 'default', 1)).life.kind).toBe('unknown');
    bench.write('state/firedup/default/1/pid', `${pid} ${ticks} 00000000-aaaa ${at}\n`);
    expect((await readAttempt(bench.host, 'default', 1)).life).toEqual({
      kind: 'unknown',
      reason: 'it ran before the last boot of this host, or on another one',
    });
    expect(isAlive(attempt.pid)).toBe(true);
  });
});

const reportBytes = `import json, os, sys
json.dump({
    'argv': [a.hex() for a in map(os.fsencode, sys.argv[2:])],
    'env': {k: os.environb[k.encode()].hex() for k in ('EVERY', 'ODD', 'EMPTY', 'IFS', 'folder', 'CDPATH')},
    'cwd': os.getcwdb().hex(),
}, open(sys.argv[1], 'w'))
`;
