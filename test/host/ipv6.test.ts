import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import type { HostSpec } from '../../src/host/spec.js';
import { available } from '../support/available.js';
import { type Sshd, startSshd } from '../support/sshd.js';
import { until } from '../support/until.js';

const hasLoopback = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1');

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen') || !hasLoopback)('a host at an IPv6 address', () => {
  let box: Sshd;
  let door: Sshd;
  beforeAll(async () => {
    [box, door] = await Promise.all([
      startSshd({ config: ['ListenAddress ::1'] }),
      startSshd({ config: ['ListenAddress ::1'] }),
    ]);
    for (const sshd of [box, door])
      await until(() => /listening on ::1 port/.test(sshd.log()), 'sshd listens on ::1');
  });
  afterAll(async () => {
    await box?.stop();
    await door?.stop();
  });

  /** Both are known by their IPv6 addresses only, and both take the key of `box`. */
  function config(...lines: readonly string[]): string {
    const known = join(box.folder, 'known_v6');
    writeFileSync(
      known,
      `[::1]:${box.port} ${box.hostKeys.ed25519}\n[::1]:${door.port} ${door.hostKeys.ed25519}\n`,
    );
    const file = join(box.folder, 'config_v6');
    const own = [
      ...lines,
      'Host *',
      `  User ${box.user}`,
      `  IdentityFile ${box.clientKey}`,
      `  IdentityFile ${door.clientKey}`,
      '  IdentitiesOnly yes',
      `  UserKnownHostsFile ${known}`,
      '  GlobalKnownHostsFile /dev/null',
    ];
    writeFileSync(file, `${own.join('\n')}\n`, { mode: 0o600 });
    return file;
  }

  async function peerOf(spec: HostSpec): Promise<string> {
    const host = await connectHost(spec, { prompts: noPrompts });
    try {
      return (await run(host, 'echo "$SSH_CONNECTION"')).stdout.trim();
    } finally {
      await host.close();
    }
  }

  describe.each(['ssh2', 'ssh'] as const)('by %s', (transport) => {
    const at = () => new RegExp(`^::1 \\d+ ::1 ${box.port}$`);

    it.each([
      ['in brackets with its port', () => ({ label: `[::1]:${box.port}` })],
      ['with a user', () => ({ label: `${box.user}@[::1]:${box.port}` })],
      ['as ssh://', () => ({ label: `ssh://[::1]:${box.port}` })],
      ['bare, with -p', () => ({ label: '::1', port: box.port })],
      ['written out, under the HostKeyAlias of its line', () => ({ label: 'long', port: box.port })],
    ])('is reached %s', async (_name, spec) => {
      const alias = ['Host long', '  HostName 0:0:0:0:0:0:0:1', `  HostKeyAlias [::1]:${box.port}`];
      expect(await peerOf({ ...spec(), configFile: config(...alias), transport })).toMatch(at());
    });

    it('is reached through a jump host at one, by -J and by the config', async () => {
      const before = door.log().length;
      const label = `[::1]:${box.port}`;
      const jump = `${door.user}@[::1]:${door.port}`;
      const byFlag = { label, configFile: config(), jump, transport };
      expect(await peerOf(byFlag)).toMatch(at());
      const lines = ['Host box', '  HostName ::1', `  Port ${box.port}`, `  ProxyJump ${jump}`];
      expect(await peerOf({ label: 'box', configFile: config(...lines), transport })).toMatch(at());
      expect(
        door
          .log()
          .slice(before)
          .match(/Accepted publickey/g),
      ).toHaveLength(2);
    });
  });
});
