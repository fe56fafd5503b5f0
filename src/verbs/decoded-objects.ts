// Objects that were decoded or written lately, by the bytes they stand for, so that writing the same object again and
// again does not read it again each time. What is in here is shared: nobody may change it.

import type { Buffer } from 'node:buffer';
import type { ApiObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { StoredObject } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';

export class DecodedObjects {
  /** The oldest first. */
  readonly #objects = new Map<Buffer, ApiObject>();
  #bytes = 0;

  /** What the bytes decode to, with the resourceVersion of their write. */
  of(stored: StoredObject): ApiObject {
    const known = this.#objects.get(stored.bytes);
    if (known !== undefined) return known;
    const object = decodeStored(stored);
    this.keep(stored.bytes, object);
    return object;
  }

  /** The object behind the bytes, if it is known. */
  peek(bytes: Buffer): ApiObject | undefined {
    return this.#objects.get(bytes);
  }

  keep(bytes: Buffer, object: ApiObject): void {
    this.#objects.set(bytes, object);
    this.#bytes += bytes.length;
    for (const oldest of this.#objects.keys()) {
      if (this.#bytes <= limits.decodedObjectBytes) return;
      this.forget(oldest);
    }
  }

  /** The bytes are no longer anybody's newest. */
  forget(bytes: Buffer): void {
    if (this.#objects.delete(bytes)) this.#bytes -= bytes.length;
  }
}
