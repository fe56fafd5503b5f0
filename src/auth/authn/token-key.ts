// Signing keys of service account tokens: JSON Web Tokens (RFC 7519) in compact form, signed with ES256 or, with an RSA
// key, RS256.

import {
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { isObject } from '../../api/is-object.ts';
import type { JsonObject } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import { lookup } from '../../base/lookup.ts';

const ENCODING = 'ieee-p1363';

/** The algorithm of each curve, and the digest of each algorithm. */
const CURVES: Readonly<Record<string, string>> = lookup({
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
});
const DIGESTS: Readonly<Record<string, string>> = lookup({
  RS256: 'sha256',
  RS384: 'sha384',
  RS512: 'sha512',
  ES256: 'sha256',
  ES384: 'sha384',
  ES512: 'sha512',
  PS256: 'sha256',
  PS384: 'sha384',
  PS512: 'sha512',
});

/** How a signature by PS256 and its like is padded; the salt may have any length. */
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO } as const;

/** A key that verifies tokens. */
export class VerificationKey {
  /** The key ID in tokens and in the published key set: the digest of the public key, unless it has a name. */
  readonly id: string;
  readonly algorithm: string;
  readonly #public: KeyObject;

  /** @throws Error for keys other than RSA, P-256, P-384 and P-521 */
  constructor(publicKey: KeyObject, id?: string) {
    const isRsa = publicKey.asymmetricKeyType === 'rsa';
    const algorithm = isRsa ? 'RS256' : CURVES[publicKey.asymmetricKeyDetails?.namedCurve ?? ''];
    if (algorithm === undefined) throw new Error('the key is neither an RSA key nor one of the curve P-256');
    this.algorithm = algorithm;
    this.#public = publicKey;
    this.id =
      id ??
      createHash('sha256')
        .update(publicKey.export({ type: 'spki', format: 'der' }))
        .digest('base64url');
  }

  /** The public key as in the published key set. */
  get jwk(): JsonObject {
    const { kty = '', ...members } = this.#public.export({ format: 'jwk' });
    return { use: 'sig', kty, kid: this.id, alg: this.algorithm, ...(members as JsonObject) };
  }

  /** Whether this key signed the token. */
  signed({ text, signature, algorithm, isDemanding }: UnverifiedToken): boolean {
    const digest = DIGESTS[String(algorithm)];
    const isOurs = algorithm === this.algorithm || (this.algorithm === 'RS256' && /^[PR]S/.test(String(algorithm)));
    if (!isOurs || digest === undefined || isDemanding) return false;
    const padding = String(algorithm).startsWith('PS') ? PSS : {};
    return verify(digest, Buffer.from(text), { key: this.#public, dsaEncoding: ENCODING, ...padding }, signature);
  }
}

/** A key that signs tokens. */
export class TokenKey extends VerificationKey {
  readonly #private: KeyObject;

  /** @throws Error for keys other than RSA, P-256, P-384 and P-521 */
  constructor(privateKey: KeyObject) {
    super(createPublicKey(privateKey));
    this.#private = privateKey;
  }

  static generate(): TokenKey {
    return new TokenKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
  }

  static fromPem(pem: string): TokenKey {
    return new TokenKey(createPrivateKey(pem));
  }

  /** Whether its halves belong together: a damaged text may still be read as a key. */
  get isIntact(): boolean {
    const probe = Buffer.from(this.id);
    const digest = DIGESTS[this.algorithm] as string;
    const signature = sign(digest, probe, { key: this.#private, dsaEncoding: ENCODING });
    return verify(digest, probe, { key: createPublicKey(this.#private), dsaEncoding: ENCODING }, signature);
  }

  get pem(): string {
    return this.#private.export({ type: 'pkcs8', format: 'pem' }) as string;
  }

  /** A token with these claims. */
  sign(claims: JsonObject): string {
    const text = `${encodePart({ alg: this.algorithm, kid: this.id })}.${encodePart(claims)}`;
    const digest = DIGESTS[this.algorithm] as string;
    const signature = sign(digest, Buffer.from(text), { key: this.#private, dsaEncoding: ENCODING });
    return `${text}.${signature.toString('base64url')}`;
  }
}

export interface UnverifiedToken {
  readonly algorithm: unknown;
  /** The key ID in its header; '' for none. */
  readonly keyId: string;
  /** Whether it demands that its readers know something special (`crit` of RFC 7515), which this one does not. */
  readonly isDemanding: boolean;
  readonly claims: JsonObject;
  /** The signed part. */
  readonly text: string;
  readonly signature: Buffer;
}

/** Splits a token without verifying it; undefined if it does not have this form. */
export function readToken(token: string): UnverifiedToken | undefined {
  if (token.length > limits.signedTokenCharacters) return undefined;
  const parts = token.split('.', 4);
  const [header = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3) return undefined;
  const head = decodePart(header);
  const claims = decodePart(payload);
  if (head === undefined || claims === undefined || !BASE64URL.test(signature)) return undefined;
  const { alg: algorithm, kid, crit } = head;
  const keyId = typeof kid === 'string' ? kid : '';
  const signed = { text: `${header}.${payload}`, signature: Buffer.from(signature, 'base64url') };
  return { algorithm, keyId, isDemanding: crit !== undefined, claims, ...signed };
}

function encodePart(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Without padding, which tokens do not have. */
const BASE64URL = /^[\w-]*$/;

function decodePart(part: string): JsonObject | undefined {
  if (!BASE64URL.test(part)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
