// Objects that were decoded or written lately, by the bytes they stand for, so that writing the same object again and
// again does not read it again each time. What is in here is shared: nobody may change it.

import type { Buffer } from 'node:buffer';
import type { ApiObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { StoredObject } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';

export class DecodedObjects {
  /** Half of what there may be, and what was kept before that: it goes as a whole when that half is full. */
  #recent = new Map<Buffer, ApiObject>();
  #older = new Map<Buffer, ApiObject>();
  #recentBytes = 0;

  /** What the bytes decode to, with the resourceVersion of their write. */
  of(stored: StoredObject): ApiObject {
    const known = this.peek(stored.bytes);
    if (known !== undefined) return known;
    const object = decodeStored(stored);
    this.keep(stored.bytes, object);
    return object;
  }

  /** The object behind the bytes, if it is known. */
  peek(bytes: Buffer): ApiObject | undefined {
    return this.#recent.get(bytes) ?? this.#older.get(bytes);
  }

  keep(bytes: Buffer, object: ApiObject): void {
    if (this.#recentBytes + bytes.length > limits.decodedObjectBytes / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#recentBytes = 0;
    }
    this.#recent.set(bytes, object);
    this.#recentBytes += bytes.length;
  }

  /** The bytes are no longer anybody's newest. */
  forget(bytes: Buffer): void {
    if (this.#recent.delete(bytes)) this.#recentBytes -= bytes.length;
    else this.#older.delete(bytes);
  }
}
