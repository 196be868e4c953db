import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchSpec } from '../../../src/core/launch-spec.js';
import { readAttempt } from '../../../src/runtime/actions/attempts.js';
import { endServer, leftText } from '../../../src/runtime/actions/end-server.js';
import { killTargetOf } from '../../../src/runtime/actions/kill-target.js';
import { launchCommand } from '../../../src/runtime/actions/launch.js';
import { nearText, previewKill } from '../../../src/runtime/actions/preview-kill.js';
import { shells } from '../../remote/shells.js';
import {
  becomes,
  content,
  isAlive,
  python,
  startTicksOf,
  targetOf,
  type Workbench,
  workbench,
} from './support/workbench.js';

let bench: Workbench;

async function launch(text: string, ...args: readonly string[]) {
  const program = bench.write('server.py', `import os, socket, sys, time\n${text}`);
  const spec = launchSpec({ command: [python, program, ...args], cwd: bench.folder });
  const attempt = await launchCommand(bench.host, { name: 'default', spec });
  bench.adopt(attempt.pid);
  return attempt;
}

const launched = async () => killTargetOf(await readAttempt(bench.host, 'default', 'latest'));

function bystander(command: readonly string[], cwd = '/'): ChildProcess & { readonly pid: number } {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { detached: true, stdio: 'ignore', cwd });
  bench.adopt(child.pid ?? 0);
  return Object.assign(child, { pid: child.pid ?? 0 });
}

/** An nvidia-smi that prints two files: who holds memory, and what is in use. */
function gpus(apps: readonly string[], used: readonly string[]): void {
  writeFileSync(bench.path('apps'), apps.map((line) => `${line}\n`).join(''));
  writeFileSync(bench.path('used'), used.map((line) => `${line}\n`).join(''));
  const script = `#!/bin/sh\ncase $1 in --query-gpu*) cat '${bench.path('used')}' ;; *) cat '${bench.path('apps')}' ;; esac\n`;
  mkdirSync(bench.path('tools'), { recursive: true });
  writeFileSync(bench.path('tools/nvidia-smi'), script);
  chmodSync(bench.path('tools/nvidia-smi'), 0o755);
  if (!process.env.PATH?.startsWith(bench.path('tools'))) {
    process.env.PATH = `${bench.path('tools')}:${process.env.PATH}`;
  }
}

describe.each(shells)('what is near a server, where sh is $name', ({ command: shell }) => {
  beforeEach(() => {
    bench = workbench({ shell });
  });
  afterEach(() => bench.close());

  it('is told with the reason, and never signalled by itself; one of it is ended alone when asked for', async () => {
    const attempt = await launch('time.sleep(300)');
    const writer = bystander([
      'sh',
      '-c',
      'sleep 301 & echo $! >"$2"; exec sleep 300 >>"$1"',
      'sh',
      attempt.log,
      bench.path('child'),
    ]);
    const child = Number(await content(bench.path('child')));
    bench.adopt(child);
    await becomes(writer.pid, 'sleep');
    const twin = bystander([python, bench.path('server.py')]);
    const neighbour = bystander(['sleep', '302'], bench.folder);
    const reader = bystander(['tail', '-f', attempt.log]);
    gpus(
      [`${attempt.pid}, GPU-0, 5000`, `${twin.pid}, GPU-0, 600`, `${reader.pid}, GPU-1, 700`],
      ['GPU-0, 5600', 'GPU-1, 700'],
    );
    const target = await launched();
    const preview = await previewKill(bench.host, target);
    expect(preview.processes.map(({ pid }) => pid)).toEqual([attempt.pid]);
    const near = new Map(preview.near.map((process) => [process.pid, nearText(process)]));
    expect([writer, twin, neighbour, reader].map(({ pid }) => near.get(pid))).toEqual([
      'also writes the log',
      'has the same command line, uses the same GPU (600 MiB)',
      'works in the same folder',
      undefined,
    ]);

    gpus([`${twin.pid}, GPU-0, 600`], ['GPU-0, 600', 'GPU-1, 700']);
    const also = preview.near.filter(({ pid }) => pid === writer.pid);
    const result = await endServer(bench.host, { ...target, also }, { graceMs: 500 });
    expect(leftText(result)).toBeNull();
    expect([attempt, writer, twin, neighbour, reader].map(({ pid }) => isAlive(pid))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    // Alone: not what it has started.
    expect(isAlive(child)).toBe(true);
  });

  it('is not ended under a pid that has become another process', async () => {
    const attempt = await launch('time.sleep(300)');
    const other = bystander(['sleep', '300']);
    const also = [{ pid: other.pid, startTicks: String(Number(startTicksOf(other.pid)) + 1) }];
    await endServer(bench.host, { ...(await launched()), also }, { graceMs: 500 });
    expect([attempt.pid, other.pid].map(isAlive)).toEqual([false, true]);
  });

  it('is the port too: who still listens on it is told', async () => {
    // Who inherits the socket and cuts every tie to the server, as a careless helper does.
    const attempt = await launch(
      `s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); s.set_inheritable(True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2): os.dup2(null, fd)
        env = {name: value for name, value in os.environ.items() if name != 'FIREDUP_ATTEMPT'}
        open(sys.argv[1] + '.pid.new', 'w').write(str(os.getpid())); os.rename(sys.argv[1] + '.pid.new', sys.argv[1] + '.pid')
        os.execve('/bin/sleep', ['sleep', '300'], env)
    os._exit(0)
os.wait()
while not (os.path.exists(sys.argv[1] + '.pid') and open('/proc/' + open(sys.argv[1] + '.pid').read() + '/comm').read() == 'sleep\\n'): time.sleep(0.01)
open(sys.argv[1] + '.new', 'w').write(str(s.getsockname()[1])); os.rename(sys.argv[1] + '.new', sys.argv[1])
time.sleep(300)`,
      bench.path('port'),
    );
    const port = Number(await content(bench.path('port')));
    const holder = Number(await content(bench.path('port.pid')));
    bench.adopt(holder);
    const result = await endServer(bench.host, targetOf(attempt.pid), { graceMs: 500 });
    expect(result).toMatchObject({
      outcome: 'gone',
      heldPorts: [{ port, holder: { pid: holder, command: 'sleep 300', foreign: false } }],
    });
    expect(leftText(result)).toContain(`port ${port} by ${holder} (`);
    expect([attempt.pid, holder].map(isAlive)).toEqual([false, true]);
  });
});

describe('the GPUs after a kill', () => {
  beforeEach(() => {
    bench = workbench();
  });
  afterEach(() => bench.close());
  const end = async () => endServer(bench.host, await launched(), { graceMs: 500, gpuLimitMs: 50 });

  it('are as they were before the launch, whatever others hold meanwhile', async () => {
    const stranger = bystander(['sleep', '300']);
    gpus([`${stranger.pid}, GPU-0, 1000`], ['GPU-0, 1100', 'GPU-1, 4']);
    const attempt = await launch('time.sleep(300)');
    expect(readFileSync(`${attempt.folder}/gpus`, 'utf8')).toBe('GPU-0, 1100\nGPU-1, 4\n');
    // It has grown, by itself; and the driver keeps a little.
    gpus([`${stranger.pid}, GPU-0, 9000`], ['GPU-0, 9200', 'GPU-1, 60']);
    const result = await end();
    expect(result.release).toEqual({ outcome: 'free' });
    expect(isAlive(stranger.pid)).toBe(true);
  });

  it('are not where memory stays that no process accounts for', async () => {
    gpus([], ['GPU-0, 4', 'GPU-1, 4']);
    await launch('time.sleep(300)');
    gpus([], ['GPU-0, 70004', 'GPU-1, 4']);
    const result = await end();
    expect(result.release).toMatchObject({ outcome: 'held', unexplained: [{ gpu: 'GPU-0', memMiB: 70000 }] });
    expect(leftText(result)).toContain('70000 MiB on GPU-0');
  });

  it('are not where a process holds memory that may have been a part of the server', async () => {
    gpus([], ['GPU-0, 4']);
    const attempt = await launch(
      `if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2): os.dup2(null, fd)
        open(sys.argv[1] + '.new', 'w').write(str(os.getpid())); os.rename(sys.argv[1] + '.new', sys.argv[1])
        os.execve('/bin/sleep', ['sleep', '300'], {})
    os._exit(0)
os.wait()
time.sleep(300)`,
      bench.path('pid'),
    );
    const escaped = Number(await content(bench.path('pid')));
    bench.adopt(escaped);
    gpus([`${escaped}, GPU-0, 3000`], ['GPU-0, 3004']);
    const result = await endServer(bench.host, targetFor(attempt.pid, new Map([['GPU-0', 4]])), {
      graceMs: 500,
      gpuLimitMs: 50,
    });
    expect(result.release).toMatchObject({ outcome: 'held', holders: [{ pid: escaped, memMiB: 3000 }] });
    expect(leftText(result)).toMatch(new RegExp(`pid ${escaped} \\(\\w+, 3000 MiB\\) sleep 300`));
    expect(isAlive(escaped)).toBe(true);
  });
});

const targetFor = (pid: number, gpusBefore: ReadonlyMap<string, number>) => ({
  ...targetOf(pid),
  gpusBefore,
});
