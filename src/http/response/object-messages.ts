// Protobuf messages of objects, cached for later requests.

import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { limits } from '../../base/limits.ts';
import type { Steps } from '../../base/steps.ts';
import { PartialObjectMetadata } from '../../resources/builtin/meta/v1.ts';
import { encodeProtobuf, encodingProtobuf } from '../../schema/protobuf-encode.ts';
import type { StoredObject } from '../../verbs/resource-request.ts';
import type { KeptForms } from '../../watchcache/kept-forms.ts';
import { EncodedObjects } from './encoded-objects.ts';
import type { ObjectEncoder } from './object-bytes.ts';

interface ObjectMessagesOptions {
  readonly encoder: ObjectEncoder;
  /** The cache; undefined for none. */
  readonly forms: KeptForms | undefined;
  /** Whether only the metadata of objects is encoded. */
  readonly metadataOnly: boolean;
}

/** The messages of one list or watch. */
export class ObjectMessages {
  readonly #encoded: EncodedObjects;
  readonly #out = new ProtobufWriter();

  constructor({ encoder, forms, metadataOnly }: ObjectMessagesOptions) {
    const type = metadataOnly ? PartialObjectMetadata : encoder.version.schema;
    const out = this.#out;
    function* encoding(object: StoredObject): Steps<Uint8Array<ArrayBuffer>> {
      const value = yield* metadataOnly ? encoder.readingMetadata(object) : encoder.reading(object);
      out.clear();
      if (object.bytes.length < limits.slicedBodyBytes) encodeProtobuf(type, value, out);
      else yield* encodingProtobuf(type, value, out);
      return out.bytes();
    }
    const name = metadataOnly ? 'metadata message' : 'message';
    this.#encoded = new EncodedObjects({ encoder, forms, name, encoding });
  }

  /** The message of an object, without its envelope. Must not be modified. */
  of(object: StoredObject): Uint8Array {
    return this.#encoded.of(object);
  }

  /** Like `of`, in slices for a long object. */
  making(object: StoredObject): Steps<Uint8Array> {
    return this.#encoded.making(object);
  }
}
