// Validation of certificate bundles from flags and configuration, with the error messages of Kubernetes' PEM parser.

import { Buffer } from 'node:buffer';
import { X509Certificate } from 'node:crypto';
import { pemBlocks } from '../base/pem.ts';

/** Undefined if all certificates in the text can be parsed. */
export function certificatesFault(pem: string): string | undefined {
  const certificates = pemBlocks(pem).filter(({ type }) => type === 'CERTIFICATE');
  if (certificates.length === 0) return 'data does not contain any valid RSA or ECDSA certificates';
  return certificates.every(({ bytes }) => isReadable(bytes)) ? undefined : 'x509: malformed certificate';
}

function isReadable(bytes: string): boolean {
  try {
    new X509Certificate(Buffer.from(bytes, 'latin1'));
    return true;
  } catch {
    return false;
  }
}
