// Cache of recently decoded or written objects, by their bytes, so that repeated writes of an object need not decode it
// each time. Cached objects are shared and must not be modified.

import type { Buffer } from 'node:buffer';
import type { ApiObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { Steps } from '../base/steps.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { StoredForm } from '../resources/stored-form.ts';
import type { StoredObject } from './resource-request.ts';
import { readingStored, readStored, type StoredDefinition } from './stored-form.ts';

interface Decoded {
  readonly object: ApiObject;
  /** The definition that decoded it, if it differs from the storage version's. */
  readonly form: StoredForm | undefined;
}

/** Whether it is the object of that write: another server may write the same bytes, and a write may be in progress. */
function isOf({ metadata }: ApiObject, { revision }: StoredObject): boolean {
  return revision === 0 || metadata.resourceVersion === String(revision);
}

export class DecodedObjects {
  /** The current half of the cache and the previous one, which is dropped as a whole when the current one is full. */
  #recent = new Map<Buffer, Decoded>();
  #older = new Map<Buffer, Decoded>();
  #recentBytes = 0;
  readonly #incomplete = new WeakSet<Buffer>();
  readonly #leftovers = new WeakMap<Buffer, readonly string[]>();

  /** The object that the definition decodes from the bytes, with the resourceVersion of their write. */
  of(definition: StoredDefinition, stored: StoredObject): ApiObject {
    return this.#known(definition, stored) ?? this.#keep(stored.bytes, definition, readStored(definition, stored));
  }

  /** Like `of`, in slices for a long object. */
  *reading(definition: StoredDefinition, stored: StoredObject): Steps<ApiObject> {
    const known = this.#known(definition, stored);
    return known ?? this.#keep(stored.bytes, definition, yield* readingStored(definition, stored));
  }

  #known({ storedForm }: Pick<ResourceDefinition, 'storedForm'>, stored: StoredObject): ApiObject | undefined {
    const known = this.#find(stored.bytes);
    return known !== undefined && known.form === storedForm && isOf(known.object, stored) ? known.object : undefined;
  }

  /** The object of these bytes, if cached, in any version; its metadata is the same in all. */
  peek(bytes: Buffer): ApiObject | undefined {
    return this.#find(bytes)?.object;
  }

  /**
   * Caches, in slices, an object that was just written as these bytes; from then on it is what the definition decodes
   * from them.
   */
  *keeping(definition: Pick<ResourceDefinition, 'storedForm'>, bytes: Buffer, object: ApiObject): Steps<void> {
    const { storedForm: form } = definition;
    // Objects converted by a webhook may decode differently.
    if (form?.conversion !== undefined) return;
    if (form !== undefined) yield* form.readingWritten(object, bytes);
    this.#keep(bytes, definition, object);
  }

  #find(bytes: Buffer): Decoded | undefined {
    return this.#recent.get(bytes) ?? this.#older.get(bytes);
  }

  #keep(bytes: Buffer, { storedForm: form }: Pick<ResourceDefinition, 'storedForm'>, object: ApiObject): ApiObject {
    if (this.#recentBytes + bytes.length > limits.decodedObjectBytes / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#recentBytes = 0;
    }
    this.#recent.set(bytes, { object, form });
    this.#recentBytes += bytes.length;
    return object;
  }

  /**
   * Records that decoding a new object applied defaults. In Kubernetes the stored object lacks them, so the next write
   * stores the object again even if it changes nothing.
   */
  noteFilledIn(bytes: Buffer): void {
    this.#incomplete.add(bytes);
  }

  isFilledIn(bytes: Buffer): boolean {
    return this.#incomplete.has(bytes);
  }

  /** Records what Kubernetes would have stored in addition to these bytes; see `Leftovers`. */
  noteLeftovers(bytes: Buffer, leftovers: readonly string[]): void {
    if (leftovers.length > 0) this.#leftovers.set(bytes, leftovers);
  }

  leftoversOf(bytes: Buffer): readonly string[] | undefined {
    return this.#leftovers.get(bytes);
  }

  /** The bytes are no longer the latest of any object. */
  forget(bytes: Buffer): void {
    if (this.#recent.delete(bytes)) this.#recentBytes -= bytes.length;
    else this.#older.delete(bytes);
  }
}
