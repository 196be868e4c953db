import { usageError } from '../errors.js';

/** Where to connect to, from the command line or from the demo. */
export interface HostSpec {
  /** `local`, an ssh_config alias, or `[user@]host[:port]`; an IPv6 address with a port stands in brackets. */
  readonly label: string;
  /** As ssh's `-F`. */
  readonly configFile?: string;
  /** As ssh's `-i`. */
  readonly identityFile?: string;
  /** As ssh's `-p`; wins over a port in the label. */
  readonly port?: number;
  /** As ssh's `-J`: `[user@]host[:port]`, comma separated, first hop first. */
  readonly jump?: string;
  /** Takes an unknown host key without asking; a changed one is refused all the same. */
  readonly acceptNew?: boolean;
  /** Who speaks SSH: ssh2 within this process, or the system's `ssh`. Without it, whichever can do what is asked for. */
  readonly transport?: 'ssh' | 'ssh2';
  /** For a server of our own: its host key and our key are given, and nothing is read from the user's files. */
  readonly trusted?: TrustedServer;
}

export interface TrustedServer {
  /** As in a `.pub` file: `ssh-ed25519 AAAA…`. */
  readonly hostKey: string;
  /** Unencrypted private key, OpenSSH or PEM. */
  readonly privateKey: string;
}

export interface HostLabel {
  readonly user: string | null;
  readonly host: string;
  readonly port: number | null;
}

/**
 * Splits `[user@]host[:port]`, or `ssh://` and the same, as ssh(1) takes it; throws a usage error for what could be taken
 * for an option or by a shell.
 */
export function parseHostLabel(label: string): HostLabel {
  const text = label.replace(/^ssh:\/\/(.*?)\/?$/, '$1');
  const at = text.lastIndexOf('@');
  const user = at < 0 ? null : text.slice(0, at);
  const rest = text.slice(at + 1);
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(rest);
  // More than one colon without brackets is a bare IPv6 address.
  const plain = /^([^:]+):(\d+)$/.exec(rest);
  const host = bracketed?.[1] ?? plain?.[1] ?? rest;
  const digits = bracketed?.[2] ?? plain?.[2];
  const port = digits === undefined ? null : Number(digits);
  if (!isSafeHost(host)) throw usageError(`${JSON.stringify(host)} is not a valid host name.`, hostForm);
  if (user !== null && !isSafeUser(user))
    throw usageError(`${JSON.stringify(user)} is not a valid user name.`, hostForm);
  if (port !== null && !isPort(port))
    throw usageError(`${digits} is not a port number (1 to 65535).`, hostForm);
  return { user, host, port };
}

const hostForm = 'A host is written local, as an alias of the ssh config, or as [user@]host[:port].';

/** A port number that can be connected to. */
export const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65536;

// As OpenSSH's valid_hostname: no leading dash, no blanks, control characters or shell metacharacters.
const isSafeHost = (host: string): boolean =>
  /^(?!-|:(?!:))[^\s\u0000-\u001f\u007f-\u009f'"`$\\;&<>|(){}[\]@,/]+$/.test(host);

// As OpenSSH's valid_ruser.
const isSafeUser = (user: string): boolean =>
  /^(?!-)[^\u0000-\u001f\u007f-\u009f'"`;&<>|(){}]+$/.test(user) && !/\s-|\\$/.test(user);
