// The transformer of the provider secretbox, in kube-apiserver's layout: a nonce of 24 bytes, then XSalsa20-Poly1305
// with the tag first, without authenticated data. The cipher is not part of Node's crypto module and is loaded with
// this file.

import { randomFillSync } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { type PlainValue, TransformError, type ValueTransformer } from '../value-transformer.ts';
import { TOO_SHORT } from './aes.ts';

const NONCE_BYTES = 24;
const TAG_BYTES = 16;

export class SecretboxTransformer implements ValueTransformer {
  readonly #key: Uint8Array;

  /** @param key of 32 bytes */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  transformToStorage(plain: Uint8Array): Buffer {
    const stored = Buffer.allocUnsafeSlow(NONCE_BYTES + TAG_BYTES + plain.length);
    const nonce = randomFillSync(stored.subarray(0, NONCE_BYTES));
    stored.set(xsalsa20poly1305(this.#key, nonce).encrypt(plain), NONCE_BYTES);
    return stored;
  }

  transformFromStorage(stored: Uint8Array): PlainValue {
    if (stored.length < NONCE_BYTES + TAG_BYTES) throw new TransformError(TOO_SHORT);
    try {
      const cipher = xsalsa20poly1305(this.#key, stored.subarray(0, NONCE_BYTES));
      return { plain: cipher.decrypt(stored.subarray(NONCE_BYTES)), stale: false };
    } catch {
      // kube-apiserver's message for every decryption error.
      throw new TransformError('output array was not large enough for encryption');
    }
  }
}
