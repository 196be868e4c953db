import { describe, expect, it } from 'vitest';
import { usualAlgorithms } from '../../../src/host/ssh/algorithms.js';
import {
  algorithmOrder,
  hostField,
  hostName,
  judgeKey,
  knownHosts,
} from '../../../src/host/ssh/known-hosts.js';

const blob = (type: string, fill: number): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(type.length);
  return Buffer.concat([head, Buffer.from(type), Buffer.alloc(32, fill)]);
};
const ed25519 = blob('ssh-ed25519', 1);
const rsa = blob('ssh-rsa', 2);
const foreign = blob('ssh-ed25519', 3);
const line = (hosts: string, key: Buffer, marker = '') =>
  `${marker}${hosts} ${key.toString('latin1', 4, 4 + key.readUInt32BE(0))} ${key.toString('base64')}\n`;
const box = hostName('Box', 22, null);
const boxAt2222 = hostName('Box', 2222, null);
const verdict = (text: string, who = box, key = ed25519) => judgeKey(knownHosts(text, 'f', who), key).kind;

describe('known_hosts', () => {
  it.each([
    ['a plain name', line('box', ed25519), 'known'],
    ['a name in another case', line('BOX', ed25519), 'known'],
    ['one of several names', line('other,box', ed25519), 'known'],
    ['a hashed name', line(hostField('box', Buffer.alloc(20, 9)), ed25519), 'known'],
    ['a wildcard', line('b*,!bo?y', ed25519), 'known'],
    ['a question mark', line('b?x', ed25519), 'known'],
    ['a negated name', line('*,!box', ed25519), 'new'],
    ['another key', line('box', foreign), 'changed'],
    ['another key of another type', line('box', rsa), 'changed'],
    ['another key beside the right one', line('box', foreign) + line('box', ed25519), 'known'],
    ['a revoked key, known elsewhere', line('box', ed25519) + line('*', ed25519, '@revoked '), 'revoked'],
    ['another key that is revoked', line('*', foreign, '@revoked '), 'new'],
    ['a certificate authority only', line('box', foreign, '@cert-authority '), 'ca-only'],
    ['an unknown marker', line('box', ed25519, '@trusted '), 'new'],
    ['nothing', '', 'new'],
    ['comments and blank lines', `# box\n\n  \n${line('box', ed25519)}`, 'known'],
    ['a file with CRLF', line('box', ed25519).replace('\n', '\r\n'), 'known'],
    ['leading blanks and tabs', `\t ${line('box', ed25519).replaceAll(' ', ' \t')}`, 'known'],
    ['no final newline', line('box', ed25519).trimEnd(), 'known'],
    ['a key whose inner type differs', `box ssh-rsa ${ed25519.toString('base64')}\n`, 'new'],
    ['base64 that is none', 'box ssh-ed25519 AAA*\n', 'new'],
    ['a hash of an unknown version', line(`|2|${'A'.repeat(28)}|${'A'.repeat(28)}`, ed25519), 'new'],
  ])('%s', (_name, text, expected) => {
    expect(verdict(text)).toBe(expected);
  });

  it('keeps keys of other ports apart', () => {
    expect(verdict(line('[box]:2222', ed25519), boxAt2222)).toBe('known');
    expect(verdict(line('[box]:2222', ed25519), box)).toBe('new');
    expect(verdict(line('[box]:2222', foreign), boxAt2222)).toBe('changed');
  });

  it('recognises the key of the bare name at another port, but refuses nothing by it', () => {
    expect(verdict(line('box', ed25519), boxAt2222)).toBe('known');
    expect(verdict(line('box', foreign), boxAt2222)).toBe('new');
    expect(verdict(line('box', ed25519, '@revoked '), boxAt2222)).toBe('revoked');
  });

  it('looks up an alias as it stands, without a port', () => {
    expect(verdict(line('gpu', ed25519), hostName('10.0.0.1', 2222, 'gpu'))).toBe('known');
    expect(verdict(line('10.0.0.1', ed25519), hostName('10.0.0.1', 2222, 'gpu'))).toBe('new');
  });

  it('gives file and line of what it found', () => {
    const [entry] = knownHosts(`# first\n${line('box', ed25519)}`, '/etc/hosts.known', box);
    expect(entry).toMatchObject({ file: '/etc/hosts.known', line: 2 });
  });

  it('asks for the known type first, so that a host known by RSA does not look changed', () => {
    const known = knownHosts(line('box', rsa), 'f', box);
    const { hostKeys } = usualAlgorithms();
    expect(algorithmOrder(known, hostKeys).slice(0, 2)).toEqual(['rsa-sha2-512', 'rsa-sha2-256']);
    expect(algorithmOrder([], hostKeys)[0]).toBe('ssh-ed25519');
    expect(algorithmOrder([], hostKeys)).not.toContain('ssh-rsa');
    // Never one that the config does not allow.
    expect(algorithmOrder(known, ['ssh-ed25519', 'rsa-sha2-256'])).toEqual(['rsa-sha2-256', 'ssh-ed25519']);
    expect(algorithmOrder(known, ['ssh-ed25519'])).toEqual(['ssh-ed25519']);
  });

  it('is not caught by a pattern made to be slow', () => {
    expect(verdict(line(`${'*a'.repeat(2000)}b`, ed25519), hostName('a'.repeat(4000), 22, null))).toBe('new');
  });
});
