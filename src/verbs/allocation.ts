// Things that only one object may have at a time and that the server gives out: addresses, ports. A write asks for them
// before its object is validated, and holds what it was given as reservations. Knows no resource; what is given out, and
// to which resource's objects, is the allocators' business.

import type { ApiObject } from '../api/object.ts';
import type { Soon } from '../base/soon.ts';
import type { ResourceDefinition } from '../resources/definition.ts';

/** What an attempt to store an object took for it: an address, a port, a share of a quota. */
export interface Reservation {
  /** The object is stored: it keeps what was taken, and what it no longer names is free. */
  keep?(): Promise<void>;
  /** The object is not stored: what was taken is free. */
  undo(): Promise<void>;
}

/** The write that holds what its object is given. */
interface Reserving {
  readonly request: { readonly definition: ResourceDefinition };
  readonly dryRun: boolean;
  reserve(reservation: Reservation): void;
}

export interface AllocationRequest {
  /** As it is to be stored; what is given to it is written into it. */
  readonly next: ApiObject;
  /** Undefined for a new object. */
  readonly previous: ApiObject | undefined;
  readonly dryRun: boolean;
}

export interface Allocator {
  /** @throws ApiError 422 for what cannot be given, having taken nothing */
  allocate(request: AllocationRequest): Promise<Reservation | undefined>;
  /** The object is gone. */
  release(object: ApiObject): Promise<void>;
}

/** The allocators of a server. */
export class Allocations {
  /** By storage prefix. */
  readonly #allocators = new Map<string, Allocator>();

  add(definition: ResourceDefinition, allocator: Allocator): void {
    this.#allocators.set(definition.storagePrefix, allocator);
  }

  /** Whether objects of a resource are given anything. */
  concern({ storagePrefix }: ResourceDefinition): boolean {
    return this.#allocators.has(storagePrefix);
  }

  /** Gives a write's object what it asks for; costs nothing for resources whose objects are given nothing. @throws ApiError 422 */
  allocate(write: Reserving, next: ApiObject, previous: ApiObject | undefined): Soon<void> {
    const allocator = this.#allocators.get(write.request.definition.storagePrefix);
    if (allocator === undefined) return;
    return allocator.allocate({ next, previous, dryRun: write.dryRun }).then((reservation) => {
      if (reservation !== undefined) write.reserve(reservation);
    });
  }

  /** An object is gone; costs nothing for resources whose objects are given nothing. */
  release({ storagePrefix }: ResourceDefinition, object: () => ApiObject): Soon<void> {
    return this.#allocators.get(storagePrefix)?.release(object());
  }
}
