import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLinkProxy } from '../support/link-proxy.js';
import { startedBy } from '../support/processes.js';
import { firedup } from '../support/program.js';
import { startSshd } from '../support/sshd.js';
import { until } from '../support/until.js';
import { type Fault, inflict, randomFrom } from './faults.js';

export interface Cuts {
  readonly seed: number;
  readonly kinds: readonly Kind[];
  /** What is done to the link, one after the other; each time every program loses its connection. */
  readonly faults: readonly Exclude<Fault, 'throttle' | 'delay'>[];
  /** How the programs end: on their own, or killed while nothing of that can reach the host. */
  readonly end: 'interrupt' | 'kill in a black hole';
  /** How long after the end nothing of ours may be left on the host (ms). */
  readonly leftAfterMs: number;
}

export interface CutsResult {
  /** Connections that were cut. */
  readonly cut: number;
  /** The most processes of ours on one host at any time: what one connection has, and not a pile. */
  readonly most: number;
  /** Command lines of processes of ours that are left on the hosts. */
  readonly left: readonly string[];
  readonly leftAfterSeconds: number;
  readonly seconds: number;
}

/** A server as it is, and how it is reached: a program with log, process, telemetry and health watches by it. */
export interface Kind {
  readonly sessions: number;
  readonly transport: 'ssh2' | 'ssh';
}

/** Cuts the connections of whole programs again and again, and looks for what is left of them on the host. */
export async function cutPrograms(options: Cuts): Promise<CutsResult> {
  const began = performance.now();
  const random = randomFrom(options.seed);
  const undo: (() => Promise<unknown> | unknown)[] = [];
  try {
    const folder = mkdtempSync(join(tmpdir(), 'firedup-cuts-'));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    const log = join(folder, 'server.log');
    const { server, port } = await serve(log);
    undo.push(() => server.kill('SIGKILL'));

    const watching = await Promise.all(
      options.kinds.map(async ({ sessions, transport }) => {
        const sshd = await startSshd({ config: [`MaxSessions ${sessions}`, 'MaxStartups 100'] });
        undo.push(() => sshd.stop());
        const proxy = await startLinkProxy(sshd.port);
        undo.push(() => proxy.stop());
        const config = sshd.configBehind(proxy);
        const words = ['--transport', transport, '--log', log, '--port', port, '--timeout', '1h'];
        const program = firedup(['wait', 'box', '-F', config, ...words]);
        undo.push(() => program.signal('SIGKILL'));
        await program.waitFor(/is alive/);
        return { proxy, program, ours: () => startedBy(sshd) };
      }),
    );
    const againOf = ({ program }: (typeof watching)[number]) =>
      program.lines.filter(({ text }) => /connected again/.test(text)).length;

    let cut = 0;
    let most = 0;
    for (const fault of options.faults) {
      await pause(random() * 1500);
      most = Math.max(most, ...watching.map(({ ours }) => ours().length));
      const before = watching.map((one) => ({ again: againOf(one), connections: one.proxy.connections }));
      for (const { proxy } of watching) inflict(proxy, fault, random);
      cut += watching.length;
      if (fault === 'refuse') await pause(500 + random() * 1500);
      if (fault === 'blackhole') {
        // Each has given up the old connection and begun a new one.
        const isNoticed = () =>
          watching.every(({ proxy }, index) => proxy.connections > (before[index]?.connections ?? 0));
        await until(isNoticed, 'every program has noticed it', 60_000);
      }
      for (const { proxy } of watching) {
        proxy.restore();
        proxy.refuse(false);
      }
      // Now and then the next one hits the login.
      const isHasty = random() < 0.15;
      await until(
        () =>
          watching.every((one, index) =>
            isHasty
              ? one.proxy.connections > (before[index]?.connections ?? 0)
              : againOf(one) > (before[index]?.again ?? 0),
          ),
        `every program is connected again after ${fault}`,
        90_000,
      );
    }

    const interrupt = options.end === 'interrupt';
    if (!interrupt) for (const { proxy } of watching) proxy.blackhole();
    for (const { program } of watching) program.signal(interrupt ? 'SIGINT' : 'SIGKILL');
    await Promise.all(watching.map(({ program }) => program.ended()));
    const ended = performance.now();
    const left = () => watching.flatMap(({ ours }) => ours());
    await until(() => left().length === 0, 'nothing is left', options.leftAfterMs).catch(() => {});
    return {
      cut,
      most,
      left: left(),
      leftAfterSeconds: (performance.now() - ended) / 1000,
      seconds: (performance.now() - began) / 1000,
    };
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** A server that comes up for ever: it holds the log open, writes to it and answers 503. */
async function serve(log: string): Promise<{ readonly server: ChildProcess; readonly port: string }> {
  const program = `
    const file = require('node:fs').openSync(process.argv[1], 'a');
    const say = (text) => require('node:fs').writeSync(file, text + '\\n');
    say("[2026-03-01 12:00:00] server_args=ServerArgs(model_path='/models/demo', tp_size=1, port=30000)");
    say('[2026-03-01 12:00:02 TP0] Load weight begin. avail mem=140.00 GB');
    setInterval(() => say('still at it'), 100);
    require('node:http').createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1', function () {
      console.log(this.address().port);
    });`;
  const server = spawn(process.execPath, ['-e', program, log], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [port] = await once(server.stdout, 'data');
  return { server, port: String(port).trim() };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
