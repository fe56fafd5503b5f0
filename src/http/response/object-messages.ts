// Protobuf messages of objects, cached for later requests.

import { ProtobufWriter } from '../../api/protobuf-writer.ts';
import { PartialObjectMetadata } from '../../resources/builtin/meta/v1.ts';
import { encodeProtobuf } from '../../schema/protobuf-encode.ts';
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
    const encode = (object: StoredObject) => {
      this.#out.clear();
      if (metadataOnly) encodeProtobuf(PartialObjectMetadata, encoder.metadataValue(object), this.#out);
      else encodeProtobuf(encoder.version.schema, encoder.value(object), this.#out);
      return this.#out.bytes();
    };
    this.#encoded = new EncodedObjects({ encoder, forms, name: metadataOnly ? 'metadata message' : 'message', encode });
  }

  /** The message of an object, without its envelope. Must not be modified. */
  of(object: StoredObject): Uint8Array {
    return this.#encoded.of(object);
  }
}
