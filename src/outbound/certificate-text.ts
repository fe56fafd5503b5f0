// Checks of the certificates in a configuration.

import { X509Certificate } from 'node:crypto';

/** Whether a PEM text begins with a valid certificate. */
export function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
