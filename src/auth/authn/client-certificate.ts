// The user of a client certificate: its common name and organizations. TLS has verified it before.

import type { User } from '../user.ts';

export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The user's UID, if the subject contains one. */
  readonly uids?: readonly string[];
  /** SHA-256 of the DER bytes, in hex. */
  readonly fingerprint: string;
  /** End of validity, in milliseconds since the Unix epoch; undefined if unknown. */
  readonly notAfterMs?: number;
}

/** The key in a user's extra that identifies the credential, as in kube-apiserver. */
const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/**
 * Undefined for a certificate without a common name, and for one with several UIDs or an empty one.
 *
 * @param readsUid whether UIDs are read (the gate AllowParsingUserUIDFromCertAuth)
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
