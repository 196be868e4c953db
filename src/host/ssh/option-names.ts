/** The name of an ssh option as `ssh -G` of today prints it: lower case, and not one of its former names. */
export function optionName(written: string): string {
  const name = written.toLowerCase();
  return formerNames[name] ?? name;
}

/** readconf.c; until OpenSSH 8.4 to 8.6 `ssh -G` itself printed some of them. */
const formerNames: Readonly<Record<string, string>> = {
  pubkeyacceptedkeytypes: 'pubkeyacceptedalgorithms',
  challengeresponseauthentication: 'kbdinteractiveauthentication',
  skeyauthentication: 'kbdinteractiveauthentication',
  tisauthentication: 'kbdinteractiveauthentication',
  dsaauthentication: 'pubkeyauthentication',
  rsaminsize: 'requiredrsasize',
};
