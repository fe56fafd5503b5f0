// Transformers of the providers aesgcm and aescbc, in the layouts of kube-apiserver: for GCM a nonce of 12 bytes, the
// ciphertext, a tag of 16 bytes, authenticated with the value's key; for CBC an initialization vector of 16 bytes and
// the ciphertext with PKCS#7 padding, not authenticated.

import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from 'node:crypto';
import { type PlainValue, type TransformContext, TransformError, type ValueTransformer } from '../value-transformer.ts';

const NONCE_BYTES = 12;
/** Number of nonces per batch of random bytes. */
const NONCES = 256;
const TAG_BYTES = 16;
const BLOCK_BYTES = 16;

export const TOO_SHORT = 'the stored data was shorter than the required size';

/** Nonces from batches of random bytes, each used once. */
export class Nonces {
  #bytes = Buffer.alloc(0);
  #used = 0;

  /** Must be used before the next call. */
  next(): Buffer {
    if (this.#used === this.#bytes.length) {
      if (this.#used === 0) this.#bytes = Buffer.allocUnsafeSlow(NONCE_BYTES * NONCES);
      randomFillSync(this.#bytes);
      this.#used = 0;
    }
    this.#used += NONCE_BYTES;
    return this.#bytes.subarray(this.#used - NONCE_BYTES, this.#used);
  }
}

export class AesGcmTransformer implements ValueTransformer {
  readonly #nonces: Nonces;
  readonly #key: KeyObject;
  readonly #cipher: 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm';

  /**
   * @param key of 16, 24 or 32 bytes
   * @param nonces shared by transformers that encrypt only a few values
   */
  constructor(key: KeyObject, nonces = new Nonces()) {
    this.#key = key;
    this.#nonces = nonces;
    this.#cipher = `aes-${keyBits(key)}-gcm`;
  }

  transformToStorage(plain: Uint8Array, { key }: TransformContext): Buffer {
    const stored = Buffer.allocUnsafeSlow(NONCE_BYTES + plain.length + TAG_BYTES);
    const nonce = this.#nonces.next();
    stored.set(nonce);
    const cipher = createCipheriv(this.#cipher, this.#key, nonce);
    cipher.setAAD(Buffer.from(key));
    stored.set(cipher.update(plain), NONCE_BYTES);
    cipher.final();
    stored.set(cipher.getAuthTag(), NONCE_BYTES + plain.length);
    return stored;
  }

  transformFromStorage(stored: Uint8Array, { key }: TransformContext): PlainValue {
    if (stored.length < NONCE_BYTES) throw new TransformError(TOO_SHORT);
    const end = stored.length - TAG_BYTES;
    if (end < NONCE_BYTES) throw new TransformError(NOT_AUTHENTIC);
    const decipher = createDecipheriv(this.#cipher, this.#key, stored.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(key));
    decipher.setAuthTag(stored.subarray(end));
    const plain = decipher.update(stored.subarray(NONCE_BYTES, end));
    try {
      decipher.final();
    } catch {
      throw new TransformError(NOT_AUTHENTIC);
    }
    return { plain, stale: false };
  }
}

const NOT_AUTHENTIC = 'cipher: message authentication failed';

export class AesCbcTransformer implements ValueTransformer {
  readonly #key: KeyObject;
  readonly #cipher: 'aes-128-cbc' | 'aes-192-cbc' | 'aes-256-cbc';

  /** @param key of 16, 24 or 32 bytes */
  constructor(key: KeyObject) {
    this.#key = key;
    this.#cipher = `aes-${keyBits(key)}-cbc`;
  }

  transformToStorage(plain: Uint8Array): Buffer {
    const vector = randomFillSync(Buffer.allocUnsafe(BLOCK_BYTES));
    const cipher = createCipheriv(this.#cipher, this.#key, vector);
    return Buffer.concat([vector, cipher.update(plain), cipher.final()]);
  }

  transformFromStorage(stored: Uint8Array): PlainValue {
    if (stored.length < BLOCK_BYTES) throw new TransformError(TOO_SHORT);
    if (stored.length % BLOCK_BYTES !== 0) {
      throw new TransformError('the stored data is not a multiple of the block size');
    }
    const decipher = createDecipheriv(this.#cipher, this.#key, stored.subarray(0, BLOCK_BYTES));
    decipher.setAutoPadding(false);
    const padded = decipher.update(stored.subarray(BLOCK_BYTES));
    const padding = padded.at(-1) ?? 0;
    if (padding === 0 || padding > padded.length) {
      throw new TransformError('invalid PKCS7 data (empty or not padded)');
    }
    const plain = padded.subarray(0, padded.length - padding);
    if (padded.subarray(plain.length).some((byte) => byte !== padding)) {
      throw new TransformError('invalid padding on input');
    }
    return { plain, stale: false };
  }
}

function keyBits(key: KeyObject): 128 | 192 | 256 {
  return ((key.symmetricKeySize ?? 0) * 8) as 128 | 192 | 256;
}
