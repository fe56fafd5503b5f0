// The transformer of a KMS v1 plugin, in kube-apiserver's layout: each value is encrypted with its own key, which the
// plugin has encrypted and which precedes the value with its length. Writes always wait for the plugin, reads only for
// a key that is not cached.

import { createSecretKey, randomBytes } from 'node:crypto';
import { errorList } from '../../base/error-list.ts';
import { type Soon, whenThere } from '../../base/soon.ts';
import { type PlainValue, type TransformContext, TransformError, type ValueTransformer } from '../value-transformer.ts';
import { AesCbcTransformer, AesGcmTransformer } from './aes.ts';

/** Encrypts and decrypts the keys of values. Both reject with Error. */
interface KeySealer {
  encrypt(plain: Uint8Array): Promise<Uint8Array>;
  decrypt(sealed: Uint8Array): Promise<Uint8Array>;
}

interface EnvelopeV1Options {
  readonly sealer: KeySealer;
  /** Size of the cache of decrypted keys; 0 for none. */
  readonly keptKeys: number;
  /** Called for each key that the plugin has to decrypt although there is a cache. */
  readonly onMiss: () => void;
  /** Runs the generation of a value's key, for metrics. */
  readonly measureKey: (make: () => Uint8Array) => Uint8Array;
  /** Called with the fraction of `keptKeys` in use after a key was cached. */
  readonly onKept: (share: number) => void;
}

const KEY_BYTES = 32;
const KEY_LENGTHS = [16, 24, 32];
const LENGTH_BYTES = 2;

export class EnvelopeV1Transformer implements ValueTransformer {
  readonly readsLater = true;
  readonly #options: EnvelopeV1Options;
  /** By encrypted key; the least recently used first. */
  readonly #kept = new Map<string, ValueTransformer>();

  constructor(options: EnvelopeV1Options) {
    this.#options = options;
  }

  async transformToStorage(plain: Uint8Array, context: TransformContext): Promise<Uint8Array> {
    const key = this.#options.measureKey(() => randomBytes(KEY_BYTES));
    const sealed = await asTransformError(this.#options.sealer.encrypt(key));
    const data = await this.#keep(sealed, key).transformToStorage(plain, context);
    const stored = Buffer.allocUnsafeSlow(LENGTH_BYTES + sealed.length + data.length);
    stored.writeUInt16BE(sealed.length);
    stored.set(sealed, LENGTH_BYTES);
    stored.set(data, LENGTH_BYTES + sealed.length);
    return stored;
  }

  transformFromStorage(stored: Uint8Array, context: TransformContext): Soon<PlainValue> {
    const { sealed, data } = partsOf(stored);
    return whenThere(this.#open(sealed), (cipher) => cipher.transformFromStorage(data, context));
  }

  #open(sealed: Uint8Array): Soon<ValueTransformer> {
    const name = nameOf(sealed);
    const kept = this.#kept.get(name);
    if (kept !== undefined) {
      this.#kept.delete(name);
      this.#kept.set(name, kept);
      return kept;
    }
    const { sealer, keptKeys, onMiss } = this.#options;
    if (keptKeys > 0) onMiss();
    return asTransformError(sealer.decrypt(sealed)).then((key) => this.#keep(sealed, key));
  }

  #keep(sealed: Uint8Array, key: Uint8Array): ValueTransformer {
    if (!KEY_LENGTHS.includes(key.length)) throw new TransformError(`crypto/aes: invalid key size ${key.length}`);
    const cipher = new EitherAes(key);
    const { keptKeys, onKept } = this.#options;
    if (keptKeys === 0) return cipher;
    this.#kept.set(nameOf(sealed), cipher);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= keptKeys) break;
      this.#kept.delete(oldest);
    }
    onKept(this.#kept.size / keptKeys);
    return cipher;
  }
}

/** Writes AES-GCM; reads it, and AES-CBC, which servers wrote before Kubernetes 1.25. */
class EitherAes implements ValueTransformer {
  readonly #gcm: AesGcmTransformer;
  readonly #cbc: AesCbcTransformer;

  constructor(bytes: Uint8Array) {
    const key = createSecretKey(bytes);
    this.#gcm = new AesGcmTransformer(key);
    this.#cbc = new AesCbcTransformer(key);
  }

  transformToStorage(plain: Uint8Array, context: TransformContext): Uint8Array {
    return this.#gcm.transformToStorage(plain, context);
  }

  transformFromStorage(stored: Uint8Array, context: TransformContext): PlainValue {
    try {
      return this.#gcm.transformFromStorage(stored, context);
    } catch (error) {
      return this.#readCbc(stored, error as TransformError);
    }
  }

  #readCbc(stored: Uint8Array, before: TransformError): PlainValue {
    try {
      return { ...this.#cbc.transformFromStorage(stored), stale: true };
    } catch (error) {
      throw new TransformError(errorList([before.message, (error as TransformError).message]));
    }
  }
}

function partsOf(stored: Uint8Array): { sealed: Uint8Array; data: Uint8Array } {
  const length = stored.length < LENGTH_BYTES ? Number.POSITIVE_INFINITY : (stored[0]! << 8) | stored[1]!;
  if (stored.length < LENGTH_BYTES + length) {
    throw new TransformError(
      'invalid data encountered by envelope transformer: failed to read uint16 length prefixed data',
    );
  }
  const start = LENGTH_BYTES + length;
  return { sealed: stored.subarray(LENGTH_BYTES, start), data: stored.subarray(start) };
}

function nameOf(sealed: Uint8Array): string {
  return Buffer.from(sealed).toString('latin1');
}

async function asTransformError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new TransformError((error as Error).message);
  }
}
