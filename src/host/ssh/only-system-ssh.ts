import type { ConfigAnswer } from './read-ssh-config.js';

/**
 * The first option that is set and that only the system's ssh can honour; null when there is none. `defaults` is what the
 * same ssh says without any config: the defaults of some options have changed from one release to another.
 */
export function onlySystemSsh(answer: ConfigAnswer, defaults: ConfigAnswer | null): string | null {
  const isSet = (option: string): boolean => {
    const value = answer.get(option.toLowerCase())?.[0];
    return value !== undefined && !off.has(value) && value !== defaults?.get(option.toLowerCase())?.[0];
  };
  return options.find(isSet) ?? null;
}

/** What they do to the way, the login, its checks or its keys, ssh2 does not do. */
const options = [
  'RefuseConnection',
  'KnownHostsCommand',
  'PKCS11Provider',
  'ProxyUseFdpass',
  'BindAddress',
  'BindInterface',
  'HostbasedAuthentication',
  'CheckHostIP',
  'RekeyLimit',
];

const off = new Set(['no', 'false', 'none', '0 0', 'default none', 'default 0']);
