// Certificates by server name (SNI, RFC 6066): a server known by several names, with certificates of different
// authorities, presents the one that matches the client's request.

import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureVersion } from 'node:tls';

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

/** @throws Error for an unusable certificate or key */
export function namedContexts(tls: ListenerTls): ReadonlyMap<string, SecureContext> {
  const contexts = new Map<string, SecureContext>();
  const { named = [], ca = '', proxyCa = '', ...bounds } = tls;
  const authorities = tls.ca === undefined ? {} : { ca: `${ca}\n${proxyCa}` };
  const made = named.map(({ cert, key, names }) => ({
    context: createSecureContext({ minVersion: 'TLSv1.2', ...bounds, ...authorities, cert, key }),
    told: names,
    own: names.length > 0 ? [] : namesOf(cert),
  }));
  // The first certificate for a name wins, and a configured name wins over one in a certificate.
  for (const { told, context } of made) for (const name of told) if (!contexts.has(name)) contexts.set(name, context);
  for (const { own, context } of made) for (const name of own) if (!contexts.has(name)) contexts.set(name, context);
  return contexts;
}

/** The certificate for a name, or for `*` in place of its first label. */
export function contextFor(contexts: ReadonlyMap<string, SecureContext>, asked: string): SecureContext | undefined {
  if (contexts.size === 0) return undefined;
  const name = asked.toLowerCase();
  return contexts.get(name) ?? contexts.get(name.replace(/^[^.]*/, '*'));
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
