import { createHash, randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import type { Exit, Host } from '../../src/host/host.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { available } from '../support/available.js';
import { startSshd } from '../support/sshd.js';

// The same behaviour is promised for this machine and over ssh.
describe('commands on local', () => {
  behaviour(async () => ({
    host: await connectHost({ label: 'local' }, { prompts: noPrompts }),
    stop: async () => {},
  }));

  it.each([undefined, ''])('have a home folder where HOME is %j, as over ssh', async (value) => {
    const before = process.env.HOME;
    const host = await connectHost({ label: 'local' }, { prompts: noPrompts });
    try {
      if (value === undefined) delete process.env.HOME;
      else process.env.HOME = value;
      expect((await run(host, 'printf %s "$HOME"')).stdout).toBe(userInfo().homedir);
    } finally {
      process.env.HOME = before;
      await host.close();
    }
  });
});

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('commands over ssh', () => {
  behaviour(async () => {
    const sshd = await startSshd();
    const host = await connectHost(
      { label: sshd.label, configFile: sshd.sshConfig() },
      { prompts: noPrompts },
    );
    return { host, stop: () => sshd.stop() };
  });
});

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))("commands over the system's ssh", () => {
  behaviour(
    async () => {
      const sshd = await startSshd();
      const host = await connectHost(
        { label: sshd.label, configFile: sshd.sshConfig(), transport: 'ssh' },
        { prompts: noPrompts },
      );
      return { host, stop: () => sshd.stop() };
    },
    // It does not pass on which signal.
    { code: null, signal: null },
  );
});

// One session for everything: what the multiplexer on the host runs must behave like commands of their own.
describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('commands over a single ssh session', () => {
  behaviour(
    async () => {
      const sshd = await startSshd({ config: ['MaxSessions 1'] });
      const host = await connectHost(
        { label: sshd.label, configFile: sshd.sshConfig() },
        { prompts: noPrompts },
      );
      return { host, stop: () => sshd.stop() };
    },
    { code: 137, signal: null },
  );
});

/** `killed` is how a command that was killed shows: a shell in between knows 128 + the signal's number only. */
function behaviour(
  start: () => Promise<{ host: Host; stop: () => Promise<void> }>,
  killed: Partial<Exit> = { code: null, signal: 'SIGKILL' },
) {
  let host: Host;
  let stop: () => Promise<void> = async () => {};

  beforeAll(async () => {
    ({ host, stop } = await start());
  });
  afterAll(async () => {
    await host?.close();
    await stop();
  });

  it('keeps the two outputs and the exit code apart', async () => {
    expect(await run(host, 'echo out; echo err >&2; exit 3')).toEqual({
      code: 3,
      signal: null,
      lost: false,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  it('tells a signal from an exit code', async () => {
    expect(await run(host, 'kill -KILL $$')).toMatchObject({ ...killed, lost: false });
  });

  it('never misses the status of a command that is over at once', async () => {
    for (let round = 0; round < 20; round++) {
      const done = await Promise.all(Array.from({ length: 8 }, () => run(host, 'exit 7')));
      expect(done.map(({ code }) => code)).toEqual(Array(8).fill(7));
    }
  });

  it('passes stdin on, and its end', async () => {
    const input = 'häuser\n'.repeat(50_000);
    expect((await run(host, 'cat', { stdin: input })).stdout).toBe(input);
    expect((await run(host, 'cat; echo end')).stdout).toBe('end\n');
  });

  it('does not mind a command that ends without reading its stdin', async () => {
    const done = await run(host, 'exit 0', { stdin: randomBytes(4_000_000) });
    expect(done.code).toBe(0);
  });

  it('runs many commands at once', async () => {
    const done = await Promise.all(Array.from({ length: 30 }, (_, i) => run(host, `echo ${i}; sleep 0.05`)));
    expect(done.map(({ stdout }) => Number(stdout))).toEqual(Array.from({ length: 30 }, (_, i) => i));
  });

  it('ends a run at its deadline, and tells so', async () => {
    await expect(run(host, 'sleep 30', { timeoutMs: 300 })).rejects.toMatchObject({
      code: 'command-timeout',
      exitCode: 5,
    });
  });

  it('ends a run when it is aborted', async () => {
    const stopper = new AbortController();
    const running = run(host, 'echo up; sleep 30', { signal: stopper.signal });
    setTimeout(() => stopper.abort(), 100);
    await expect(running).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 });
    await expect(run(host, 'true', { signal: stopper.signal })).rejects.toMatchObject({
      code: 'interrupted',
    });
  });

  it('lets one signal stop many commands, without a warning about it', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const stopper = new AbortController();
    const open = await Promise.all(
      Array.from({ length: 3 }, () => host.exec('cat', { signal: stopper.signal })),
    );
    // More than a server has slots for: some of them still wait for theirs.
    const running = Array.from({ length: 12 }, () => run(host, 'sleep 2', { signal: stopper.signal }));
    const ends = Promise.allSettled(running);
    await new Promise((resolve) => setImmediate(resolve));
    stopper.abort();
    expect((await ends).every(({ status }) => status === 'rejected')).toBe(true);
    for (const channel of open) expect(await channel.exited).toMatchObject({ code: null, lost: false });
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });

  it('does not collect more than was asked for', async () => {
    await expect(run(host, 'yes', { maxBytes: 10_000 })).rejects.toMatchObject({ code: 'output-too-large' });
  });

  it('gives the remote side EOF and EPIPE when a channel is closed', async () => {
    const flag = await run(host, 'mktemp');
    const path = flag.stdout.trim();
    const channel = await host.exec(`trap '' PIPE; cat >/dev/null; echo gone >${path}; exit 0`);
    channel.close();
    expect(await channel.exited).toEqual({ code: null, signal: null, lost: false });
    await expect.poll(async () => (await run(host, `cat ${path}`)).stdout).toBe('gone\n');
    rmSync(path, { force: true });
  });

  it('holds the writer back while nobody reads, without loss, and leaves other commands alone', async () => {
    const channel = await host.exec('head -c 30000000 /dev/zero | tr "\\0" x; echo; echo done >&2');
    const stderr = text(channel.stderr);
    let finished = false;
    void channel.exited.then(() => {
      finished = true;
    });
    expect((await run(host, 'echo beside')).stdout).toBe('beside\n');
    expect(finished).toBe(false);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of channel.stdout) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    expect(bytes).toBe(30_000_001);
    expect(hash.digest('hex')).toBe(
      createHash('sha256')
        .update(`${'x'.repeat(30_000_000)}\n`)
        .digest('hex'),
    );
    expect(await stderr).toBe('done\n');
    expect(await channel.exited).toEqual({ code: 0, signal: null, lost: false });
  });

  it('forwards to a port as seen from the host, and says when nobody listens', async () => {
    const { createServer } = await import('node:net');
    const echo = createServer((socket) => socket.pipe(socket));
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    const address = echo.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const stream = await host.forward(port);
    const input = randomBytes(3_000_000).toString('hex');
    stream.end(input);
    expect(await text(stream)).toBe(input);

    const aborted = await host.forward(port);
    aborted.destroy();
    await new Promise((resolve) => echo.close(resolve));
    await expect(host.forward(port)).rejects.toMatchObject({ code: 'forward-refused', exitCode: 5 });
  });

  it('serves HTTP requests through a forwarded stream', async () => {
    const http = await import('node:http');
    const server = http.createServer((_request, response) => response.end('pong'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const stream = await host.forward(port);
    const answer = await new Promise<string>((resolve, reject) => {
      const request = http.get({ host: '127.0.0.1', port, createConnection: () => stream }, (response) =>
        text(response).then((body) => resolve(`${response.statusCode} ${body}`), reject),
      );
      request.setTimeout(60_000, () => request.destroy());
      request.on('error', reject);
    });
    expect(answer).toBe('200 pong');
    stream.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('refuses everything after close()', async () => {
    const { host: other, stop: stopOther } = await start();
    const open = await other.exec('sleep 30');
    await other.close();
    expect(await open.exited).toMatchObject({ code: null });
    await expect(other.exec('true')).rejects.toMatchObject({ code: 'host-closed', exitCode: 5 });
    await expect(other.forward(1)).rejects.toMatchObject({ code: 'host-closed' });
    await other.close();
    await stopOther();
  });
}

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'bash'))('a login shell that talks', () => {
  it('shows up in the output of our commands, which is why scripts begin with a nonce line', async () => {
    const sshd = await startSshd();
    writeFileSync(join(sshd.home, '.bashrc'), 'echo welcome to the box\n');
    const host = await connectHost(
      { label: sshd.label, configFile: sshd.sshConfig() },
      { prompts: noPrompts },
    );
    const { stdout } = await run(host, "printf '\\n#nonce\\n'; echo real");
    expect(stdout.slice(stdout.indexOf('#nonce\n') + 7)).toBe('real\n');
    await host.close();
    await sshd.stop();
  });
});
