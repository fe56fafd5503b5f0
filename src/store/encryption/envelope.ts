// The transformer of a KMS v2 plugin, in kube-apiserver's layout: values are encrypted locally with keys derived from a
// seed; the seed, encrypted by the plugin, is stored with each value. Writes never wait for the plugin; reads do for a
// seed that has not been decrypted yet.

import { type Soon, whenThere } from '../../base/soon.ts';
import type { PlainValue, TransformContext, ValueTransformer } from '../value-transformer.ts';
import { decodeEncryptedObject, encodeEncryptedObject, type SealedSource } from './encrypted-object.ts';

/** The source for new values. */
export interface WriteSource {
  readonly source: SealedSource;
  /** The source as part of each value. */
  readonly encoded: Uint8Array;
  readonly cipher: ValueTransformer;
}

/** The decrypted sources of one plugin. */
export interface SourceKeeper {
  /** @throws TransformError if there is none, or one that the plugin has not confirmed for too long */
  forWriting(): WriteSource;
  /** The source of new values, confirmed or not. @throws TransformError if there is none */
  current(): SealedSource;
  /** The cipher of a source. Throws or rejects with TransformError. */
  open(source: SealedSource): Soon<ValueTransformer>;
  /** A value was read or written with a key. */
  used(direction: 'from_storage' | 'to_storage', keyId: string): void;
}

export class EnvelopeTransformer implements ValueTransformer {
  readonly readsLater = true;
  readonly #keeper: SourceKeeper;

  constructor(keeper: SourceKeeper) {
    this.#keeper = keeper;
  }

  transformToStorage(plain: Uint8Array, context: TransformContext): Soon<Uint8Array> {
    const { source, encoded, cipher } = this.#keeper.forWriting();
    this.#keeper.used('to_storage', source.keyId);
    return whenThere(cipher.transformToStorage(plain, context), (data) => encodeEncryptedObject(data, encoded));
  }

  transformFromStorage(stored: Uint8Array, context: TransformContext): Soon<PlainValue> {
    const { data, source } = decodeEncryptedObject(stored);
    const { keyId, type } = this.#keeper.current();
    return whenThere(this.#keeper.open(source), (cipher) => {
      this.#keeper.used('from_storage', source.keyId);
      return whenThere(cipher.transformFromStorage(data, context), ({ plain, stale }) => {
        return { plain, stale: stale || source.keyId !== keyId || source.type !== type };
      });
    });
  }
}
