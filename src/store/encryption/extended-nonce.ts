// AES-GCM with a separate key for each value, derived from a seed: kube-apiserver's way to encrypt any number of values
// with one encrypted secret. The layout is 32 random bytes that identify the key, then that of aesgcm.

import { createHmac, createSecretKey, type KeyObject, randomFillSync } from 'node:crypto';
import { type PlainValue, type TransformContext, TransformError, type ValueTransformer } from '../value-transformer.ts';
import { AesGcmTransformer, Nonces, TOO_SHORT } from './aes.ts';

const INFO_BYTES = 32;
/** Minimum length of a seed. */
export const SEED_BYTES = 32;
/** HKDF numbers the blocks of its output; a key is the first one. */
const FIRST_BLOCK = Uint8Array.of(1);

export class ExtendedNonceTransformer implements ValueTransformer {
  readonly #nonces = new Nonces();
  readonly #seed: KeyObject;

  /** @throws TransformError for a seed that is too short */
  constructor(seed: Uint8Array) {
    if (seed.length < SEED_BYTES)
      throw new TransformError(`invalid seed length ${seed.length} used for key generation`);
    this.#seed = createSecretKey(seed);
  }

  transformToStorage(plain: Uint8Array, context: TransformContext): Buffer {
    const info = randomFillSync(Buffer.allocUnsafe(INFO_BYTES));
    return Buffer.concat([info, this.#cipher(info).transformToStorage(plain, context)]);
  }

  transformFromStorage(stored: Uint8Array, context: TransformContext): PlainValue {
    if (stored.length < INFO_BYTES) throw new TransformError(TOO_SHORT);
    return this.#cipher(stored.subarray(0, INFO_BYTES)).transformFromStorage(stored.subarray(INFO_BYTES), context);
  }

  /** HKDF-Expand with SHA-256, without the extract step, because the seed is already random. */
  #cipher(info: Uint8Array): AesGcmTransformer {
    const key = createHmac('sha256', this.#seed).update(info).update(FIRST_BLOCK).digest();
    return new AesGcmTransformer(createSecretKey(key), this.#nonces);
  }
}
