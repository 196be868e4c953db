import type { ConfigAnswer } from './read-ssh-config.js';

/** A way to log in that ssh2 has, as SSH names it. */
export type LoginMethod = 'publickey' | 'keyboard-interactive' | 'password';

/** ssh_config(5): PreferredAuthentications gives the order and leaves out others; `no` forbids one. */
export function loginMethods(answer: ConfigAnswer): readonly LoginMethod[] {
  const preferred = answer.get('preferredauthentications')?.[0]?.split(',');
  // Older releases of ssh print two names of one switch: either forbids.
  const forbids = (value: string) => value === 'no' || value === 'false';
  const allowed = usualMethods.filter((method) => !answer.get(switches[method])?.some(forbids));
  if (preferred === undefined) return allowed;
  return allowed
    .filter((method) => preferred.includes(method))
    .sort((a, b) => preferred.indexOf(a) - preferred.indexOf(b));
}

/** In OpenSSH's order. */
export const usualMethods: readonly LoginMethod[] = ['publickey', 'keyboard-interactive', 'password'];

const switches: Readonly<Record<LoginMethod, string>> = {
  publickey: 'pubkeyauthentication',
  'keyboard-interactive': 'kbdinteractiveauthentication',
  password: 'passwordauthentication',
};
