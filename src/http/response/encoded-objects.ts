// Objects encoded in one form, once for each version of an object and then cached: lists and watches share the bytes.

import { atOnce, type Steps } from '../../base/steps.ts';
import type { StoredObject } from '../../verbs/resource-request.ts';
import { type Form, FormKind, type KeptForms } from '../../watchcache/kept-forms.ts';
import type { ObjectEncoder } from './object-bytes.ts';

/** Memory overhead of a cached encoding besides its bytes. */
const OVERHEAD = 200;

class EncodedObject implements Form {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: number;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
    this.size = bytes.length + OVERHEAD;
  }
}

/** By encoder: another version of a definition encodes differently. */
const kinds = new WeakMap<ObjectEncoder, Map<string, FormKind<EncodedObject>>>();

interface EncodedObjectsOptions {
  readonly encoder: ObjectEncoder;
  /** The cache; undefined for none. */
  readonly forms: KeptForms | undefined;
  /** Distinguishes these bytes from other forms of the same objects. */
  readonly name: string;
  readonly encoding: (object: StoredObject) => Steps<Uint8Array<ArrayBuffer>>;
}

/** The encoded objects of one list or watch. */
export class EncodedObjects {
  readonly #options: EncodedObjectsOptions;
  readonly #kind: FormKind<EncodedObject>;

  constructor(options: EncodedObjectsOptions) {
    const { encoder, name } = options;
    const known = kinds.get(encoder) ?? new Map<string, FormKind<EncodedObject>>();
    kinds.set(encoder, known);
    const kind = known.get(name) ?? new FormKind<EncodedObject>();
    known.set(name, kind);
    this.#options = options;
    this.#kind = kind;
  }

  /** Must not be modified. */
  of(object: StoredObject): Uint8Array<ArrayBuffer> {
    return atOnce(this.making(object));
  }

  /** Like `of`, in slices for a long object. */
  *making(object: StoredObject): Steps<Uint8Array<ArrayBuffer>> {
    const { forms, encoding } = this.#options;
    const known = forms?.known(this.#kind, object);
    if (known !== undefined) return known.bytes;
    const bytes = yield* encoding(object);
    return forms === undefined ? bytes : forms.form(this.#kind, object, () => new EncodedObject(bytes)).bytes;
  }
}
