// Certificates by server name (SNI, RFC 6066): a server known by several names, with certificates of different
// authorities, presents the one that matches the client's request.

import { X509Certificate } from 'node:crypto';
import type { SecureVersion } from 'node:tls';
import { certificatesIn, signed } from './client-authorities.ts';

/** A certificate for specific names. */
export interface NamedCertificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  /** Names in lower case, the first label of which may be `*`; empty for the names in the certificate. */
  readonly names: readonly string[];
}

export interface ListenerTls {
  /** PEM: the serving certificate, then its intermediates. */
  readonly cert: string;
  readonly key: string;
  /** PEM: the CA for client certificates. Without it clients are not asked for certificates. */
  readonly ca?: string;
  /** PEM: authorities for front proxies; undefined for none. */
  readonly proxyCa?: string | undefined;
  /** The minimum TLS version, 1.2 by default, and the permitted cipher suites, by OpenSSL's names. */
  readonly minVersion?: SecureVersion;
  readonly ciphers?: string;
  /** Certificates for specific names; configured names take precedence over names in certificates. */
  readonly named?: readonly NamedCertificate[];
}

/**
 * What `make` returns for each certificate with names of its own, by name. The first certificate for a name wins, and a
 * configured name wins over one in a certificate.
 */
export function madeByName<T>(
  named: readonly NamedCertificate[],
  make: (certificate: NamedCertificate) => T,
): ReadonlyMap<string, T> {
  const byName = new Map<string, T>();
  const all = named.map((each) => ({
    made: make(each),
    told: each.names,
    own: each.names.length > 0 ? [] : namesOf(each.cert),
  }));
  for (const { told, made } of all) for (const name of told) if (!byName.has(name)) byName.set(name, made);
  for (const { own, made } of all) for (const name of own) if (!byName.has(name)) byName.set(name, made);
  return byName;
}

/** What was made for a name, or for `*` in place of its first label. */
export function foundByName<T>(byName: ReadonlyMap<string, T>, asked: string | undefined): T | undefined {
  if (byName.size === 0 || asked === undefined) return undefined;
  const name = asked.toLowerCase();
  return byName.get(name) ?? byName.get(name.replace(/^[^.]*/, '*'));
}

/**
 * A certificate with the authority that issued it, if that is known: what OpenSSL sends to clients anyway, but would look
 * for and verify in every handshake.
 *
 * @param cert PEM; one with intermediates stays as it is
 * @param authorities PEM
 */
export function withIssuer(cert: string, authorities: string): string {
  const [leaf, ...intermediates] = certificatesIn(cert);
  if (leaf === undefined || intermediates.length > 0) return cert;
  const issuer = certificatesIn(authorities).find((authority) => signed(authority, leaf));
  return issuer === undefined || issuer.fingerprint256 === leaf.fingerprint256 ? cert : `${leaf}${issuer}`;
}

/** The DNS names of a certificate, including its common name unless that is an address or not a valid name. */
function namesOf(cert: string): string[] {
  const { subject, subjectAltName = '' } = new X509Certificate(cert);
  const common = /^CN=(.*)$/m.exec(subject ?? '')?.[1] ?? '';
  const isName = /^(\*|(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)$/.test(common);
  const isAddress = /^\d+(\.\d+){3}$/.test(common);
  const alternatives = subjectAltName.split(', ').filter((each) => each.startsWith('DNS:'));
  return [...(isName && !isAddress ? [common] : []), ...alternatives.map((each) => each.slice('DNS:'.length))];
}
