import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { firedup, type Program, stopPrograms } from '../support/program.js';
import { selfSigned } from '../support/self-signed.js';

// It listens where its command line says, once it is told so, and its log never names that place.
const program = `#!/usr/bin/env node
import { createServer } from 'node:http';
const port = Number(process.argv[process.argv.indexOf('--port') + 1]);
console.log('loading');
process.stdin.once('data', () => createServer((_, response) => response.end()).listen(port, '127.0.0.1'));
`;

describe.skipIf(!available('procfs'))('a port that is not in the log', () => {
  let folder: string;
  const children: ChildProcess[] = [];
  const servers: Server[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-port-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const server of servers.splice(0)) server.close();
    await stopPrograms();
    rmSync(folder, { recursive: true, force: true });
  });

  async function listening(server: Server): Promise<number> {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** `vllm serve --port PORT` as `/proc` shows it. */
  function engine(port: number): ChildProcess & { readonly pid: number } {
    const path = join(folder, 'vllm');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(path, program);
    chmodSync(path, 0o755);
    const child = spawn(path, ['serve', 'org/model', '--port', String(port)], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    children.push(child);
    return Object.assign(child, { pid: child.pid ?? 0 });
  }

  const waitFor = (...found: readonly string[]): Program =>
    firedup(['wait', 'local', ...found, '--timeout', '40s', '--heartbeat', '1s']);

  it('is asked where the command line names it, and believed of the server alone', async () => {
    const stranger = createServer((_, response) => response.end());
    const port = await listening(stranger);
    const child = engine(port);
    const wait = waitFor('--pid', String(child.pid));
    await wait.waitFor(new RegExp(`port ${port}: 200 \\(its listener is not this server\\)`));
    stranger.closeAllConnections();
    await new Promise((resolve) => stranger.close(resolve));
    servers.length = 0;
    child.stdin?.write('go\n');
    const code = await wait.ended();
    const said = wait.lines.map(({ text }) => text).join('\n');
    expect(`${code} ${said}`).toMatch(/^0 /);
    expect(said).toContain('READY: its readiness path answers');
    expect(said).toContain(`http://127.0.0.1:${port}`);
  }, 60_000);

  it.each([
    ['127.0.0.2', 'http'],
    ['::1', 'https'],
  ])(
    'is shown where it was found: %s, %s',
    async (address, scheme) => {
      const listen = `server.listen(0, '${address}', () => console.log(server.address().port))`;
      const answer = '(_, response) => response.end()';
      const made =
        scheme === 'http'
          ? `require('node:http').createServer(${answer})`
          : `require('node:https').createServer(${JSON.stringify(selfSigned)}, ${answer})`;
      const child = spawn(process.execPath, ['-e', `const server = ${made}; ${listen}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      const [port] = await once(child.stdout, 'data');
      const wait = waitFor('--port', String(port).trim());
      expect(await wait.ended()).toBe(0);
      const authority = address.includes(':') ? `[${address}]` : address;
      expect(wait.lines.map(({ text }) => text).join('\n')).toContain(
        `${scheme}://${authority}:${String(port).trim()}`,
      );
    },
    60_000,
  );
});
