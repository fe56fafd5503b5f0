// Certificates by the name that a client asks for (SNI, RFC 6066): a server that is known by several names, each vouched
// for by another authority, shows to each client the one that it can check.

import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureVersion } from 'node:tls';

/** A certificate for those who ask for one of its names. */
export interface NamedCertificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  /** Names in lower case, the first label of which may be `*`; none for those that the certificate itself has. */
  readonly names: readonly string[];
}

export interface ListenerTls {
  /** PEM: the serving certificate, then its intermediates. */
  readonly cert: string;
  readonly key: string;
  /** PEM: the CA that vouches for clients. Without it clients are not asked for certificates. */
  readonly ca?: string;
  /** PEM: who vouches for front proxies, undefined where there are none. */
  readonly proxyCa?: string | undefined;
  /** The oldest version that is spoken, 1.2 unless told, and the suites that may be used, as OpenSSL names them. */
  readonly minVersion?: SecureVersion;
  readonly ciphers?: string;
  /**
   * Certificates for those who name the host they want; names that are configured count before names of
   * certificates.
   */
  readonly named?: readonly NamedCertificate[];
}

/** @throws Error of a certificate or key that can't be used */
export function namedContexts(tls: ListenerTls): ReadonlyMap<string, SecureContext> {
  const contexts = new Map<string, SecureContext>();
  const { named = [], ca = '', proxyCa = '', ...bounds } = tls;
  const authorities = tls.ca === undefined ? {} : { ca: `${ca}\n${proxyCa}` };
  const made = named.map(({ cert, key, names }) => ({
    context: createSecureContext({ minVersion: 'TLSv1.2', ...bounds, ...authorities, cert, key }),
    told: names,
    own: names.length > 0 ? [] : namesOf(cert),
  }));
  // The first of a name counts, and a name that was told before one that stands in a certificate.
  for (const { told, context } of made) for (const name of told) if (!contexts.has(name)) contexts.set(name, context);
  for (const { own, context } of made) for (const name of own) if (!contexts.has(name)) contexts.set(name, context);
  return contexts;
}

/** The one for a name, or for `*` in place of its first label. */
export function contextFor(contexts: ReadonlyMap<string, SecureContext>, asked: string): SecureContext | undefined {
  if (contexts.size === 0) return undefined;
  const name = asked.toLowerCase();
  return contexts.get(name) ?? contexts.get(name.replace(/^[^.]*/, '*'));
}

/** The DNS names of a certificate; its common name too, unless it is an address or no name at all. */
function namesOf(cert: string): string[] {
  const { subject, subjectAltName = '' } = new X509Certificate(cert);
  const common = /^CN=(.*)$/m.exec(subject ?? '')?.[1] ?? '';
  const isName = /^(\*|(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)$/.test(common);
  const isAddress = /^\d+(\.\d+){3}$/.test(common);
  const alternatives = subjectAltName.split(', ').filter((each) => each.startsWith('DNS:'));
  return [...(isName && !isAddress ? [common] : []), ...alternatives.map((each) => each.slice('DNS:'.length))];
}
