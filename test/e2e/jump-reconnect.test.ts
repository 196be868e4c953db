import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { available } from '../support/available.js';
import { startLinkProxy } from '../support/link-proxy.js';
import { type Sshd, startSshd } from '../support/sshd.js';
import { startTail } from '../support/tail.js';
import { until } from '../support/until.js';

// The way leads over a door, and only what is behind it breaks: the connection to the door would live on.
describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('a link that breaks behind a jump host', () => {
  it.concurrent.for([
    ['ssh2', 'blackhole'],
    ['ssh', 'reset'],
  ] as const)(
    'leaves the door, by %s, before it comes in again, after a %s',
    async ([transport, fault], { onTestFinished, expect }) => {
      const [door, box] = await Promise.all([startSshd(), startSshd()]);
      onTestFinished(async () => {
        await Promise.all([door.stop(), box.stop()]);
      });
      const behind = await startLinkProxy(box.port);
      onTestFinished(() => behind.stop());
      const log = join(box.home, 'server.log');
      writeFileSync(log, 'one\n');
      const config = box.sshConfig(
        'Host door',
        '  HostName 127.0.0.1',
        `  Port ${door.port}`,
        `  IdentityFile ${door.clientKey}`,
        '  IdentitiesOnly yes',
        `  UserKnownHostsFile ${door.knownHostsFile}`,
        'Host box',
        '  HostName 127.0.0.1',
        `  Port ${behind.port}`,
        `  HostKeyAlias [127.0.0.1]:${box.port}`,
        '  ProxyJump door',
      );
      const tail = startTail(['box', '-F', config, '--transport', transport, '--log', log, '-n', '+1']);
      onTestFinished(() => tail.stop());
      await tail.waitForBytes(4);
      behind[fault]();
      await tail.waitForError(/connecting again/);
      behind.restore();
      appendFileSync(log, 'two\n');
      await tail.waitForBytes(8);
      expect(tail.bytes().toString()).toBe('one\ntwo\n');
      await until(() => story(door).length >= 3, 'the door has said all of it');
      expect(story(door)).toEqual(['in', 'out', 'in']);
    },
  );
});

/** Logins and goodbyes of a machine so far. */
const story = (sshd: Sshd): readonly string[] =>
  [...sshd.log().matchAll(/(Accepted publickey|Disconnected from user|Connection closed by)/g)].map(
    ([words]) => (words.startsWith('Accepted') ? 'in' : 'out'),
  );
