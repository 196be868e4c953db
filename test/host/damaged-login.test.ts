import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectHost } from '../../src/host/connect.js';
import { isFinal } from '../../src/host/failures.js';
import type { Host } from '../../src/host/host.js';
import { noPrompts } from '../../src/host/prompts.js';
import { available } from '../support/available.js';
import { type LinkProxy, startLinkProxy } from '../support/link-proxy.js';
import { type Sshd, startSshd } from '../support/sshd.js';

describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('a link that damages what it carries', () => {
  let sshd: Sshd;
  let proxy: LinkProxy;

  beforeEach(async () => {
    sshd = await startSshd();
    proxy = await startLinkProxy(sshd.port);
  });
  afterEach(async () => {
    await proxy.stop();
    await sshd.stop();
  });

  it('ends a login by the system ssh in a way that is worth another try', async () => {
    const configFile = sshd.configBehind(proxy);
    const connect = (): Promise<Host> =>
      connectHost({ label: 'box', configFile, transport: 'ssh' }, { prompts: noPrompts });
    await (await connect()).close();
    // From the end of the login backwards: all of that is encrypted. Before, it looks like another key, which may be meant.
    let failures = 0;
    for (let byte = proxy.bytesDown; failures < 4; byte -= 90) {
      proxy.damage(byte);
      const outcome = await connect().catch((error: unknown) => error);
      if (!(outcome instanceof Error)) {
        // What comes after the login hits another time.
        await (outcome as Host).close();
        continue;
      }
      failures += 1;
      expect([isFinal(outcome), outcome.message]).toEqual([
        false,
        expect.stringMatching(/damaged|ended the connection/),
      ]);
    }
  });
});
