// The user that a client certificate names: its common name and its organizations. TLS has verified it before.

import type { User } from '../user.ts';

export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The DER bytes' SHA-256, in hex. */
  readonly fingerprint: string;
}

/** The key under which kube-apiserver tells in a user's extra which credential was used. */
const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/** Undefined for a certificate without a common name, which names nobody. */
export function userOfCertificate(certificate: ClientCertificate): User | undefined {
  if (certificate.commonName === '') return undefined;
  return {
    name: certificate.commonName,
    uid: '',
    groups: certificate.organizations,
    extra: { [CREDENTIAL_ID]: [`X509SHA256=${certificate.fingerprint}`] },
  };
}
