// Proof of possession of the private key for a requested certificate: a signature over a text. The accepted keys are
// those of kube-apiserver; the cryptography is supplied by the caller.

import { DER_TAGS, DerError, derBytes, derContent, derElements } from '../../base/der.ts';
import type { VerifySignature } from './certificate-signature.ts';

/** The error and the value it refers to. `value` is quoted instead of the key. */
export type ProofFault =
  | { readonly of: 'key'; readonly why: string; readonly value?: string }
  | { readonly of: 'proof'; readonly why: string };

interface Signed {
  /** SubjectPublicKeyInfo in DER, one character per byte, like the signature. */
  readonly key: string;
  readonly signature: string;
  readonly text: string;
}

const RSA = '\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01';
const ELLIPTIC = '\x2a\x86\x48\xce\x3d\x02\x01';
const ED25519 = '\x2b\x65\x70';
/** Keys that can be parsed but cannot sign. */
const X25519 = '\x2b\x65\x6e';
const UNKNOWN = 'unknown public key type; supported types are Ed25519, ECDSA, and RSA';
const CURVES: ReadonlyMap<string, string> = new Map([
  ['\x2b\x81\x04\x00\x21', 'P-224'],
  ['\x2a\x86\x48\xce\x3d\x03\x01\x07', 'P-256'],
  ['\x2b\x81\x04\x00\x22', 'P-384'],
  ['\x2b\x81\x04\x00\x23', 'P-521'],
]);
const RSA_BITS = [3072, 4096];

/** A key of an algorithm that is not known. */
class UnknownKeyError extends DerError {}

/** @param verify undefined if signatures cannot be verified */
export function proofFault(
  { key, signature, text }: Signed,
  verify: VerifySignature | undefined,
): ProofFault | undefined {
  try {
    const { type, fault } = keyOf(key);
    if (fault !== undefined) return fault;
    const hash = type === 'Ed25519' ? undefined : 'sha256';
    const bytes = String.fromCharCode(...new TextEncoder().encode(text));
    if (verify === undefined || verify({ key, bytes, signature, hash, isPss: type === 'RSA' })) return undefined;
    return { of: 'proof', why: 'could not verify proof-of-possession signature' };
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    return { of: 'key', why: 'must be a valid PKIX-serialized public key' };
  }
}

/**
 * Why a certificate request with a key is refused: undefined if the key is accepted.
 * @throws DerError if the bytes are not a key
 */
export function requestedKeyFault(key: string): { readonly why: string; readonly value?: string } | undefined {
  try {
    const { type, fault } = keyOf(key);
    if (fault?.of !== 'key') return undefined;
    return type === 'ECDSA' ? { ...fault, why: 'elliptic public keys must use curve P256, P384, or P521' } : fault;
  } catch (error) {
    if (error instanceof UnknownKeyError) return { why: UNKNOWN };
    throw error;
  }
}

interface Key {
  readonly type: 'RSA' | 'ECDSA' | 'Ed25519';
  readonly fault?: ProofFault;
}

/** @throws DerError if the bytes are not a key */
function keyOf(bytes: string): Key {
  const [info, ...rest] = derElements(bytes);
  if (rest.length > 0) throw new DerError('trailing data');
  const [algorithm, key] = derContent(info, DER_TAGS.sequence);
  const [identifier, parameters] = derContent(algorithm, DER_TAGS.sequence);
  const content = derBytes(key, DER_TAGS.bitString).slice(1);
  switch (derBytes(identifier, DER_TAGS.objectIdentifier)) {
    case RSA:
      return rsaKey(content);
    case ED25519:
      return { type: 'Ed25519' };
    case X25519:
      return { type: 'Ed25519', fault: { of: 'key', why: UNKNOWN } };
    case ELLIPTIC: {
      const curve = CURVES.get(derBytes(parameters, DER_TAGS.objectIdentifier));
      if (curve === undefined) throw new DerError('unsupported elliptic curve');
      if (curve !== 'P-224') return { type: 'ECDSA' };
      const why = 'elliptic public keys must use curve P256 or P384';
      return { type: 'ECDSA', fault: { of: 'key', why, value: `curve ${curve}` } };
    }
    default:
      throw new UnknownKeyError('unknown public key algorithm');
  }
}

function rsaKey(content: string): Key {
  const [pair] = derElements(content);
  const [modulus] = derContent(pair, DER_TAGS.sequence);
  const bytes = derBytes(modulus, DER_TAGS.integer).replace(/^\0/, '');
  const bits = bytes.length * 8;
  if (RSA_BITS.includes(bits)) return { type: 'RSA' };
  const why = 'RSA keys must have modulus size 3072 or 4096';
  return { type: 'RSA', fault: { of: 'key', why, value: `${bits}-bit modulus` } };
}
