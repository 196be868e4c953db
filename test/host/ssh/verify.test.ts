import { describe, expect, it, vi } from 'vitest';
import type { KeyVerdict, KnownHost } from '../../../src/host/ssh/known-hosts.js';
import { type HostKeyRule, hostKeyVerifier } from '../../../src/host/ssh/verify.js';

const key = blob('ssh-ed25519', 1);
const other = blob('ssh-ed25519', 2);

function blob(type: string, fill: number): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(type.length);
  return Buffer.concat([head, Buffer.from(type), Buffer.alloc(36, fill)]);
}

const entry: KnownHost = {
  file: '/home/me/.ssh/known_hosts',
  line: 7,
  marker: 'plain',
  type: 'ssh-ed25519',
  key: other,
  withoutPort: false,
};

function rule(verdict: KeyVerdict | Error, more: Partial<HostKeyRule> = {}): HostKeyRule {
  return {
    name: '[box]:2222',
    algorithms: ['ssh-ed25519'],
    requiredRsaBits: 1024,
    judge() {
      if (verdict instanceof Error) throw verdict;
      return verdict;
    },
    unknown: 'ask',
    confirm: async () => false,
    remember: vi.fn(),
    ...more,
  };
}

const asked = (verifier: ReturnType<typeof hostKeyVerifier>, offered = key) =>
  new Promise<boolean>((resolve) => expect(verifier.verify(offered, resolve)).toBeUndefined());

describe('the host key verifier', () => {
  it('answers at once for a known key, and at each rekey', () => {
    const verifier = hostKeyVerifier(rule({ kind: 'known' }));
    const late = vi.fn();
    expect(verifier.verify(key, late)).toBe(true);
    expect(verifier.verify(Buffer.from(key), late)).toBe(true);
    expect(late).not.toHaveBeenCalled();
  });

  it('refuses another key at a rekey', () => {
    const verifier = hostKeyVerifier(rule({ kind: 'known' }));
    verifier.verify(key, () => {});
    expect(verifier.verify(other, () => {})).toBe(false);
    expect(verifier.refusal()).toMatchObject({ code: 'host-key-changed' });
  });

  it('is exactly false for a changed key, and names file, line, fingerprints and the way out', () => {
    const verifier = hostKeyVerifier(rule({ kind: 'changed', entry }, { unknown: 'accept' }));
    expect(verifier.verify(key, () => {})).toBe(false);
    const refusal = verifier.refusal();
    expect(refusal).toMatchObject({ code: 'host-key-changed', exitCode: 5 });
    expect(refusal?.message).toMatch(/SHA256:[\w+/]{43}.*SHA256:[\w+/]{43}.*known_hosts:7/);
    expect(refusal?.hint).toContain("ssh-keygen -f '/home/me/.ssh/known_hosts' -R '[box]:2222'");
  });

  it('is false for a revoked key', () => {
    const verifier = hostKeyVerifier(rule({ kind: 'revoked', entry }, { unknown: 'accept' }));
    expect(verifier.verify(key, () => {})).toBe(false);
    expect(verifier.refusal()).toMatchObject({ code: 'host-key-revoked' });
  });

  it('is false whatever goes wrong inside', () => {
    const verifier = hostKeyVerifier(rule(new Error('disk on fire')));
    expect(verifier.verify(key, () => {})).toBe(false);
    expect(verifier.refusal()?.message).toContain('disk on fire');
    expect(verifier.verify(key, () => {})).toBe(false);
  });

  it('asks for a new key, and takes only a plain yes', async () => {
    const confirm = vi.fn(async () => true);
    const yes = hostKeyVerifier(rule({ kind: 'new' }, { confirm }));
    expect(await asked(yes)).toBe(true);
    expect(confirm).toHaveBeenCalledWith({
      host: '[box]:2222',
      type: 'ssh-ed25519',
      fingerprint: expect.stringMatching(/^SHA256:/),
    });
    expect(yes.verify(key, () => {})).toBe(true);

    for (const answer of [false, undefined, 'yes', 1]) {
      const no = hostKeyVerifier(rule({ kind: 'new' }, { confirm: async () => answer as boolean }));
      expect(await asked(no)).toBe(false);
      expect(no.refusal()).toMatchObject({ code: 'host-key-refused' });
      expect(no.verify(key, () => {})).toBe(false);
    }
  });

  it('refuses with the fingerprint when nobody can be asked', async () => {
    const verifier = hostKeyVerifier(
      rule({ kind: 'new' }, { confirm: () => Promise.reject(new Error('no terminal')) }),
    );
    expect(await asked(verifier)).toBe(false);
    expect(verifier.refusal()).toMatchObject({ code: 'host-key-unknown' });
    expect(verifier.refusal()?.message).toMatch(/ssh-ed25519 SHA256:/);
    expect(verifier.refusal()?.hint).toMatch(/--accept-new/);
  });

  it('refuses a second question while the first is open', () => {
    const verifier = hostKeyVerifier(rule({ kind: 'new' }, { confirm: () => new Promise(() => {}) }));
    expect(verifier.verify(key, () => {})).toBeUndefined();
    expect(verifier.verify(key, () => {})).toBe(false);
  });

  it('remembers an accepted key only after the handshake, and only once', () => {
    const accepting = rule({ kind: 'new' }, { unknown: 'accept' });
    const verifier = hostKeyVerifier(accepting);
    expect(verifier.verify(key, () => {})).toBe(true);
    expect(accepting.remember).not.toHaveBeenCalled();
    verifier.commit();
    verifier.commit();
    expect(accepting.remember).toHaveBeenCalledExactlyOnceWith(key);
  });

  it('remembers nothing that was known', () => {
    const known = rule({ kind: 'known' });
    const verifier = hostKeyVerifier(known);
    verifier.verify(key, () => {});
    verifier.commit();
    expect(known.remember).not.toHaveBeenCalled();
  });

  it('says of a host with only a certificate authority why that does not help', () => {
    const verifier = hostKeyVerifier(rule({ kind: 'ca-only', entry }, { unknown: 'refuse' }));
    expect(verifier.verify(key, () => {})).toBe(false);
    expect(verifier.refusal()?.message).toMatch(/certificate authority.*known_hosts:7/);
  });
});
