import { createHash } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { usageError } from '../../errors.js';

/** What the tokens of ssh_config(5) TOKENS stand for. */
export interface TokenValues {
  /** As written by the user (`%n`). */
  readonly originalHost: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly hostKeyAlias: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * A path of ssh_config with `~`, `%` tokens and `${NAME}` put in, which `ssh -G` leaves as they are. Throws a usage
 * error for an unknown token or a missing variable, as ssh does.
 */
export function expandPath(path: string, values: TokenValues): string {
  const atHome = path === '~' || path.startsWith('~/');
  const absolute = atHome ? `${userInfo().homedir}${path.slice(1)}` : path;
  const withVariables = absolute.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_all, name: string) => {
    const value = values.env[name];
    if (value === undefined)
      throw usageError(`The ssh config uses \${${name}} in ${path}, which is not set.`);
    return value;
  });
  return expandTokens(withVariables, values);
}

/** A word of ssh_config with its `%` tokens put in; throws a usage error for an unknown one. */
export function expandTokens(text: string, values: TokenValues): string {
  const { homedir, uid, username } = userInfo();
  const tokens: Record<string, string> = {
    '%': '%',
    d: homedir,
    h: values.host,
    i: String(uid),
    k: values.hostKeyAlias ?? values.originalHost,
    L: hostname().split('.')[0] ?? '',
    l: hostname(),
    n: values.originalHost,
    p: String(values.port),
    r: values.user,
    u: username,
    C: createHash('sha1').update(`${hostname()}${values.host}${values.port}${values.user}`).digest('hex'),
  };
  return text.replace(/%(.?)/g, (_all, name: string) => {
    const value = tokens[name];
    if (value === undefined)
      throw usageError(`The ssh config uses %${name} in ${text}, which is not supported.`);
    return value;
  });
}
