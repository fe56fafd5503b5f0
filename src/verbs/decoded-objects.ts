// Objects that were decoded or written lately, by the bytes they stand for, so that writing the same object again and
// again does not read it again each time. What is in here is shared: nobody may change it.

import type { Buffer } from 'node:buffer';
import type { ApiObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { ResourceDefinition, StoredForm } from '../resources/definition.ts';
import type { StoredObject } from './resource-request.ts';
import { readStored } from './stored-form.ts';

interface Decoded {
  readonly object: ApiObject;
  /** What it was read by, where it is not read as it is stored. */
  readonly form: StoredForm | undefined;
}

/** Whether it is the object of that write: another server may write the same bytes, and a write may still be under way. */
function isOf({ metadata }: ApiObject, { revision }: StoredObject): boolean {
  return revision === 0 || metadata.resourceVersion === String(revision);
}

export class DecodedObjects {
  /** Half of what there may be, and what was kept before that: it goes as a whole when that half is full. */
  #recent = new Map<Buffer, Decoded>();
  #older = new Map<Buffer, Decoded>();
  #recentBytes = 0;
  readonly #incomplete = new WeakSet<Buffer>();
  readonly #leftovers = new WeakMap<Buffer, readonly string[]>();

  /** What the definition reads the bytes as, with the resourceVersion of their write. */
  of(definition: Pick<ResourceDefinition, 'storedForm'>, stored: StoredObject): ApiObject {
    const known = this.#find(stored.bytes);
    if (known !== undefined && known.form === definition.storedForm && isOf(known.object, stored)) return known.object;
    const object = readStored(definition, stored);
    this.#keep(stored.bytes, { object, form: definition.storedForm });
    return object;
  }

  /** The object behind the bytes, if it is known, in whichever version; its metadata are the same in all. */
  peek(bytes: Buffer): ApiObject | undefined {
    return this.#find(bytes)?.object;
  }

  /** Keeps an object that was just written as these bytes; from then on it is as the definition reads it. */
  keep({ storedForm: form }: Pick<ResourceDefinition, 'storedForm'>, bytes: Buffer, object: ApiObject): void {
    // What somebody else converts is not the same object any more.
    if (form?.conversion !== undefined) return;
    form?.readWritten(object, bytes);
    this.#keep(bytes, { object, form });
  }

  #find(bytes: Buffer): Decoded | undefined {
    return this.#recent.get(bytes) ?? this.#older.get(bytes);
  }

  #keep(bytes: Buffer, decoded: Decoded): void {
    if (this.#recentBytes + bytes.length > limits.decodedObjectBytes / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#recentBytes = 0;
    }
    this.#recent.set(bytes, decoded);
    this.#recentBytes += bytes.length;
  }

  /**
   * Notes of a new object that reading filled something in. In Kubernetes what is stored lacks that, so that the next
   * write stores the object anew even where it changes nothing.
   */
  noteFilledIn(bytes: Buffer): void {
    this.#incomplete.add(bytes);
  }

  isFilledIn(bytes: Buffer): boolean {
    return this.#incomplete.has(bytes);
  }

  /** Notes what Kubernetes would have stored beside these bytes; see `Leftovers`. */
  noteLeftovers(bytes: Buffer, leftovers: readonly string[]): void {
    if (leftovers.length > 0) this.#leftovers.set(bytes, leftovers);
  }

  leftoversOf(bytes: Buffer): readonly string[] | undefined {
    return this.#leftovers.get(bytes);
  }

  /** The bytes are no longer anybody's newest. */
  forget(bytes: Buffer): void {
    if (this.#recent.delete(bytes)) this.#recentBytes -= bytes.length;
    else this.#older.delete(bytes);
  }
}
