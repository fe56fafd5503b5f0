// Validation of certificates with their keys, with the error messages of Go's TLS library.

import { Buffer } from 'node:buffer';
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { pemBlocks } from '../base/pem.ts';
import { keyPairWarnings } from '../resources/validation/certificates.ts';

interface KeyPair {
  /** Texts in PEM. */
  readonly cert: string;
  readonly key: string;
}

/** Why a certificate and a key cannot be used together; undefined if they can. */
export function keyPairFault({ cert, key }: KeyPair): string | undefined {
  const [missing] = keyPairWarnings(cert, key);
  if (missing !== undefined) return missing;
  const certificate = parsed(() => new X509Certificate(Buffer.from(firstOf(cert, /^CERTIFICATE$/), 'latin1')));
  if (certificate === undefined) return 'x509: malformed certificate';
  const privateKey = parsed(() => createPrivateKey(key));
  if (privateKey === undefined) return 'tls: failed to parse private key';
  return mismatch(certificate, privateKey);
}

/** Whether the first two texts are a certificate and its key. */
export function isKeyPair([cert = '', key = '']: readonly string[]): boolean {
  return keyPairFault({ cert, key }) === undefined;
}

function mismatch(certificate: X509Certificate, key: KeyObject): string | undefined {
  if (certificate.publicKey.asymmetricKeyType !== key.asymmetricKeyType) {
    return 'tls: private key type does not match public key type';
  }
  return certificate.checkPrivateKey(key) ? undefined : 'tls: private key does not match public key';
}

function firstOf(pem: string, type: RegExp): string {
  return pemBlocks(pem).find((block) => type.test(block.type))?.bytes ?? '';
}

function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
