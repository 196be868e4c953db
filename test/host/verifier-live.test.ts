import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyring } from '../../src/host/keyring.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { loginAuth } from '../../src/host/ssh/auth.js';
import { resolveDestination } from '../../src/host/ssh/config.js';
import { configuredHop } from '../../src/host/ssh/hop.js';
import { collectIdentities } from '../../src/host/ssh/identities.js';
import { openLink } from '../../src/host/ssh/link.js';
import { sshHost } from '../../src/host/ssh/ssh-host.js';
import { ssh2Transport } from '../../src/host/ssh/ssh2-transport.js';
import { openTcp } from '../../src/host/ssh/transport.js';
import { hostKeyVerifier, type Verifier } from '../../src/host/ssh/verify.js';
import { available } from '../support/available.js';
import { type Sshd, startSshd } from '../support/sshd.js';

// The verifier as ssh2 asks it, at a real sshd that asks for new keys after each megabyte.
describe.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))('the host key verifier on a live connection', () => {
  let sshd: Sshd;
  beforeEach(async () => {
    sshd = await startSshd({ config: ['RekeyLimit 1M'] });
  });
  afterEach(() => sshd.stop());

  let serverTakes: () => readonly string[] | null = () => null;
  const never = new AbortController().signal;

  /** Logs in with a verifier made of the one that the config asks for. */
  async function logIn(make: (real: Verifier) => Verifier['verify']) {
    const destination = await resolveDestination(
      { label: sshd.label, configFile: sshd.sshConfig() },
      process.env,
    );
    const hop = configuredHop(destination);
    const options = { prompts: noPrompts, keyring: keyring(), notice: () => {} };
    const rule = hop.rule(options);
    const real = hostKeyVerifier(rule);
    const identities = await collectIdentities(destination, options);
    const link = await openLink(
      {
        label: 'box',
        transport: await openTcp({ ...hop, timeoutMs: 60_000, attempts: 1 }, never),
        user: hop.user,
        algorithms: hop.algorithms,
        verifier: { ...real, verify: make(real) },
        auth(asking, announced) {
          serverTakes = announced;
          return loginAuth({
            ...hop,
            accepted: hop.algorithms.publicKeys,
            host: 'box',
            identities,
            prompts: noPrompts,
            asking,
            announced,
          });
        },
      },
      never,
    );
    const transport = ssh2Transport({ link, close: () => link.close() });
    return sshHost('box', transport, false);
  }
  const megabytes = 'head -c 4000000 /dev/zero';

  it('leaves it to be known what the server announces, which ssh2 keeps to itself', async () => {
    const host = await logIn((real) => real.verify);
    expect(serverTakes()).toEqual(expect.arrayContaining(['ssh-ed25519', 'rsa-sha2-512']));
    await host.close();
  });

  it('is asked again and again, and goes on with the same key', async () => {
    let calls = 0;
    const host = await logIn((real) => (key, answer) => {
      calls += 1;
      return real.verify(key, answer);
    });
    expect((await run(host, megabytes)).stdout).toHaveLength(4_000_000);
    expect(calls).toBeGreaterThan(2);
    await host.close();
  });

  it('ends the connection where another key is shown in the middle of it', async () => {
    let calls = 0;
    const host = await logIn((real) => (key, answer) => {
      calls += 1;
      if (calls === 1) return real.verify(key, answer);
      const other = Buffer.from(key);
      other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
      return real.verify(other, answer);
    });
    const down = new Promise<string>((resolve) => host.onDown(({ reason }) => resolve(reason)));
    const cut = await run(host, megabytes).catch((error: unknown) => error);
    expect(cut).toMatchObject({ lost: true });
    expect(await down).toMatch(/another host key in the middle of the connection: ssh-ed25519 SHA256:/);
    await expect(run(host, 'true')).rejects.toMatchObject({ code: 'link-lost' });
    expect(calls).toBe(2);
    await host.close();
  });

  it('refuses the login where it fails, before anything of ours was sent', async () => {
    const broken: Verifier['verify'] = () => {
      throw new TypeError('a fault of the verifier');
    };
    await expect(logIn(() => broken)).rejects.toMatchObject({ exitCode: 5 });
    expect(sshd.log()).not.toMatch(/Accepted|Failed|Postponed/);
  });
});
