// Objects as protobuf messages, made once for each of their versions and kept: lists and watches share the bytes.

import { ProtobufWriter } from '../api/protobuf-writer.ts';
import { PartialObjectMetadata } from '../resources/builtin/meta/v1.ts';
import { encodeProtobuf } from '../schema/protobuf-encode.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { type Form, FormKind, type KeptForms } from '../watchcache/kept-forms.ts';
import type { ObjectEncoder } from './object-bytes.ts';

/** What a message takes in memory besides its bytes. */
const OVERHEAD = 200;

class Message implements Form {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: number;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
    this.size = bytes.length + OVERHEAD;
  }
}

interface Kinds {
  readonly whole: FormKind<Message>;
  readonly metadata: FormKind<Message>;
}

const kinds = new WeakMap<ObjectEncoder, Kinds>();

interface ObjectMessagesOptions {
  readonly encoder: ObjectEncoder;
  /** Where messages are kept; undefined where they are not. */
  readonly forms: KeptForms | undefined;
  /** Whether objects are shown as their metadata alone. */
  readonly metadataOnly: boolean;
}

/** The messages of one list or watch. */
export class ObjectMessages {
  readonly #options: ObjectMessagesOptions;
  readonly #kind: FormKind<Message>;
  readonly #out = new ProtobufWriter();

  constructor(options: ObjectMessagesOptions) {
    this.#options = options;
    const known = kinds.get(options.encoder) ?? { whole: new FormKind(), metadata: new FormKind() };
    kinds.set(options.encoder, known);
    this.#kind = options.metadataOnly ? known.metadata : known.whole;
  }

  /** The message of an object, without an envelope. Not to be changed. */
  of(object: StoredObject): Uint8Array {
    const { forms } = this.#options;
    const make = () => this.#make(object);
    return (forms === undefined ? make() : forms.form(this.#kind, object, make)).bytes;
  }

  #make(object: StoredObject): Message {
    const { encoder, metadataOnly } = this.#options;
    this.#out.clear();
    if (metadataOnly) encodeProtobuf(PartialObjectMetadata, encoder.metadataValue(object), this.#out);
    else encodeProtobuf(encoder.version.schema, encoder.value(object), this.#out);
    return new Message(this.#out.bytes());
  }
}
