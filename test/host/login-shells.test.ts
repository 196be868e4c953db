import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import type { Host } from '../../src/host/host.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { scriptCommand } from '../../src/remote/script.js';
import { available, pathOf, type Tool } from '../support/available.js';
import { type Sshd, startSshd } from '../support/sshd.js';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A box whose login shell is `shell`: sshd's own start of the command is replaced by one through it. */
async function boxWith(shell: string, ...config: readonly string[]): Promise<{ sshd: Sshd; host: Host }> {
  const force = `ForceCommand exec env SHELL=${shell} ${shell} -c "$SSH_ORIGINAL_COMMAND"`;
  const sshd = await startSshd({ config: [...config, force] });
  undo.push(() => sshd.stop());
  const host = await connectHost({ label: sshd.label, configFile: sshd.sshConfig() }, { prompts: noPrompts });
  undo.push(() => host.close());
  return { sshd, host };
}

const rcFiles: Readonly<Record<string, string>> = {
  bash: '.bashrc',
  zsh: '.zshenv',
  fish: '.config/fish/config.fish',
  tcsh: '.tcshrc',
};

/** Each shell starts our script of a single session as it starts any other: not all pairs tell something new. */
const sessionsFor = { bash: [10, 1], dash: [1], zsh: [10], fish: [1], tcsh: [10] } as const;

describe.each(['bash', 'dash', 'zsh', 'fish', 'tcsh'] as const)('a login shell %s', (name) => {
  describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen', name))(
    'with an rc file that talks and is slow',
    () => {
      it.each(sessionsFor[name])('runs our commands with MaxSessions %i', async (count) => {
        const { sshd, host } = await boxWith(pathOf(name) ?? name, `MaxSessions ${count}`);
        const rc = rcFiles[name];
        if (rc !== undefined) {
          mkdirSync(dirname(join(sshd.home, rc)), { recursive: true });
          writeFileSync(join(sshd.home, rc), 'echo welcome to the box\nsleep 2\n');
        }
        const hostile = `it's "a" $(touch ${sshd.home}/evil) \\ !! \n ä`;
        const long = await host.exec("exec sh -c 'cat; exit 4'");
        const script = scriptCommand('facts', []);
        const [facts, quoted] = await Promise.all([
          run(host, script),
          run(host, "exec sh -c 'cat; echo err >&2; exit 3'", { stdin: hostile }),
        ]);
        expect(facts.stdout).toMatch(/^firedup-facts\nos=Linux$/m);
        expect(quoted).toMatchObject({ code: 3 });
        expect(quoted.stdout.endsWith(hostile)).toBe(true);
        if (rc !== undefined) expect(quoted.stdout).toContain('welcome to the box');
        expect(quoted.stderr).toContain('err\n');
        const heard = text(long.stdout);
        long.stderr.resume();
        long.stdin.end('still here');
        expect(await heard).toMatch(/still here$/);
        expect(await long.exited).toMatchObject({ code: 4 });
        expect(existsSync(join(sshd.home, 'evil'))).toBe(false);
      });
    },
  );
});

describe.each(['dash', 'bash', 'busybox'] as const)('an sh that is %s', (name: Tool) => {
  describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'bash', name))('over one session', () => {
    it.each(['with', 'without'])('carries binary output, stdin and signals %s base64', async (how) => {
      const { sshd, host } = await boxWith('/bin/bash', 'MaxSessions 1', 'SetEnv PATH=%d/bin');
      const bin = join(sshd.folder, 'bin');
      mkdirSync(bin);
      if (name === 'busybox') {
        for (const applet of [
          'sh',
          'dd',
          'od',
          'tr',
          'fold',
          'mkfifo',
          'mkdir',
          'rm',
          'rmdir',
          'sleep',
          'cat',
          'env',
          'seq',
          'head',
          'grep',
          'base64',
        ])
          symlinkSync(pathOf('busybox') ?? '', join(bin, applet));
      } else {
        for (const program of readdirSync('/usr/bin')) {
          if (program !== 'sh') symlinkSync(`/usr/bin/${program}`, join(bin, program));
        }
        symlinkSync(pathOf(name) ?? '', join(bin, 'sh'));
      }
      if (how === 'without') {
        const { unlinkSync } = await import('node:fs');
        unlinkSync(join(bin, 'base64'));
      }
      const long = await host.exec('cat');
      const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
      const piece = bytes.subarray(0, 5000);
      const echo = await host.exec('cat');
      const chunks: Buffer[] = [];
      echo.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      echo.stderr.resume();
      echo.stdin.end(piece);
      expect(await echo.exited).toEqual({ code: 0, signal: null, lost: false });
      expect(Buffer.concat(chunks).equals(piece)).toBe(true);
      expect((await run(host, 'seq 1 20000')).stdout.split('\n')).toHaveLength(20_001);
      // What is started through the multiplexer must be as easy to end as anything else.
      expect((await run(host, 'grep SigIgn: /proc/self/status')).stdout).toMatch(/0000000000000000/);
      expect((await run(host, 'exit 9')).code).toBe(9);
      const heard = text(long.stdout);
      long.stderr.resume();
      long.stdin.end('end');
      expect(await heard).toBe('end');
    });
  });
});
