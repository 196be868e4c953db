import { createDecipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { errorWords } from '../../../src/host/ssh/error-words.js';
import { loginFailure } from '../../../src/host/ssh/link-failures.js';

const error = (message: string, code?: string | number) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

describe('why a link went, for people', () => {
  it.each([
    ['read ECONNRESET', 'ECONNRESET', 'connection reset'],
    ['write EPIPE', 'EPIPE', 'connection reset'],
    ['Premature close', 'ERR_STREAM_PREMATURE_CLOSE', 'connection reset'],
    ['read ETIMEDOUT', 'ETIMEDOUT', 'the host did not answer any more'],
    ['Keepalive timeout', undefined, 'the host did not answer any more'],
    ['read ENETUNREACH', 'ENETUNREACH', 'the network went'],
    ['error:00000000:lib(0)::reason(0)', undefined, 'what came over the link was damaged'],
    [
      'error:1C800064:Provider routines::bad decrypt',
      'ERR_OSSL_BAD_DECRYPT',
      'what came over the link was damaged',
    ],
    ['Invalid MAC', undefined, 'what came over the link was damaged'],
    ['Bad packet length', undefined, 'what came over the link was damaged'],
    ['Too many\u001b]0;x\u0007 tries', 2, 'the host ended it: Too many ]0;x tries'],
    ['something new', undefined, 'something new'],
    ['', undefined, 'no reason given'],
  ])('%s', (message, code, words) => {
    expect(errorWords(error(message, code))).toBe(words);
  });

  it('knows what this OpenSSL says to bytes that were changed on their way', () => {
    const decipher = createDecipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12));
    decipher.setAuthTag(Buffer.alloc(16));
    decipher.update(Buffer.from('changed'));
    try {
      decipher.final();
    } catch (fault) {
      expect(errorWords(fault as Error)).toBe('what came over the link was damaged');
    }
    expect.assertions(1);
  });

  it('is said in the same words where the login was under way', () => {
    const failed = {
      label: 'box',
      error: error('read ECONNRESET', 'ECONNRESET'),
      authFailure: () => never(),
    };
    const head = Buffer.from('SSH-2.0-x\r\n');
    expect(loginFailure({ ...failed, phase: 'handshake', head }).message).toBe(
      'box ended the connection during the handshake (connection reset).',
    );
    expect(loginFailure({ ...failed, phase: 'login', head }).message).toBe(
      'box ended the connection during the login (connection reset).',
    );
    expect(loginFailure({ ...failed, phase: 'handshake', head: Buffer.alloc(0) }).message).toBe(
      'box closed the connection before it said anything (connection reset).',
    );
  });
});

const never = (): never => {
  throw new Error('not to be asked');
};
