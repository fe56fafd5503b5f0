// The user that a client certificate names: its common name and its organizations. TLS has verified it before.

import type { User } from '../user.ts';

export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The user's uid, where the subject tells one. */
  readonly uids?: readonly string[];
  /** The DER bytes' SHA-256, in hex. */
  readonly fingerprint: string;
  /** Until when it is good, in milliseconds since the Unix epoch; undefined where nobody has asked. */
  readonly notAfterMs?: number;
}

/** The key under which kube-apiserver tells in a user's extra which credential was used. */
const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/**
 * Undefined for a certificate without a common name, which names nobody, or with several uids or an empty one.
 *
 * @param readsUid whether the uid counts (the gate AllowParsingUserUIDFromCertAuth)
 */
export function userOfCertificate(certificate: ClientCertificate, readsUid: boolean): User | undefined {
  const uids = readsUid ? (certificate.uids ?? []) : [];
  if (certificate.commonName === '' || uids.length > 1 || uids[0] === '') return undefined;
  return {
    name: certificate.commonName,
    uid: uids[0] ?? '',
    groups: certificate.organizations,
    extra: { [CREDENTIAL_ID]: [`X509SHA256=${certificate.fingerprint}`] },
  };
}
