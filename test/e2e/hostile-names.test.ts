import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../soak/faults.js';
import { type AskingServer, startAskingServer } from '../support/asking-server.js';
import { available } from '../support/available.js';
import { hangUp } from '../support/hang-up.js';
import { hostileLine, hostileName } from '../support/hostile.js';
import { firedup, type Program, stopPrograms } from '../support/program.js';
import { startTail, type Tail } from '../support/tail.js';
import { until } from '../support/until.js';

const random = randomFrom(23);
/** Nothing that a terminal acts on, and nothing that turns the direction of a line. */
const unsafe = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

const said = (program: Program): string =>
  [...program.lines.map(({ text }) => text), program.stderr()].join('\n');

describe.skipIf(!available('ssh'))('hostile words in names and in a hang-up', () => {
  let box: AskingServer;
  const open = new Set<Connection>();
  let hangsUpAtLogin = false;
  const description = (): Buffer => Buffer.from(hostileLine(random).subarray(0, 200));

  beforeAll(async () => {
    box = await startAskingServer((login, connection) => {
      if (hangsUpAtLogin) return hangUp(connection, description());
      open.add(connection);
      login.accept();
    });
    writeFileSync(join(box.folder, 'log'), 'one\n');
  });
  afterEach(stopPrograms);
  afterAll(() => box.stop());

  const waitFor = (label: string, config: string, transport: string): Program =>
    firedup(['wait', label, '-F', config, '--transport', transport, '--log', '/nowhere', '--timeout', '3s']);

  it.each(['ssh2', 'ssh'])('gets nothing of a host’s name to the terminal, by %s', async (transport) => {
    const name = (length: number): string => hostileName(random, length).replaceAll(/[\r"#]/g, '');
    const configs = [
      ['HostName', name(40)],
      ['HostName', `nowhere.invalid${name(20)}`],
      ['User', name(40)],
      ['HostKeyAlias', name(40)],
      ['ProxyJump', name(40)],
      ['ProxyCommand', `printf '${name(40).replaceAll("'", '')}' >&2; false`],
      ['UserKnownHostsFile', `/nowhere/${name(40)}`],
      ['IdentityFile', `/nowhere/${name(40)}`],
      ['Port', name(10)],
      [name(12), 'yes'],
    ];
    // How a config is read is the same for both; what is said of a failed connection is not.
    const tried =
      transport === 'ssh2'
        ? configs
        : configs.filter(([option]) => /^(HostName|ProxyCommand)$/.test(option ?? ''));
    const programs = tried.map(([option, value], n) => {
      const config = join(box.folder, `names.${transport}.${n}`);
      const text = [
        'Host evil',
        `  ${option} ${value}`,
        'Host *',
        '  HostName 127.0.0.1',
        `  Port ${box.port}`,
        '  User me',
        '  IdentityAgent none',
        `  UserKnownHostsFile ${box.knownHosts}`,
        '  GlobalKnownHostsFile /dev/null',
      ];
      writeFileSync(config, `${text.join('\n')}\n`);
      return waitFor('evil', config, transport);
    });
    programs.push(
      waitFor(name(20), box.config, transport),
      waitFor(`me@${name(20)}`, box.config, transport),
      waitFor(`${name(20)}@box`, box.config, transport),
    );
    for (const [index, program] of programs.entries()) {
      const code = await program.ended();
      // A word that is none of our faults; and never that of a server that is ready or has crashed.
      expect([2, 4, 5], `${tried[index]}: ${said(program)}`).toContain(code);
      expect(said(program)).not.toMatch(unsafe);
      expect(said(program)).not.toBe('');
    }
  });

  it.each(['ssh2', 'ssh'])('gets nothing of a hang-up to the terminal, by %s', async (transport) => {
    const tails: Tail[] = [];
    try {
      for (let n = 0; n < 2; n += 1) {
        hangsUpAtLogin = false;
        const options = ['-F', box.config, '--transport', transport, '--log', join(box.folder, 'log')];
        const tail = startTail(['box', ...options, '-n', '+1']);
        tails.push(tail);
        await tail.waitForBytes(4);
        // First in the middle of it, then at every login after that.
        hangsUpAtLogin = true;
        for (const connection of open) hangUp(connection, description());
        open.clear();
        const before = box.connections();
        await tail.waitForError(/connecting again/);
        await until(() => box.connections() > before, 'it comes again');
        hangsUpAtLogin = false;
        await tail.waitForError(/connected again/);
        expect(tail.stderr()).toMatch(transport === 'ssh2' ? /the host ended it/ : /connecting again/);
        expect(tail.stderr()).not.toMatch(unsafe);
        expect(tail.bytes().toString()).toBe('one\n');
        await tail.stop();
      }
      hangsUpAtLogin = true;
      const refused = waitFor('box', box.config, transport);
      expect(await refused.ended()).toBe(5);
      expect(said(refused)).not.toMatch(unsafe);
    } finally {
      hangsUpAtLogin = false;
      for (const tail of tails) await tail.stop();
    }
  });
});
