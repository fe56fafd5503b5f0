// TLS handshake errors with the messages of Go's TLS package. Node has a single code for them, and OpenSSL's own line
// with source files and addresses.

import { lookup } from '../base/lookup.ts';

/** Messages of TLS alerts by number. */
const ALERTS: Readonly<Record<string, string>> = lookup({
  10: 'unexpected message',
  20: 'bad record MAC',
  21: 'decryption failed',
  22: 'record overflow',
  30: 'decompression failure',
  40: 'handshake failure',
  42: 'bad certificate',
  43: 'unsupported certificate',
  44: 'revoked certificate',
  45: 'expired certificate',
  46: 'unknown certificate',
  47: 'illegal parameter',
  48: 'unknown certificate authority',
  49: 'access denied',
  50: 'error decoding message',
  51: 'error decrypting message',
  60: 'export restriction',
  70: 'protocol version not supported',
  71: 'insufficient security level',
  80: 'internal error',
  86: 'inappropriate fallback',
  90: 'user canceled',
  100: 'no renegotiation',
  109: 'missing extension',
  110: 'unsupported extension',
  111: 'certificate unobtainable',
  112: 'unrecognized name',
  113: 'bad certificate status response',
  114: 'bad certificate hash value',
  115: 'unknown PSK identity',
  116: 'certificate required',
  120: 'no application protocol',
});

/** The error in OpenSSL's text: an alert, or a peer without TLS; otherwise only its reason. */
export function tlsFault(message: string): string {
  const alert = ALERTS[/SSL alert number (\d+)/.exec(message)?.[1] ?? ''];
  if (alert !== undefined) return `remote error: tls: ${alert}`;
  const reason = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1];
  // A peer with the wrong protocol is nearly always a plain HTTP server; Node does not show its response.
  if (reason === 'wrong version number') return 'http: server gave HTTP response to HTTPS client';
  return reason === undefined ? message : `tls: ${reason}`;
}
