import { describeError } from '../../errors.js';
import { plainText } from '../plain-text.js';

/** An error of ssh2, of a socket or of OpenSSL as one clear phrase for the middle of a sentence. */
export function errorWords(error: Error & { readonly code?: unknown }): string {
  const { code } = error;
  // ssh2 gives the number of an SSH_MSG_DISCONNECT (RFC 4253, 11.1); the words are the server's.
  if (typeof code === 'number') return `the host ended it: ${plainText(error.message)}`;
  const text = `${typeof code === 'string' ? code : ''} ${error.message}`;
  return (
    phrases.find(([pattern]) => pattern.test(text))?.[1] ??
    (plainText(describeError(error)) || 'no reason given')
  );
}

const phrases: readonly (readonly [pattern: RegExp, phrase: string])[] = [
  [
    /ECONNRESET|ECONNABORTED|EPIPE|socket hang up|premature close|reset by peer|broken pipe/i,
    'connection reset',
  ],
  [/ETIMEDOUT|Keepalive timeout|Timed out|No response from server/i, 'the host did not answer any more'],
  [/ENETUNREACH|ENETDOWN|EHOSTUNREACH|EHOSTDOWN|ENONET|EADDRNOTAVAIL/, 'the network went'],
  [/^ ?Connection lost before handshake/, 'the host closed it'],
  // What cannot be decrypted or read: OpenSSL's `error:1C800064:…`, a wrong MAC, a packet that makes no sense.
  [
    /\berror:[0-9A-F]{8}:|ERR_OSSL|ERR_CRYPTO|unable to authenticate data|bad decrypt|Invalid MAC|packet length|Malformed|Bad packet|Packet corrupt|Corrupted MAC|Connection corrupted|authentication code incorrect|padding|Inbound: /i,
    'what came over the link was damaged',
  ],
];
