import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { type LinkProxy, startLinkProxy } from '../support/link-proxy.js';
import { firedup, type Program, stopPrograms } from '../support/program.js';
import { startSshd } from '../support/sshd.js';

const undo: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  await stopPrograms();
  for (const step of undo.splice(0).reverse()) await step();
});

/** A server that appends to `log` what it is told to. */
function serve(log: string) {
  const child: ChildProcess = spawn(
    'sh',
    ['-c', 'exec >>"$1"; while IFS= read -r line; do printf "%s\\n" "$line"; done', 'server', log],
    { stdio: ['pipe', 'ignore', 'ignore'] },
  );
  undo.push(() => child.kill('SIGKILL'));
  return {
    say: (...lines: readonly string[]) => void child.stdin?.write(`${lines.join('\n')}\n`),
    async end() {
      child.stdin?.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** uvicorn dates nothing: only when it came tells whose it is. */
const begun = 'INFO 03-01 12:00:00 [api_server.py:1] vLLM API server version 0.11.0';
const ready = 'INFO:     Application startup complete.';

// What happens while nobody listens must not be taken for what happens now. The way back is slow, so that the process
// is heard of long before the log.
describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'procfs'))('after an outage', () => {
  async function watching(sessions: number) {
    const sshd = await startSshd({ config: [`MaxSessions ${sessions}`] });
    undo.push(() => sshd.stop());
    const proxy = await startLinkProxy(sshd.port);
    undo.push(() => proxy.stop());
    const folder = mkdtempSync(join(tmpdir(), 'firedup-outage-'));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    const config = sshd.configBehind(proxy);
    const log = join(folder, 'server.log');
    const start = () =>
      firedup(['wait', 'box', '-F', config, '--log', log, '--engine', 'vllm', '--json', '--timeout', '90s']);
    return { proxy, log, start };
  }

  /** Ends the link; `meanwhile` happens; then it comes back, slowly. */
  async function outage(proxy: LinkProxy, program: Program, meanwhile: () => Promise<void>): Promise<void> {
    proxy.refuse(true);
    proxy.cut();
    await program.waitFor(/connection lost/);
    await meanwhile();
    proxy.throttle(40_000);
    proxy.refuse(false);
  }

  const outcomes = (program: Program): readonly string[] => [
    ...new Set(program.lines.flatMap(({ text }) => /"outcome":"(\w+)"/.exec(text)?.[1] ?? [])),
  ];

  it.each([1])(
    'a server that was ready and ended meanwhile has not crashed, over %i session(s)',
    async (sessions) => {
      const { proxy, log, start } = await watching(sessions);
      const server = serve(log);
      server.say(begun);
      const program = start();
      await program.waitFor(/is alive/);
      await outage(proxy, program, async () => {
        server.say(ready);
        await server.end();
      });
      expect([4, 6]).toContain(await program.ended());
      expect(outcomes(program)).not.toContain('crashed');
    },
  );

  it.each(['was rotated', 'was not there'] as const)(
    'the ready line of a run that is over is not that of the next, in a log that %s',
    async (what) => {
      const { proxy, log, start } = await watching(10);
      const first = what === 'was not there' ? null : serve(log);
      first?.say(begun);
      const program = start();
      await program.waitFor(first === null ? /not there yet/ : /is alive/);
      let next = first;
      await outage(proxy, program, async () => {
        if (what === 'was rotated') {
          await first?.end();
          renameSync(log, `${log}.1`);
        }
        const former = serve(log);
        former.say(begun, ready);
        await former.end();
        // The start of the next one must not look like that of the former.
        await new Promise((resolve) => setTimeout(resolve, 2500));
        next = serve(log);
      });
      await program.waitFor(/not known to be of this process/);
      expect(outcomes(program)).not.toContain('ready');
      next?.say(begun, ready);
      expect(await program.ended()).toBe(0);
    },
  );
});
