// Things that only one object may have at a time and that the server gives out: addresses, ports. A write asks for them
// before its object is validated, and says afterwards whether the object was stored. Knows no resource; what is given
// out, and to which resource's objects, is the allocators' business.

import type { ApiObject } from '../api/object.ts';
import type { ResourceDefinition } from '../resources/definition.ts';

export interface AllocationRequest {
  /** As it is to be stored; what is given to it is written into it. */
  readonly next: ApiObject;
  /** Undefined for a new object. */
  readonly previous: ApiObject | undefined;
  readonly dryRun: boolean;
}

/** What one write was given, not yet its own. */
export interface Allocation {
  /** The object is stored: it keeps what it was given, and what it no longer names is free. */
  keep(): Promise<void>;
  /** The object is not stored: what it was given is free. */
  undo(): Promise<void>;
}

export interface Allocator {
  /** @throws ApiError 422 for what cannot be given, having taken nothing */
  allocate(request: AllocationRequest): Promise<Allocation | undefined>;
  /** The object is gone. */
  release(object: ApiObject): Promise<void>;
}

/** The allocators of a server, and what they have given to writes that are under way. */
export class Allocations {
  /** By storage prefix. */
  readonly #allocators = new Map<string, Allocator>();
  readonly #open = new WeakMap<ApiObject, Allocation>();

  add(definition: ResourceDefinition, allocator: Allocator): void {
    this.#allocators.set(definition.storagePrefix, allocator);
  }

  /** Whether objects of a resource are given anything. */
  concern({ storagePrefix }: ResourceDefinition): boolean {
    return this.#allocators.has(storagePrefix);
  }

  /** Undefined for resources whose objects are given nothing, which costs nothing. @throws ApiError 422 */
  allocate({ storagePrefix }: ResourceDefinition, request: AllocationRequest): Promise<void> | undefined {
    const allocator = this.#allocators.get(storagePrefix);
    return allocator === undefined ? undefined : this.#allocate(allocator, request);
  }

  /** Something more that has to be taken back should `object` not be stored. */
  undoUnlessStored(object: ApiObject, undo: () => Promise<void>): void {
    const before = this.#open.get(object);
    this.#open.set(object, {
      keep: async () => before?.keep(),
      undo: async () => {
        await undo();
        await before?.undo();
      },
    });
  }

  /** The end of a write of `object`; undefined when nothing was given to it. */
  settle(object: ApiObject, stored: boolean): Promise<void> | undefined {
    const allocation = this.#open.get(object);
    if (allocation === undefined) return undefined;
    this.#open.delete(object);
    return stored ? allocation.keep() : allocation.undo();
  }

  /** An object is gone; undefined for resources whose objects are given nothing. */
  release({ storagePrefix }: ResourceDefinition, object: () => ApiObject): Promise<void> | undefined {
    return this.#allocators.get(storagePrefix)?.release(object());
  }

  async #allocate(allocator: Allocator, request: AllocationRequest): Promise<void> {
    const allocation = await allocator.allocate(request);
    if (allocation !== undefined) this.#open.set(request.next, allocation);
  }
}
