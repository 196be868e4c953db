import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { available } from '../support/available.js';
import { firedup, stopPrograms } from '../support/program.js';
import { makeKey, type Sshd, startSshd } from '../support/sshd.js';

const names = ['door', 'hall', 'box'] as const;

// Three machines in a row, each with a host key, a login key and a known_hosts file of its own.
describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('a chain of two jump hosts', () => {
  let folder: string;
  let machines: readonly Sshd[];
  const transports = ['ssh2', 'ssh'] as const;
  const cases = [
    { transport: 'ssh2', name: 'door', place: 0 },
    { transport: 'ssh2', name: 'hall', place: 1 },
    { transport: 'ssh2', name: 'box', place: 2 },
    { transport: 'ssh', name: 'door', place: 0 },
  ] as const;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-chain-'));
    machines = await Promise.all(names.map(() => startSshd()));
  });
  afterAll(async () => {
    await stopPrograms();
    for (const sshd of machines ?? []) await sshd.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const machine = (name: (typeof names)[number]): Sshd => {
    const found = machines[names.indexOf(name)];
    if (found === undefined) throw new Error(name);
    return found;
  };

  /** An ssh_config of the three; `known` and `keys` replace those of one machine. */
  function config(replaced: {
    readonly known?: Partial<Record<string, string>>;
    readonly keys?: Partial<Record<string, string>>;
    readonly jump?: string;
  }): string {
    const file = join(folder, `config.${Math.random().toString(36).slice(2)}`);
    const blocks = names.map((name) => {
      const sshd = machine(name);
      const lines = [
        `Host ${name}`,
        'HostName 127.0.0.1',
        `Port ${sshd.port}`,
        `User ${sshd.user}`,
        `IdentityFile ${replaced.keys?.[name] ?? sshd.clientKey}`,
        'IdentitiesOnly yes',
        'IdentityAgent none',
        `UserKnownHostsFile ${replaced.known?.[name] ?? sshd.knownHostsFile}`,
        'GlobalKnownHostsFile /dev/null',
        ...(name === 'box' ? [`ProxyJump ${replaced.jump ?? 'door,hall'}`] : []),
      ];
      return lines.join('\n  ');
    });
    writeFileSync(file, `${blocks.join('\n')}\n`);
    return file;
  }
  /** How often each machine was logged in to, and what the block does. */
  async function logins(block: () => Promise<unknown>): Promise<readonly number[]> {
    const count = () => machines.map((sshd) => sshd.log().match(/Accepted publickey/g)?.length ?? 0);
    const before = count();
    await block();
    return count().map((now, index) => now - (before[index] ?? 0));
  }
  const connect = (configFile: string, transport: 'ssh2' | 'ssh') =>
    connectHost({ label: 'box', configFile, transport }, { prompts: noPrompts });

  it.each(transports)(
    'is passed by %s, each machine verified and logged in to on its own',
    async (transport) => {
      const counts = await logins(async () => {
        const host = await connect(config({}), transport);
        expect((await run(host, 'echo $SSH_CONNECTION')).stdout.split(' ')[3]?.trim()).toBe(
          String(machine('box').port),
        );
        await host.close();
      });
      expect(counts).toEqual([1, 1, 1]);
    },
  );

  it.each(transports)('is the same by %s with a jump host that names its own', async (transport) => {
    const nested = config({ jump: 'hall' });
    writeFileSync(nested, `Host hall\n  ProxyJump door\n${readFileSync(nested, 'utf8')}`);
    const counts = await logins(async () => {
      const host = await connect(nested, transport);
      expect((await run(host, 'echo in')).stdout).toBe('in\n');
      await host.close();
    });
    expect(counts).toEqual([1, 1, 1]);
  });

  it.each(cases)(
    'goes no further by $transport than at $name where its host key has changed',
    async ({ transport, name, place }) => {
      const wrong = join(folder, `wrong.${name}.${transport}`);
      const foreign = makeKey(`${wrong}.key`);
      writeFileSync(wrong, `# one line\n[127.0.0.1]:${machine(name).port} ${foreign}\n`);
      const counts = await logins(async () => {
        const refused = await connect(config({ known: { [name]: wrong } }), transport).catch(
          (e: unknown) => e,
        );
        expect(refused).toMatchObject({ code: 'host-key-changed', exitCode: 5 });
        expect(String(refused)).toContain(wrong);
        expect(String(refused)).toMatch(/SHA256:[\w+/]{43}/);
      });
      expect(counts).toEqual([1, 1, 1].map((one, index) => (index < place ? one : 0)));
    },
  );

  it.each(cases)(
    'is refused by $transport at $name where its own key is wrong',
    async ({ transport, name, place }) => {
      // The key of the next machine does not open this one: none is offered where it does not belong.
      const other = machine(names[(place + 1) % names.length] ?? 'door').clientKey;
      const counts = await logins(async () => {
        const refused = await connect(config({ keys: { [name]: other } }), transport).catch(
          (e: unknown) => e,
        );
        expect(refused).toMatchObject({ code: 'login-failed', exitCode: 5 });
        expect(String(refused)).toMatch(new RegExp(name === 'box' || transport === 'ssh' ? 'box|127' : name));
      });
      expect(counts).toEqual([1, 1, 1].map((one, index) => (index < place ? one : 0)));
    },
  );

  it('is what -J makes of it, with -F, -i and -p for the last machine only', async () => {
    const last = machine('box');
    const file = config({ keys: { box: '/nonexistent' }, jump: 'none' });
    const words = ['-F', file, '-J', 'door,hall', '-i', last.clientKey, '-p', String(last.port)];
    const counts = await logins(async () => {
      const program = firedup([
        'wait',
        'box',
        ...words,
        '--log',
        '/nonexistent/server.log',
        '--timeout',
        '60s',
      ]);
      await program.waitFor(/not there yet/);
      program.signal('SIGINT');
      expect(await program.ended()).toBe(130);
    });
    expect(counts).toEqual([1, 1, 1]);
  });
});

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('a ProxyCommand', () => {
  let sshd: Sshd;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => sshd?.stop());

  const through = (command: string, ...lines: readonly string[]) =>
    sshd.sshConfig('Host box', '  HostName 127.0.0.1', ...lines, `  ProxyCommand ${command}`);
  it.each(['ssh2', 'ssh'] as const)(
    'gets host, port and user by %s, and may talk on its stderr',
    async (transport) => {
      const said = join(sshd.folder, `said.${transport}`);
      const tunnel = join(sshd.folder, `tunnel.${transport}`);
      const code =
        'const s = require("net").connect(process.argv[2], process.argv[1]); process.stdin.pipe(s).pipe(process.stdout)';
      const lines = [
        '#!/bin/sh',
        `echo "$*" >${said}`,
        'echo chatter >&2',
        `exec ${process.execPath} -e '${code}' "$1" "$2"`,
      ];
      writeFileSync(tunnel, `${lines.join('\n')}\n`, { mode: 0o755 });
      const configFile = through(`${tunnel} %h %p %r %n`);
      const host = await connectHost({ label: 'box', configFile, transport }, { prompts: noPrompts });
      expect(await run(host, 'echo in; echo err >&2')).toMatchObject({ stdout: 'in\n', stderr: 'err\n' });
      expect(readFileSync(said, 'utf8')).toBe(`127.0.0.1 ${sshd.port} ${sshd.user} box\n`);
      await host.close();
    },
  );

  it.each(['ssh2', 'ssh'] as const)('that dies in the handshake ends the login by %s', async (transport) => {
    const configFile = through(`sh -c 'echo SSH-2.0-Half; echo the tunnel broke >&2; exit 3'`);
    const program = firedup(['wait', 'box', '-F', configFile, '--transport', transport, '--log', '/x']);
    expect(await program.ended()).toBe(5);
    expect(program.stderr()).toMatch(/box (ended|closed) the connection (during|before)/);
    if (transport === 'ssh2') expect(program.stderr()).toMatch(/ProxyCommand: the tunnel broke/);
  });

  it.each(['ssh2', 'ssh'] as const)('that cannot be found is no riddle by %s', async (transport) => {
    const configFile = through('/nonexistent/tunnel %h %p');
    const program = firedup(['wait', 'box', '-F', configFile, '--transport', transport, '--log', '/x']);
    expect(await program.ended()).toBe(5);
    expect(program.stderr()).toMatch(/\/nonexistent\/tunnel/);
  });
});
