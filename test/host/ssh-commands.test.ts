import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import type { Host } from '../../src/host/host.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { available } from '../support/available.js';
import { type Sshd, startSshd } from '../support/sshd.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('commands over ssh', () => {
  let sshd: Sshd;
  let host: Host;

  beforeAll(async () => {
    sshd = await startSshd();
    host = await connectHost(
      { label: 'box', configFile: sshd.sshConfig('Host box', '  HostName 127.0.0.1') },
      { prompts: noPrompts },
    );
  });
  afterAll(async () => {
    await host?.close();
    await sshd?.stop();
  });

  it('runs a command and keeps its two outputs apart', async () => {
    const done = await run(host, 'echo out; echo err >&2; exit 3');
    expect(done).toEqual({ code: 3, signal: null, lost: false, stdout: 'out\n', stderr: 'err\n' });
  });

  it('tells a signal from an exit code', async () => {
    const done = await run(host, 'kill -KILL $$');
    expect(done).toMatchObject({ code: null, signal: 'SIGKILL', lost: false });
  });

  it('passes stdin on to its end', async () => {
    const input = 'häuser\n'.repeat(50_000);
    const done = await run(host, 'cat', { stdin: input });
    expect(done.stdout).toBe(input);
  });
});
void text;
void readFileSync;
