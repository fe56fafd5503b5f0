// What a certificate takes over from the authority that signs it: its name, the identifier of its key, and how the key
// signs. The authority may have been made by another program.

import { Buffer } from 'node:buffer';
import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { DER_TAGS, derBytes, derContent, derElements, derText } from '../base/der.ts';
import { element, oid, sequence } from './der-writer.ts';
import type { Issuer } from './x509.ts';

interface SigningAuthority {
  readonly certificate: X509Certificate;
  /** Its name, in DER. */
  readonly subject: Buffer;
  /** Undefined if it names none. */
  readonly keyIdentifier: Buffer | undefined;
  /** Of its signatures, in DER. */
  readonly algorithm: Buffer;
  sign(bytes: Buffer): Buffer;
}

const EXTENSIONS = 0xa3;
const SUBJECT_KEY = oid('2.5.29.14').toString('latin1');
const SHA256 = { digest: 'sha256', algorithm: sequence(oid('1.2.840.10045.4.3.2')) };
const BY_CURVE: ReadonlyMap<string, typeof SHA256> = new Map([
  ['prime256v1', SHA256],
  ['secp384r1', { digest: 'sha384', algorithm: sequence(oid('1.2.840.10045.4.3.3')) }],
  ['secp521r1', { digest: 'sha512', algorithm: sequence(oid('1.2.840.10045.4.3.4')) }],
]);
const NULL = element(0x05, Buffer.alloc(0));
const RSA = { digest: 'sha256', algorithm: sequence(oid('1.2.840.113549.1.1.11'), NULL) };
const ED25519 = { digest: undefined, algorithm: sequence(oid('1.3.101.112')) };

/** @throws Error for a key that is not the certificate's, or of a kind that signs no certificates */
export function signingAuthority({ certPem, keyPem }: Issuer): SigningAuthority {
  const certificate = new X509Certificate(certPem);
  const key = createPrivateKey(keyPem);
  if (!certificate.checkPrivateKey(key)) throw new Error('private key does not match public key');
  const [signed] = derContent(derElements(certificate.raw.toString('latin1'))[0], DER_TAGS.sequence);
  const parts = derContent(signed, DER_TAGS.sequence);
  const [, , , , , subject] = parts;
  const { digest, algorithm } = signatureOf(key);
  return {
    certificate,
    subject: Buffer.from(derText(subject!), 'latin1'),
    keyIdentifier: subjectKey(parts.find(({ tag }) => tag === EXTENSIONS)?.content ?? ''),
    algorithm,
    sign: (bytes) => sign(digest, bytes, key),
  };
}

/** @param extensions in DER */
function subjectKey(extensions: string): Buffer | undefined {
  const all = derElements(extensions).flatMap((list) => derContent(list, DER_TAGS.sequence));
  const found = all
    .map((each) => derContent(each, DER_TAGS.sequence))
    .find(([id]) => id !== undefined && derText(id) === SUBJECT_KEY);
  const value = found?.at(-1);
  if (value === undefined) return undefined;
  return Buffer.from(derBytes(derElements(value.content)[0], 0x04), 'latin1');
}

function signatureOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (asymmetricKeyType === 'rsa') return RSA;
  if (asymmetricKeyType === 'ed25519') return ED25519;
  const found = BY_CURVE.get(asymmetricKeyDetails?.namedCurve ?? '');
  if (found === undefined) throw new Error('only RSA, ECDSA and ed25519 keys supported');
  return found;
}
