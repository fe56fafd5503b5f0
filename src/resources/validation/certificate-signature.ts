// Verification of certificate request signatures: a requester must have the private key. The supported algorithms and
// the errors are those of Go's x509.CertificateRequest.CheckSignature; the cryptography is supplied by the caller.

import { DER_TAGS, type DerElement, derContent } from '../../base/der.ts';
import { signedRequest } from './certificate-request.ts';

type SignatureHash = 'sha1' | 'sha256' | 'sha384' | 'sha512';

interface SignedBytes {
  /** SubjectPublicKeyInfo in DER, one character per byte, like the others. */
  readonly key: string;
  readonly bytes: string;
  readonly signature: string;
  /** Undefined if the algorithm has its own. */
  readonly hash: SignatureHash | undefined;
  /** Whether an RSA signature uses PSS padding. */
  readonly isPss: boolean;
}

/** Whether a signature is valid for the key; false for an unreadable key too. */
export type VerifySignature = (signed: SignedBytes) => boolean;

type KeyType = 'RSA' | 'ECDSA' | 'Ed25519';

interface Algorithm {
  readonly key: KeyType;
  readonly hash: SignatureHash | undefined;
}

const RSA = '\x2a\x86\x48\x86\xf7\x0d\x01\x01';
const EC = '\x2a\x86\x48\xce\x3d';
const ED25519 = '\x2b\x65\x70';
const PSS = `${RSA}\x0a`;
const SHA2 = '\x60\x86\x48\x01\x65\x03\x04\x02';

/** By encoded object identifier. */
const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  [`${RSA}\x05`, { key: 'RSA', hash: 'sha1' }],
  [`${RSA}\x0b`, { key: 'RSA', hash: 'sha256' }],
  [`${RSA}\x0c`, { key: 'RSA', hash: 'sha384' }],
  [`${RSA}\x0d`, { key: 'RSA', hash: 'sha512' }],
  [`${EC}\x04\x01`, { key: 'ECDSA', hash: 'sha1' }],
  [`${EC}\x04\x03\x02`, { key: 'ECDSA', hash: 'sha256' }],
  [`${EC}\x04\x03\x03`, { key: 'ECDSA', hash: 'sha384' }],
  [`${EC}\x04\x03\x04`, { key: 'ECDSA', hash: 'sha512' }],
  [ED25519, { key: 'Ed25519', hash: undefined }],
]);
const PSS_HASHES: ReadonlyMap<string, SignatureHash> = new Map<string, SignatureHash>([
  [`${SHA2}\x01`, 'sha256'],
  [`${SHA2}\x02`, 'sha384'],
  [`${SHA2}\x03`, 'sha512'],
]);
const KEY_TYPES: ReadonlyMap<string, KeyType> = new Map<string, KeyType>([
  [`${RSA}\x01`, 'RSA'],
  [`${EC}\x02\x01`, 'ECDSA'],
  [ED25519, 'Ed25519'],
]);
const GO_KEYS = { RSA: '*rsa.PublicKey', ECDSA: '*ecdsa.PublicKey', Ed25519: 'ed25519.PublicKey' } as const;
const FAULTS = {
  RSA: 'crypto/rsa: verification error',
  ECDSA: 'x509: ECDSA verification failure',
  Ed25519: 'x509: Ed25519 verification failure',
} as const;
const MD5_WITH_RSA = `${RSA}\x04`;

/**
 * Why the signature of a request is invalid; undefined if it is valid.
 * @param text PEM of a request that was parsed
 */
export function signatureFault(text: string, verify: VerifySignature): string | undefined {
  const { info, key, algorithm, signature } = signedRequest(text);
  const [identifier, parameters] = algorithm;
  if (identifier?.content === MD5_WITH_RSA) return 'x509: cannot verify signature: insecure algorithm MD5-RSA';
  const isPss = identifier?.content === PSS;
  const known = isPss ? pssAlgorithm(parameters) : ALGORITHMS.get(identifier?.content ?? '');
  const type = keyType(key);
  if (known === undefined || type === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  if (known.key !== type) {
    const expected = `an ${known.key} public key`;
    return `x509: signature algorithm specifies ${expected}, but have public key of type ${GO_KEYS[type]}`;
  }
  return verify({ key, bytes: info, signature, hash: known.hash, isPss }) ? undefined : FAULTS[type];
}

/** The hash is in the parameters, after the tag of their first member. */
function pssAlgorithm(parameters: DerElement | undefined): Algorithm | undefined {
  for (const [identifier, hash] of PSS_HASHES) {
    if (parameters?.content.includes(identifier) === true) return { key: 'RSA', hash };
  }
  return undefined;
}

function keyType(key: string): KeyType | undefined {
  const [whole] = derContent({ tag: DER_TAGS.sequence, content: key }, DER_TAGS.sequence);
  const [algorithm] = derContent(whole, DER_TAGS.sequence);
  const [identifier] = derContent(algorithm, DER_TAGS.sequence);
  return KEY_TYPES.get(identifier?.content ?? '');
}
