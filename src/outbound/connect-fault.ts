// Connection errors with the messages of Go's network packages, which people and programs know from Kubernetes.

import { Buffer } from 'node:buffer';
import { isIP } from 'node:net';
import { goQuote } from '../base/go-quote.ts';
import { hostAndPort } from '../base/host-port.ts';
import { limits } from '../base/limits.ts';
import { lookup } from '../base/lookup.ts';
import { tlsFault } from './tls-fault.ts';

/** Node's error; it has a certificate if that is for another name. */
export interface ConnectError extends Error {
  readonly code?: string;
  readonly host?: string;
  /** The address of a connection that was refused. */
  readonly address?: string;
  /** What Node's HTTP parser could not read. */
  readonly rawPacket?: Uint8Array;
  /** One for each address of a name, if there are several. */
  readonly errors?: readonly ConnectError[];
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
  // A name is reported by the address that it has.
  const resolved = isIP(host) === 0 ? (error.address ?? error.errors?.[0]?.address ?? host) : host;
  const address = hostAndPort({ host: resolved, port });
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `tls: failed to verify certificate: ${wrongName(error)}`;
  const certificate = CERTIFICATE_FAULTS[code];
  if (certificate !== undefined) return `tls: failed to verify certificate: ${certificate}`;
  // Node has the same code for a connection that was reset and for one that closed without a response.
  if (ENDED.has(error.message)) return 'EOF';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return tlsFault(error.message);
  if (code === 'HPE_HEADER_OVERFLOW') {
    return `net/http: server response headers exceeded ${limits.backendHeadBytes} bytes; aborted`;
  }
  if (code.startsWith('HPE_') && error.rawPacket !== undefined) return malformed(error.rawPacket);
  const words = SYSTEM_FAULTS[code] ?? error.message;
  return words.startsWith('connect:') || words === 'i/o timeout' ? `dial tcp ${address}: ${words}` : words;
}

/** An error connecting to a Unix domain socket, with Go's message. */
export function unixFault({ code = '', message }: ConnectError, path: string): string {
  return `dial unix ${path}: ${UNIX_FAULTS[code] ?? message}`;
}

/** A response that is not one of HTTP/1. */
function malformed(packet: Uint8Array): string {
  const line = Buffer.from(packet).toString('latin1').split(/\r?\n/, 1)[0] ?? '';
  const [version = '', status = ''] = line.split(' ');
  const what = /^HTTP\/1\.\d$/.test(version) ? `HTTP status code ${goQuote(status)}` : `HTTP response ${goQuote(line)}`;
  return `net/http: HTTP/1.x transport connection broken: malformed ${what}`;
}

/** Names are compared with names, addresses with addresses. */
function wrongName({ host = '', cert }: ConnectError): string {
  const prefix = isIP(host) === 0 ? 'DNS:' : 'IP Address:';
  const names = (cert?.subjectaltname ?? '').split(', ').filter((each) => each.startsWith(prefix));
  const own = names.map((each) => each.slice(prefix.length)).join(', ');
  if (own !== '') return `x509: certificate is valid for ${own}, not ${host}`;
  if (prefix === 'DNS:') return `x509: certificate is not valid for any names, but wanted to match ${host}`;
  return `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
}
