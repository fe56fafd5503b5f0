// The key that signs service account tokens, and the form of what it signs: JSON web tokens (RFC 7519) in their compact
// form, signed by ES256 or, with an RSA key, by RS256.

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { JsonObject } from '../../api/object.ts';

const ENCODING = 'ieee-p1363';

export class TokenKey {
  /** Names the key in tokens and in the published set: the digest of its public half. */
  readonly id: string;
  readonly algorithm: 'ES256' | 'RS256';
  readonly #private: KeyObject;
  readonly #public: KeyObject;

  /** @throws Error for what is neither an RSA key nor one of the curve P-256 */
  constructor(privateKey: KeyObject) {
    const curve = privateKey.asymmetricKeyDetails?.namedCurve;
    const isRsa = privateKey.asymmetricKeyType === 'rsa';
    if (!isRsa && curve !== 'prime256v1') throw new Error('the key is neither an RSA key nor one of the curve P-256');
    this.algorithm = isRsa ? 'RS256' : 'ES256';
    this.#private = privateKey;
    this.#public = createPublicKey(privateKey);
    this.id = createHash('sha256')
      .update(this.#public.export({ type: 'spki', format: 'der' }))
      .digest('base64url');
  }

  static generate(): TokenKey {
    return new TokenKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
  }

  static fromPem(pem: string): TokenKey {
    return new TokenKey(createPrivateKey(pem));
  }

  get pem(): string {
    return this.#private.export({ type: 'pkcs8', format: 'pem' }) as string;
  }

  /** The public half as the key set publishes it. */
  get jwk(): JsonObject {
    const { kty = '', ...members } = this.#public.export({ format: 'jwk' });
    return { use: 'sig', kty, kid: this.id, alg: this.algorithm, ...(members as JsonObject) };
  }

  /** A token that says `claims`. */
  sign(claims: JsonObject): string {
    const text = `${encodePart({ alg: this.algorithm, kid: this.id })}.${encodePart(claims)}`;
    const signature = sign('sha256', Buffer.from(text), { key: this.#private, dsaEncoding: ENCODING });
    return `${text}.${signature.toString('base64url')}`;
  }

  /** Whether this key signed the token. */
  signed({ text, signature, algorithm }: UnverifiedToken): boolean {
    if (algorithm !== this.algorithm) return false;
    return verify('sha256', Buffer.from(text), { key: this.#public, dsaEncoding: ENCODING }, signature);
  }
}

export interface UnverifiedToken {
  readonly algorithm: unknown;
  readonly claims: JsonObject;
  /** What is signed. */
  readonly text: string;
  readonly signature: Buffer;
}

/** Takes a token apart without believing it; undefined for what is no token of this form. */
export function readToken(token: string): UnverifiedToken | undefined {
  const parts = token.split('.');
  const [header = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3) return undefined;
  const algorithm = decodePart(header)?.['alg'];
  const claims = decodePart(payload);
  if (claims === undefined) return undefined;
  return { algorithm, claims, text: `${header}.${payload}`, signature: Buffer.from(signature, 'base64url') };
}

function encodePart(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decodePart(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
