import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isOk } from '../../src/core/health.js';
import { connectionError } from '../../src/errors.js';
import type { Host } from '../../src/host/host.js';
import { localHost } from '../../src/host/local.js';
import { createHealthProbe } from '../../src/probes/health.js';
import { findListener } from '../../src/probes/listener.js';
import { shells } from '../remote/shells.js';
import { selfSigned } from '../support/self-signed.js';
import { until } from '../support/until.js';
import { later, recorder, running } from './support.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe('readiness over HTTP', () => {
  it('asks the path on 127.0.0.1 and tells the status', async () => {
    const asked: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      asked.push(request.url, request.headers.host);
      response.writeHead(asked.length > 2 ? 200 : 503).end('x'.repeat(100));
    });
    const { answers } = watch(port, '/health');
    await until(() => answers().length >= 2, 'two answers are there');
    expect(answers().map(({ result }) => result)).toEqual([
      { kind: 'status', code: 503 },
      { kind: 'status', code: 200 },
    ]);
    expect(asked.slice(0, 2)).toEqual(['/health', `127.0.0.1:${port}`]);
    expect(answers()[0]).toMatchObject({ port, path: '/health', source: 'given' });
  });

  it('knows its own listener from a stranger', async () => {
    const port = await serve((_, response) => response.end());
    const { answers, probe } = watch(port, '/');
    await until(() => answers().length >= 1, 'an answer is there');
    expect(answers().at(-1)?.owned).toBeNull();
    probe.setTree([process.pid]);
    await until(() => answers().at(-1)?.owned === true, 'it is its own');
    probe.setTree([1]);
    await until(() => answers().at(-1)?.owned === false, 'it is a stranger');
  });

  it.each(['127.0.0.2', '::1'])('asks on the address that the server listens on: %s', async (address) => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.headers.host);
      response.end();
    }).listen(0, address);
    servers.push(server);
    await once(server, 'listening');
    const { answers, probe } = watch(portOf(server), '/health');
    probe.setServing(true);
    probe.setTree([process.pid]);
    await until(() => answers().at(-1)?.owned === true, 'it is found, and its own');
    expect(answers().at(-1)?.result).toEqual({ kind: 'status', code: 200 });
    expect(asked[0]).toMatch(/^(127\.0\.0\.2|\[::1\]):\d+$/);
    expect(answers().at(-1)).toMatchObject({ address, isSecure: false });
  });

  it('asks by TLS where that is spoken, whoever has signed for it', async () => {
    let code = 503;
    const server = createHttpsServer(selfSigned, (_, response) => response.writeHead(code).end());
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const { answers } = watch(portOf(server), '/health');
    await until(() => answers().length >= 2, 'two answers are there');
    code = 200;
    await until(() => answers().some(isOk), 'it is ready');
    expect(answers()[0]?.result).toEqual({ kind: 'status', code: 503 });
    expect(answers().at(-1)).toMatchObject({ address: '127.0.0.1', isSecure: true });
  });

  it('knows who really gets what is sent to 127.0.0.1 where two share a port', async () => {
    const listen = async (address: string, port: number) => {
      const text = `import socket, sys, time
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
s.bind((sys.argv[1], int(sys.argv[2]))); s.listen(); print(s.getsockname()[1], flush=True); time.sleep(300)`;
      const child = spawn('python3', ['-c', text, address, String(port)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      later(() => child.kill('SIGKILL'));
      const [line] = await once(child.stdout, 'data');
      return { port: Number(String(line)), pid: child.pid ?? 0 };
    };
    const wide = await listen('0.0.0.0', 0);
    const narrow = await listen('127.0.0.1', wide.port);
    const host = localHost();
    later(() => host.close());
    const listener = await findListener(host, wide.port, new AbortController().signal);
    expect(listener).toEqual({ pids: [narrow.pid], hidden: false });
  });

  it('tells refusal, silence, and what is no HTTP, each within its time', async () => {
    const silent = createTcpServer(() => {}).listen(0, '127.0.0.1');
    const chatty = createTcpServer((socket) => socket.end('SSH-2.0-x\r\n')).listen(0, '127.0.0.1');
    const closed = createTcpServer().listen(0, '127.0.0.1');
    servers.push(silent, chatty);
    await Promise.all([silent, chatty, closed].map((server) => once(server, 'listening')));
    const freePort = portOf(closed);
    closed.close();
    const { answers, probe } = watch(freePort, '/');
    await until(() => answers().at(-1)?.result.kind === 'refused', 'it is refused');
    probe.retarget({ port: portOf(silent), path: '/', source: 'log' });
    await until(() => answers().at(-1)?.result.kind === 'timeout', 'it times out');
    expect(answers().at(-1)?.source).toBe('log');
    probe.retarget({ port: portOf(chatty), path: '/', source: 'log' });
    await until(() => answers().at(-1)?.result.kind === 'failed', 'it fails');
    expect(answers().at(-1)?.result).toEqual({ kind: 'failed', reason: 'no HTTP there' });
  });

  it('does not read whatever a server sends', async () => {
    let sent = 0;
    const port = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const { answers, stop } = watch(port, '/');
    await until(() => answers().length >= 1, 'an answer is there');
    await stop();
    expect(answers()[0]?.result).toEqual({ kind: 'status', code: 200 });
    const after = sent;
    expect(after).toBeLessThan(64 * 1024 * 1024);
  });

  it('asks from the host itself where forwarding is forbidden', async () => {
    const port = await serve((request, response) =>
      response.writeHead(request.url === '/a%20b' ? 200 : 404).end(),
    );
    const local = localHost();
    const strict: Host = {
      ...local,
      forward: () => Promise.reject(connectionError('forward-forbidden', 'The server forbids forwarding.')),
    };
    const { answers, probe } = watch(port, '/a b', strict);
    await until(() => answers().length >= 1, 'an answer is there');
    expect(answers()[0]?.result).toEqual({ kind: 'status', code: 200 });
    const closed = createTcpServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const freePort = portOf(closed);
    closed.close();
    probe.retarget({ port: freePort, path: '/', source: 'given' });
    await until(() => answers().at(-1)?.result.kind === 'refused', 'it is refused');
  });

  it('asks nothing without a target, and rejects when the link goes', async () => {
    const local = localHost();
    const seen = recorder();
    const probe = createHealthProbe({ emit: seen.emit, now: Date.now, intervalMs: 250 });
    const { done } = running((signal) => probe.run(local, signal));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(seen.events).toEqual([]);
    await local.close();
    probe.retarget({ port: 1, path: '/', source: 'given' });
    await expect(done).rejects.toMatchObject({ code: 'host-closed' });
  });
});

describe.each(shells)('the listener with $name', ({ command }) => {
  it('is found by its port, with the processes that share its socket', async () => {
    const code = `const s = require('net').createServer().listen(0, '0.0.0.0', () => {
      require('child_process').spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', s._handle] });
      console.log(s.address().port) })`;
    const child = spawn(process.execPath, ['-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    later(() => process.kill(-(child.pid ?? 0), 'SIGKILL'));
    const [line] = await once(child.stdout, 'data');
    const host = localHost();
    later(() => host.close());
    const found = await findListener(host, Number(String(line)), new AbortController().signal, {
      shell: command.join(' '),
    });
    expect(found.hidden).toBe(false);
    expect(found.pids).toContain(child.pid);
  });

  it('is nobody on a free port', async () => {
    const host = localHost();
    later(() => host.close());
    expect(await findListener(host, 1, new AbortController().signal, { shell: command.join(' ') })).toEqual({
      pids: [],
      hidden: false,
    });
  });
});

function watch(port: number, path: string, host: Host = localHost()) {
  const seen = recorder();
  const probe = createHealthProbe({ emit: seen.emit, now: Date.now, intervalMs: 250 });
  probe.retarget({ port, path, source: 'given' });
  later(() => host.close());
  const answers = () => seen.of('health').map(({ answer }) => answer);
  return { answers, probe, ...running((signal) => probe.run(host, signal)) };
}

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return portOf(server);
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
