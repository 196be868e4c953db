import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import type { Host } from '../../src/host/host.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { available } from '../support/available.js';
import { type Sshd, type SshdOptions, startSshd } from '../support/sshd.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('one ssh connection', () => {
  const undo: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  async function box(options: SshdOptions = {}): Promise<{ sshd: Sshd; host: Host }> {
    const sshd = await startSshd(options);
    undo.push(() => sshd.stop());
    const host = await connectHost(
      { label: sshd.label, configFile: sshd.sshConfig() },
      { prompts: noPrompts },
    );
    undo.push(() => host.close());
    return { sshd, host };
  }

  it.skipIf(!available('procfs'))('carries every command and forwarded stream', async () => {
    const { sshd, host } = await box();
    const channels = await Promise.all(Array.from({ length: 5 }, () => host.exec('cat')));
    const forwarded = await host.forward(sshd.port);
    await run(host, 'true');
    // The forwarded stream is sshd's own connection to itself: the other end of it is not ours.
    expect(established(sshd.port).filter(({ pid }) => pid === 'ours')).toHaveLength(1);
    forwarded.destroy();
    for (const channel of channels) channel.close();
    expect(sshd.log().match(/Accepted publickey/g)).toHaveLength(1);
  });

  it('queues commands beyond MaxSessions instead of failing them', async () => {
    const { host } = await box({ config: ['MaxSessions 2'] });
    const long = await host.exec('cat');
    const done = await Promise.all(Array.from({ length: 8 }, (_, i) => run(host, `echo ${i}`)));
    expect(done.map(({ stdout }) => stdout.trim())).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
    long.close();
    // Also when they come before any slot is known to be taken.
    const again = await Promise.all(Array.from({ length: 6 }, (_, i) => run(host, `sleep 0.1; echo ${i}`)));
    expect(again.every(({ code }) => code === 0)).toBe(true);
  });

  it.each([1, 2, 3])('carries long and short commands at once with MaxSessions %i', async (count) => {
    const { sshd, host } = await box({ config: [`MaxSessions ${count}`] });
    const long = await Promise.all(Array.from({ length: 4 }, () => host.exec('cat')));
    const done = await Promise.all(Array.from({ length: 6 }, (_, i) => run(host, `echo ${i}`)));
    expect(done.map(({ stdout }) => stdout.trim())).toEqual(['0', '1', '2', '3', '4', '5']);
    for (const [index, channel] of long.entries()) {
      const heard = text(channel.stdout);
      channel.stderr.resume();
      channel.stdin.end(`long ${index}\n`);
      expect(await heard).toBe(`long ${index}\n`);
      expect(await channel.exited).toEqual({ code: 0, signal: null, lost: false });
    }
    expect(sshd.log().match(/Accepted publickey/g)).toHaveLength(1);
  });

  it('waits for a slot where nothing can share one, and goes on afterwards', async () => {
    const { host } = await box({
      config: [
        'MaxSessions 1',
        `ForceCommand case "$SSH_ORIGINAL_COMMAND" in *eval*) exit 1;; *) exec sh -c "$SSH_ORIGINAL_COMMAND";; esac`,
      ],
    });
    const long = await host.exec('cat');
    await expect(run(host, 'true', { timeoutMs: 500 })).rejects.toMatchObject({ code: 'command-timeout' });
    long.stdin.end();
    long.stdout.resume();
    long.stderr.resume();
    expect(await long.exited).toMatchObject({ code: 0 });
    expect((await run(host, 'echo free')).stdout).toBe('free\n');
  });

  it('says so when the server starts no commands at all', async () => {
    const { host } = await box({ config: ['MaxSessions 0'] });
    await expect(host.exec('true')).rejects.toMatchObject({ code: 'exec-refused', exitCode: 5 });
  });

  it('tells forbidden forwarding from a closed port', async () => {
    const { sshd, host } = await box({ config: ['AllowTcpForwarding no'] });
    await expect(host.forward(sshd.port)).rejects.toMatchObject({ code: 'forward-forbidden' });
    expect((await run(host, 'echo fine')).stdout).toBe('fine\n');
  });

  it('lives through rekeying with traffic both ways', async () => {
    const { sshd, host } = await box({ config: ['RekeyLimit 2M 10s'] });
    const input = randomBytes(24_000_000);
    const beside = setInterval(() => void run(host, 'true').catch(() => {}), 50);
    try {
      const done = await run(host, 'cat | sha256sum; head -c 24000000 /dev/zero | tr "\\0" y', {
        stdin: input,
        timeoutMs: 60_000,
        maxBytes: 40_000_000,
      });
      const [sum, rest] = [done.stdout.slice(0, 64), done.stdout.slice(done.stdout.indexOf('\n') + 1)];
      expect(sum).toBe(createHash('sha256').update(input).digest('hex'));
      expect(rest).toHaveLength(24_000_000);
    } finally {
      clearInterval(beside);
    }
    expect((await run(host, 'echo alive')).stdout).toBe('alive\n');
    expect(sshd.log()).not.toMatch(/error: rekex|Bad packet|Corrupted/i);
  });
});

/** Established connections to `port`; `ours` are those that this process has opened. */
function established(port: number): { readonly pid: 'ours' | 'other' }[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const own = ownSocketInodes();
  return readFileSync('/proc/net/tcp', 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[2]?.endsWith(`:${hex}`) && fields[3] === '01')
    .map((fields) => ({ pid: own.has(fields[9] ?? '') ? ('ours' as const) : ('other' as const) }));
}

function ownSocketInodes(): Set<string> {
  const inodes = new Set<string>();
  for (const fd of readdirSync('/proc/self/fd')) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1];
      if (inode !== undefined) inodes.add(inode);
    } catch {
      // Closed meanwhile.
    }
  }
  return inodes;
}
