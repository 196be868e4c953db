import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Event, LogEvent, LogFileChange } from '../../src/core/events.js';
import type { Channel, Host } from '../../src/host/host.js';
import { localHost } from '../../src/host/local.js';
import type { LogLine } from '../../src/ingest/line.js';
import { commandLineOf, endProcess, statOf as fieldsOf, pids } from '../support/processes.js';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});
/** Runs `step` after the test. */
export const later = (step: () => unknown): void => {
  undo.push(step);
};

export function tempFolder(name = 'firedup probe '): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  later(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Puts a program on the PATH that the host's commands get; `script` is POSIX sh. */
export function onPath(name: string, script: string): void {
  const folder = tempFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${folder}:${before}`;
  later(() => {
    process.env.PATH = before;
  });
}

/** A process of its own session, ended after the test with everything in it. */
export function start(command: string, env: NodeJS.ProcessEnv = process.env, uid?: number): ChildProcess {
  const child = spawn('bash', ['-c', command], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  later(() => endSession(child.pid ?? 0));
  return child;
}

/** Kills every process of the session that `leader` opened. */
export function endSession(leader: number): void {
  for (const pid of pidsOfSession(leader)) endProcess(pid);
}

/** Kills every process that has `folder` in one of its arguments, whatever session it has gone to. */
export function endProcessesOf(folder: string): void {
  for (const pid of pids().filter((each) => each !== process.pid)) {
    const words = commandLineOf(pid).split('\0');
    if (words.some((word) => word === folder || word.startsWith(`${folder}/`))) endProcess(pid);
  }
}

export const pidsOfSession = (leader: number): number[] =>
  pids().filter((pid) => statOf(pid)?.session === leader && statOf(pid)?.state !== 'Z');

export function statOf(
  pid: number,
): { state: string; parent: number; session: number; start: string } | null {
  const fields = fieldsOf(pid);
  if (fields === null) return null;
  const [state = '', parent, , session] = fields;
  return { state, parent: Number(parent), session: Number(session), start: fields[19] ?? '' };
}

/** A local host that remembers its channels, so that a test can cut them and look for what is left of them. */
export function cuttableHost(): { host: Host; channels: Channel[]; sessions: () => number[] } {
  const local = localHost();
  const channels: Channel[] = [];
  const leaders: number[] = [];
  const host: Host = {
    ...local,
    async exec(command, options) {
      const before = new Set(children());
      const channel = await local.exec(command, options);
      leaders.push(...children().filter((pid) => !before.has(pid)));
      channels.push(channel);
      return channel;
    },
  };
  later(() => local.close());
  return { host, channels, sessions: () => leaders.flatMap(pidsOfSession) };
}

function children(): number[] {
  const own = `/proc/${process.pid}/task`;
  return readdirSync(own).flatMap((task) =>
    readFileSync(`${own}/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}

/** What a probe has emitted, and questions to it. */
export function recorder() {
  const events: Event[] = [];
  const lines: LogLine[] = [];
  return {
    events,
    lines,
    emit(event: Event) {
      events.push(event);
      if (event.type === 'log-lines') for (const line of event.lines) lines.push(line);
    },
    changes: (): LogFileChange[] =>
      events.flatMap((event) => (event.type === 'log-file' ? [event.change] : [])),
    kinds: (): string[] => events.flatMap((event) => (event.type === 'log-file' ? [event.change.kind] : [])),
    texts: () => lines.map((line) => line.text),
    of: <T extends Event['type']>(type: T) =>
      events.filter((event): event is Extract<Event, { type: T }> => event.type === type),
  };
}

export type Recorder = ReturnType<typeof recorder>;
export type { LogEvent };

/** Starts `run` until the test ends or `stop` is called; a failure that nobody expects fails the test. */
export function running(run: (signal: AbortSignal) => Promise<void>): {
  stop: () => Promise<void>;
  done: Promise<void>;
} {
  const abort = new AbortController();
  const done = run(abort.signal);
  done.catch(() => {});
  const stop = async () => {
    abort.abort();
    await done.catch(() => {});
  };
  later(stop);
  return { stop, done };
}
