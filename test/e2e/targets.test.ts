import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { commandLineOf, pids } from '../support/processes.js';
import { firedup, type Program, stopPrograms } from '../support/program.js';
import { type Sshd, startSshd } from '../support/sshd.js';

const serverScript = fileURLToPath(new URL('../fixtures/server.mjs', import.meta.url));
const secret = 'a-token-that-nobody-may-see';

describe.skipIf(!available('sshd', 'ssh', 'procfs'))('targets of the config, on a real OpenSSH host', () => {
  let sshd: Sshd;
  let folder: string;
  let config: string;

  beforeAll(async () => {
    sshd = await startSshd();
    folder = mkdtempSync(join(tmpdir(), 'firedup-targets-'));
    writeFileSync(
      join(folder, 'patch.sh'),
      `#!/bin/sh\necho "$TIER from $0" >"$HOME/patched"; pwd >>"$HOME/patched"\n`,
    );
    writeFileSync(join(folder, 'file-token'), 'from-a-file\n');
    config = join(folder, 'firedup.yaml');
    writeFileSync(
      config,
      `
defaults:
  ssh: { config: ${sshd.sshConfig('Host box', '  HostName 127.0.0.1')} }
  grace: 5s
targets:
  big:
    host: box
    command: [${process.execPath}, ${serverScript}, --workers, 2]
    cwd: ~/
    env:
      TIER: high
      HF_TOKEN: { from-env: MY_TOKEN }
      OTHER_TOKEN: { file: file-token }
    before: ['echo before it', { script: patch.sh }]
  # An ssh alias of the same name leads elsewhere; this wins.
  unreachable: { host: box, log: ${join(folder, 'other.log')} }
  theirs: { host: box, command: serve, log: ${join(folder, 'theirs.log')} }
  shell:
    host: box
    command: exec '${process.execPath}' '${serverScript}' --hold
    log: shell-{attempt}.log
`,
    );
  });

  afterAll(async () => {
    await stopPrograms();
    await sshd?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const on = (
    args: readonly string[],
    env: Readonly<Record<string, string>> = { MY_TOKEN: secret },
  ): Program => firedup([args[0] ?? '', args[1] ?? '', '--config', config, ...args.slice(2)], { env });
  const textOf = (program: Program): string => program.lines.map(({ text }) => text).join('\n');

  it('launches by name, waits, shows the way back by name, relaunches with its steps, and kills', async () => {
    const launched = on(['launch', 'big', '--detach']);
    expect(await launched.ended()).toBe(0);
    expect(textOf(launched)).toMatch(/Attempt 1 of big runs as pid \d+/);
    expect(textOf(launched)).toContain(`Watch it with: firedup watch big --config ${config}\n`.trim());
    expect(launched.stderr()).toMatch(/before it/);
    const patched = readFileSync(join(sshd.home, 'patched'), 'utf8').split('\n');
    expect(patched[0]).toMatch(/^high from \/\S+$/);
    expect(patched[1]).toBe(sshd.home);

    const waited = on(['wait', 'big']);
    expect(await waited.ended()).toBe(0);
    const pid = Number(/pid (\d+) is alive/.exec(textOf(waited))?.[1]);
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    expect(environment).toContain(`HF_TOKEN=${secret}`);
    expect(environment).toContain('OTHER_TOKEN=from-a-file');
    expect(
      pids()
        .map(commandLineOf)
        .filter((line) => line.includes(secret)),
    ).toEqual([]);
    expect(textOf(launched) + launched.stderr() + textOf(waited)).not.toContain(secret);

    const again = on(['relaunch', 'big', '--yes', '--detach']);
    expect(await again.ended()).toBe(0);
    expect(textOf(again)).toContain(`Watch it with: firedup watch big --config ${config}`);
    expect(again.stderr()).toMatch(/before it/);
    expect(again.stderr()).toMatch(/Every process has gone/);
    // What was started is said once.
    expect(`${textOf(again)}${again.stderr()}`.match(/Attempt 2/g)).toHaveLength(1);

    const killed = on(['kill', 'big', '--yes']);
    expect(await killed.ended()).toBe(0);
    expect(textOf(killed)).toMatch(/its tree are gone/);
  });

  it('takes a line for a shell, another name and another command from the command line', async () => {
    const launched = on(['launch', 'shell', '--detach', '--name', 'other']);
    expect(await launched.ended()).toBe(0);
    expect(textOf(launched)).toMatch(/Attempt 1 of other .*log \S+\/home\/shell-1\.log/);
    expect(textOf(launched)).toContain(`firedup watch shell --name other --config ${config}`);
    expect(await on(['kill', 'shell', '--name', 'other', '--yes']).ended()).toBe(0);

    const replaced = on(['launch', 'shell', '--', process.execPath, serverScript, '--crash']);
    expect(await replaced.ended()).toBe(1);
    expect(textOf(replaced)).toContain("KeyError: 'lm_head.weight'");
  });

  it('says that nothing was launched, and ends nothing else', async () => {
    const killed = on(['kill', 'big', '--yes', '--name', 'never']);
    expect(await killed.ended()).toBe(2);
    expect(killed.stderr()).toMatch(/There is no server "never" on box\./);
  });

  it('wins over an alias of the same name, and reads TARGET:PATH', async () => {
    const lines = [
      '[2026-03-01 12:00:02 TP0] Load weight begin. avail mem=140.00 GB',
      '[2026-03-01 12:00:09 TP0] Scheduler hit an exception: Traceback (most recent call last):',
      '  File "/opt/sglang/srt/managers/scheduler.py", line 2000, in run_scheduler_process',
      "KeyError: 'a'",
      '',
    ];
    writeFileSync(join(folder, 'other.log'), lines.join('\n'));
    const triaged = on(['triage', `unreachable:${join(folder, 'other.log')}`, '--json']);
    expect(await triaged.ended()).toBe(1);
    const dumped = on(['dump', 'unreachable', '-n', '1']);
    expect(await dumped.ended()).toBe(0);
    expect(textOf(dumped)).toBe("KeyError: 'a'");
  });

  it('finds a server that somebody else started by the log of the target, and ends nothing where there is none', async () => {
    expect(await on(['kill', 'theirs', '--yes']).ended()).toBe(2);
    const log = join(folder, 'theirs.log');
    const words = ['-c', 'exec "$0" "$1" >>"$LOG" 2>&1', process.execPath, serverScript];
    const child = spawn('sh', words, { env: { ...process.env, LOG: log }, stdio: 'ignore' });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    try {
      const waited = on(['wait', 'theirs']);
      expect(await waited.ended()).toBe(0);
      expect(textOf(waited)).toContain(`pid ${child.pid} is alive`);
      expect(await on(['kill', 'theirs', '--yes']).ended()).toBe(0);
      await gone;
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('starts nothing when a secret is not there, and says which line wants it', async () => {
    const launched = on(['launch', 'big', '--name', 'no-token'], {});
    expect(await launched.ended()).toBe(2);
    expect(launched.stderr()).toMatch(
      /firedup\.yaml:12:17: targets\.big\.env\.HF_TOKEN is to come from the variable MY_TOKEN/,
    );
    expect(await on(['kill', 'big', '--name', 'no-token', '--yes']).ended()).toBe(2);
  });
});
