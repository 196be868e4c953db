import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import { noPrompts } from '../../src/host/prompts.js';
import { createHealthProbe } from '../../src/probes/health.js';
import { available, pathOf } from '../support/available.js';
import { realPython } from '../support/real-python.js';
import { selfSigned } from '../support/self-signed.js';
import { type Sshd, startSshd } from '../support/sshd.js';
import { until } from '../support/until.js';
import { recorder } from './support.js';

const needed = ['sshd', 'ssh', 'ssh-keygen', 'dash', 'bash', 'curl', 'wget', 'python3'] as const;

// Nothing but one way to ask is on the host, and sshd forwards nothing.
describe.skipIf(!available(...needed))('readiness over HTTP where forwarding is forbidden', () => {
  const web = createServer((request, response) => {
    if (request.url === '/slow') return;
    response.writeHead(request.url === '/health' ? 200 : 503, { 'content-type': 'text/plain' }).end('x');
  });
  const elsewhere = createServer((_, response) => response.end());
  const secure = createHttpsServer(selfSigned, (_, response) => response.end());
  const closed = createTcpServer();
  const chatty = createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-x\r\n'));
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  let closedPort: number;

  beforeAll(async () => {
    for (const server of [web, secure, closed, chatty])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.2', resolve));
    closedPort = portOf(closed);
    closed.close();
  });
  afterAll(() => {
    web.closeAllConnections();
    web.close();
    secure.close();
    elsewhere.close();
    chatty.close();
  });

  it.concurrent.for([
    ['curl', pathOf('curl')],
    ['python3', realPython()],
    ['wget', pathOf('wget')],
    ['nothing', null],
  ] as const)('is asked for with %s', async ([name, program]) => {
    const sshd = await startSshd({ config: ['AllowTcpForwarding no', 'SetEnv PATH=%d/bin'] });
    try {
      const bin = onlyWith(sshd);
      if (program !== null) symlinkSync(program, join(bin, name));
      const host = await connectHost(
        { label: sshd.label, configFile: sshd.sshConfig() },
        { prompts: noPrompts },
      );
      const seen = recorder();
      const probe = createHealthProbe({ emit: seen.emit, now: Date.now, intervalMs: 250 });
      const stop = new AbortController();
      const done = probe.run(host, stop.signal);
      const answer = async (port: number, path: string) => {
        const before = seen.of('health').length;
        probe.retarget({ port, path, source: 'given' });
        const answers = () =>
          seen
            .of('health')
            .slice(before)
            .filter(({ answer }) => answer.port === port && answer.path === path);
        await until(() => answers().length > 0, `${name} has asked for ${path}`);
        const { result, isSecure } = answers()[0]?.answer ?? {};
        if (result?.kind === 'status') expect(isSecure).toBe(port === portOf(secure));
        return result;
      };
      if (program === null) {
        expect(await answer(portOf(web), '/health')).toEqual({
          kind: 'failed',
          reason: 'there is neither curl nor python3 nor wget on the host',
        });
      } else {
        expect(await answer(portOf(web), '/health')).toEqual({ kind: 'status', code: 200 });
        expect(await answer(portOf(secure), '/health')).toEqual({ kind: 'status', code: 200 });
        expect(await answer(portOf(elsewhere), '/health')).toEqual({ kind: 'status', code: 200 });
        expect(await answer(portOf(web), '/starting')).toEqual({ kind: 'status', code: 503 });
        expect(await answer(closedPort, '/health')).toEqual({ kind: 'refused' });
        expect(await answer(portOf(web), '/slow')).toEqual({ kind: 'timeout' });
        expect(await answer(portOf(chatty), '/health')).toMatchObject({ kind: 'failed' });
      }
      stop.abort();
      await done;
      await host.close();
      expect(sshd.log().match(/Accepted publickey/g)).toHaveLength(1);
    } finally {
      await sshd.stop();
    }
  });
});

/**
 * A folder that is all of the host's PATH: what the system has, without a program that could ask. Its `sh` drops the
 * line by which our scripts make PATH longer, for the folders that it names do hold such programs here.
 */
function onlyWith(sshd: Sshd): string {
  const bin = join(sshd.folder, 'bin');
  mkdirSync(bin);
  for (const program of readdirSync('/usr/bin')) {
    if (!/^(sh|curl|wget|python.*|busybox)$/.test(program))
      symlinkSync(`/usr/bin/${program}`, join(bin, program));
  }
  const lines = [
    `#!${pathOf('dash')}`,
    // Whatever this machine's rc files have put before it.
    `PATH=${bin}`,
    // The arguments of `scriptCommand`: the script is the sixth, and what sets its own the last.
    'case $2 in',
    '  *base64*)',
    '    own=$(printf %s "$7" | base64 -d)',
    String.raw`    script=$(printf %s "$6" | tr A-Za-z N-ZA-Mn-za-m | tr "$5" "\n\047\041\134" | grep -v "^PATH=.PATH:")`,
    `    exec ${pathOf('dash')} -c "$own\n$script" sh ;;`,
    'esac',
    `exec ${pathOf('dash')} "$@"`,
  ];
  writeFileSync(join(bin, 'sh'), `${lines.join('\n')}\n`, { mode: 0o755 });
  return bin;
}
