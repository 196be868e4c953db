import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { muxCommand, muxScript } from '../../src/host/ssh/mux/script.js';
import { available } from '../support/available.js';
import { startLinkProxy } from '../support/link-proxy.js';
import { environmentOf, pids } from '../support/processes.js';
import { startSshd } from '../support/sshd.js';
import { until } from '../support/until.js';

describe('the multiplexer on the host', () => {
  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  it.skipIf(!available('shellcheck'))('is clean POSIX sh', () => {
    // SC2154: its nonce is set by the line before it. SC2059: the formats are its own.
    execFileSync('shellcheck', ['-s', 'sh', '-e', 'SC2154,SC2059', '-'], { input: muxScript });
  });

  /** Processes whose environment holds `mark`, and so all that a session of ours has started. */
  const marked = (mark: string): readonly number[] =>
    pids().filter((pid) => environmentOf(pid).includes(mark));

  it.skipIf(!available('procfs'))('ends with everything of its own when its stdin does', async () => {
    const mark = `FIREDUP_TEST=${process.pid}-${randomUUID()}`;
    const [name = '', value = ''] = mark.split('=');
    const { command, input } = muxCommand('abcdef0123456789');
    const child = spawn('/bin/sh', ['-c', command], {
      env: { ...process.env, [name]: value },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.write(input);
    const [hello] = await once(child.stdout.setEncoding('utf8'), 'data');
    expect(hello).toMatch(/^\n#abcdef0123456789 mux=(base64|hex)\n/);
    child.stdin.write('r 1 1 cat\n');
    child.stdin.end();
    child.stdout.resume();
    await once(child, 'exit');
    await until(() => marked(mark).length === 0, 'nothing is left');
  });

  it.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'procfs')).each(['cut', 'reset', 'blackhole'] as const)(
    'leaves no process and no folder behind after a %s',
    async (how) => {
      const mark = `FIREDUP_TEST=${process.pid}-${randomUUID()}`;
      const sshd = await startSshd({ config: ['MaxSessions 1', `SetEnv ${mark} XDG_RUNTIME_DIR=%d/run`] });
      undo.push(() => sshd.stop());
      const runtime = join(sshd.folder, 'run');
      mkdirSync(runtime);
      const proxy = await startLinkProxy(sshd.port);
      undo.push(() => proxy.stop());
      const configFile = sshd.configBehind(proxy);
      const host = await connectHost({ label: 'box', configFile }, { prompts: noPrompts });
      undo.push(() => host.close());
      await Promise.all(Array.from({ length: 3 }, () => host.exec('cat')));
      await run(host, 'true');
      await until(() => marked(mark).length > 10, 'all of it runs');
      expect(readdirSync(runtime)).toHaveLength(1);
      proxy[how]();
      await until(() => marked(mark).length === 0, 'nothing is left');
      expect(readdirSync(runtime)).toEqual([]);
    },
  );
});
