import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDemoProcesses } from '../../src/demo/demo-processes.js';
import { makeKeyPair } from '../../src/demo/ssh-keys.js';
import { until } from '../support/until.js';
import { type DemoBox, forward, login, open, openDemo } from './demo-box.js';

let box: DemoBox;
beforeAll(async () => {
  box = await openDemo('ready');
});
afterAll(() => box.close());

const shells = () => findDemoProcesses(box.world.folder).length;

describe('logging in', () => {
  it('takes the key of this run and no other', async () => {
    const other = makeKeyPair('other');
    await expect(login(box.world, other.privateKey)).rejects.toThrow(/authentication/);
    const second = await login(box.world);
    second.end();
  });

  it('makes a key again that ssh2 itself could not read', () => {
    const good = makeKeyPair('good');
    const made = [
      { public: 'ssh-ed25519 AAAA', private: 'x' },
      { public: good.publicKey, private: good.privateKey },
    ];
    const pair = makeKeyPair('test', () => made.shift() ?? { public: '', private: '' });
    expect([pair.publicKey, made]).toEqual([good.publicKey, []]);
  });

  it('has a host key of its own for each run', async () => {
    const other = await openDemo('ready');
    expect(other.world.hostKey).toMatch(/^ssh-ed25519 AAAA\S+$/);
    expect(other.world.hostKey).not.toBe(box.world.hostKey);
    await other.close();
  });
});

describe('commands', () => {
  it('run by a real shell in the world of the demo', async () => {
    const { output, code } = await box.exec(
      'pwd; echo "$HOME"; command -v nvidia-smi; command -v sglang; env | grep XDG; echo err >&2; exit 3',
    );
    expect(code).toBe(3);
    const { folder } = box.world;
    expect(output.split('\n')).toEqual(
      expect.arrayContaining([`${folder}/home`, `${folder}/bin/nvidia-smi`, `${folder}/bin/sglang`, 'err']),
    );
    expect(output).not.toContain('XDG');
  });

  it('report the signal that ended them', async () => {
    expect(await box.exec('kill -SEGV $$')).toMatchObject({ code: null, signal: 'SIGSEGV' });
  });

  it('read their stdin until it ends', async () => {
    const channel = await open(box.client, 'wc -c');
    let output = '';
    channel.on('data', (data: Buffer) => {
      output += data.toString();
    });
    channel.end(Buffer.alloc(3_000_000));
    await new Promise((resolve) => channel.on('close', resolve));
    expect(output.trim()).toBe('3000000');
  });

  it('are held back by a reader that does not read, and lose nothing', async () => {
    const channel = await open(box.client, 'head -c 20000000 /dev/zero; echo written >&2');
    let written = false;
    channel.stderr.on('data', () => {
      written = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(written).toBe(false);
    let bytes = 0;
    channel.on('data', (data: Buffer) => {
      bytes += data.length;
    });
    await new Promise((resolve) => channel.on('close', resolve));
    expect([bytes, written]).toEqual([20_000_000, true]);
  });

  it('get the signals that are asked for', async () => {
    const channel = await open(
      box.client,
      'trap "echo got it; exit 7" USR1; echo up; while :; do sleep 0.05; done',
    );
    const exit = new Promise((resolve) => channel.on('exit', resolve));
    let output = '';
    channel.on('data', (data: Buffer) => {
      output += data.toString();
    });
    await until(() => output.includes('up'), 'the command is up');
    channel.signal('USR1');
    expect(await exit).toBe(7);
    await until(() => output.includes('got it'), 'the command has got the signal');
  });

  it('outlive their channel when they are quiet, and learn of it when they read or write', async () => {
    const quiet = await open(box.client, 'exec sleep 1000');
    const reader = await open(box.client, 'exec cat');
    const writer = await open(box.client, 'exec yes');
    writer.resume();
    await until(() => shells() === 3, 'three shells run');
    for (const channel of [quiet, reader, writer]) channel.close();
    await until(() => shells() === 1, 'one shell is left');
    const [left] = findDemoProcesses(box.world.folder);
    if (left !== undefined) process.kill(left.pid, 'SIGKILL');
    await until(() => shells() === 0, 'no shell is left');
  });

  it('report their status at once, and close when a background child lets go of the output', async () => {
    const channel = await open(box.client, 'sleep 1000 & echo $!; exit 4');
    let output = '';
    channel.on('data', (data: Buffer) => {
      output += data.toString();
    });
    let closed = false;
    const close = new Promise<void>((resolve) => channel.on('close', resolve)).then(() => {
      closed = true;
    });
    expect(await new Promise((resolve) => channel.on('exit', resolve))).toBe(4);
    await until(() => output !== '', 'the child has said its pid');
    expect(closed).toBe(false);
    process.kill(Number(output));
    await close;
  });

  it('are at most ten at a time, and one that has ended makes room', async () => {
    const client = await login(box.world);
    const channels = [];
    for (let count = 0; count < 10; count++) channels.push(await open(client, 'exec cat'));
    await expect(open(client, 'true')).rejects.toThrow(/open fail/i);
    channels[0]?.end();
    await until(async () => {
      const eleventh = await open(client, 'true').catch(() => null);
      return eleventh !== null;
    }, 'a channel is free again');
    client.end();
    await until(() => shells() === 0, 'no shell is left');
  });
});

describe('direct-tcpip', () => {
  it('reaches loopback', async () => {
    const server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const stream = await forward(box.client, '127.0.0.1', port);
    let text = '';
    for await (const data of stream) text += String(data);
    expect(text).toBe('hello');
    server.close();
    await new Promise((resolve) => server.on('close', resolve));
    await expect(forward(box.client, '127.0.0.1', port)).rejects.toThrow();
  });

  it('reaches nothing else', async () => {
    const server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as { port: number };
    const outside = Object.values(networkInterfaces())
      .flat()
      .filter((entry) => entry !== undefined && !entry.internal && entry.family === 'IPv4')
      .map((entry) => entry?.address ?? '');
    for (const address of [...outside, '0.0.0.0', '10.0.0.1', 'example.org'])
      await expect(forward(box.client, address, port)).rejects.toThrow();
    server.close();
  });
});
