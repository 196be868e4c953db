import { describe, expect, it } from 'vitest';
import { parseHostLabel } from '../../src/host/spec.js';

describe('a host label', () => {
  it.each([
    ['gpu-box', { user: null, host: 'gpu-box', port: null }],
    ['me@gpu-box', { user: 'me', host: 'gpu-box', port: null }],
    ['me@10.0.0.7:2222', { user: 'me', host: '10.0.0.7', port: 2222 }],
    ['[fd00::7]:2222', { user: null, host: 'fd00::7', port: 2222 }],
    ['me@[fe80::1%eth0]', { user: 'me', host: 'fe80::1%eth0', port: null }],
    ['fd00::7', { user: null, host: 'fd00::7', port: null }],
    ['me@corp.example@jump:22', { user: 'me@corp.example', host: 'jump', port: 22 }],
    ['ssh://me@gpu-box:2222', { user: 'me', host: 'gpu-box', port: 2222 }],
    ['ssh://gpu-box/', { user: null, host: 'gpu-box', port: null }],
  ])('%s', (label, expected) => {
    expect(parseHostLabel(label)).toEqual(expected);
  });

  it.each([
    '-oProxyCommand=touch /tmp/x',
    'me@-oProxyCommand=x',
    '-l@host',
    'host;reboot',
    'host name',
    '$(id)',
    'a`id`',
    'host\n',
    'host\u001b[2J',
    '',
    'me@',
    '@host',
    'host:0',
    'ssh://',
    'ssh://host/folder',
    'host:65536',
    'host:99999',
  ])('refuses %j', (label) => {
    expect(() => parseHostLabel(label)).toThrowError(expect.objectContaining({ code: 'usage', exitCode: 2 }));
  });
});
