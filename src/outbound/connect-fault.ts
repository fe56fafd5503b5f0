// Connection errors with the messages of Go's network packages, which people and programs know from Kubernetes.

import { lookup } from '../base/lookup.ts';
import { tlsFault } from './tls-fault.ts';

/** Node's error; it has a certificate if that is for another name. */
export interface ConnectError extends Error {
  readonly code?: string;
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

const SYSTEM_FAULTS: Readonly<Record<string, string>> = lookup({
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'connect: connection timed out',
  ECONNRESET: 'read: connection reset by peer',
});

const UNIX_FAULTS: Readonly<Record<string, string>> = lookup({
  ECONNREFUSED: 'connect: connection refused',
  ENOENT: 'connect: no such file or directory',
  EACCES: 'connect: permission denied',
});

const ENDED: ReadonlySet<string> = new Set([
  'socket hang up',
  'Client network socket disconnected before secure TLS connection was established',
]);

const UNKNOWN_AUTHORITY = 'x509: certificate signed by unknown authority';

const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = lookup({
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'x509: certificate has expired or is not yet valid',
});

/** An error with Go's message: `dial tcp 10.0.0.1:10250: connect: connection refused`. */
export function connectFault(error: ConnectError, { host, port }: { host: string; port: number }): string {
  const { code = '' } = error;
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `tls: failed to verify certificate: ${wrongName(error)}`;
  const certificate = CERTIFICATE_FAULTS[code];
  if (certificate !== undefined) return `tls: failed to verify certificate: ${certificate}`;
  // Node has the same code for a connection that was reset and for one that closed without a response.
  if (ENDED.has(error.message)) return 'EOF';
  if (code === 'EPROTO') return tlsFault(error.message);
  const words = SYSTEM_FAULTS[code] ?? error.message;
  return words.startsWith('connect:') || words === 'i/o timeout' ? `dial tcp ${address}: ${words}` : words;
}

/** An error connecting to a Unix domain socket, with Go's message. */
export function unixFault({ code = '', message }: ConnectError, path: string): string {
  return `dial unix ${path}: ${UNIX_FAULTS[code] ?? message}`;
}

function wrongName({ host = '', cert }: ConnectError): string {
  const names = (cert?.subjectaltname ?? '').split(', ').map((each) => each.replace(/^(DNS|IP Address):/, ''));
  const own = names.filter((each) => each !== '').join(', ');
  return own === ''
    ? `x509: certificate is not valid for any names, but wanted to match ${host}`
    : `x509: certificate is valid for ${own}, not ${host}`;
}
