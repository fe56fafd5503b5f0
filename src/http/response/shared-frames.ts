// Cache of the frames of initial events. Watchers of a resource that start at about the same time receive the same
// objects; their frames are built once while they are cached, and unread frames cost no memory of their own.

import type { Buffer } from 'node:buffer';
import type { StoredObject } from '../../verbs/resource-request.ts';

export class SharedFrames {
  readonly #most: number;
  /** By object and form, the oldest first. */
  readonly #frames = new Map<StoredObject, Map<string, Buffer>>();
  #bytes = 0;

  /** @param most bytes that are cached */
  constructor(most: number) {
    this.#most = most;
  }

  /** The frame of an object in a form; `make` builds it if it is not cached. */
  frame(object: StoredObject, form: string, make: () => Buffer): Buffer {
    const known = this.#frames.get(object);
    const frame = known?.get(form);
    if (frame !== undefined) return frame;
    const made = make();
    if (known !== undefined) known.set(form, made);
    else this.#frames.set(object, new Map([[form, made]]));
    this.#bytes += made.length;
    for (const [oldest, frames] of this.#frames) {
      if (this.#bytes <= this.#most) break;
      this.#frames.delete(oldest);
      for (const each of frames.values()) this.#bytes -= each.length;
    }
    return made;
  }
}
