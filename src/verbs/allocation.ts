// Allocation of values that only one object may have at a time: addresses, ports. A write requests them before its
// object is validated, and holds them as reservations. Independent of resources: allocators decide what to allocate,
// and for which resource.

import type { ApiObject } from '../api/object.ts';
import type { Soon } from '../base/soon.ts';
import type { ResourceDefinition } from '../resources/definition.ts';

/** A reservation made while trying to store an object: an address, a port, a share of a quota. */
export interface Reservation {
  /** The object was stored: it keeps what was reserved, and what it no longer uses is released. */
  keep?(): Promise<void>;
  /** The object was not stored: the reservation is released. */
  undo(): Promise<void>;
}

/** The write that holds the reservations of its object. */
interface Reserving {
  readonly request: { readonly definition: ResourceDefinition };
  readonly dryRun: boolean;
  reserve(reservation: Reservation): void;
}

export interface AllocationRequest {
  /** The object to be stored; allocated values are written into it. */
  readonly next: ApiObject;
  /** Undefined for a new object. */
  readonly previous: ApiObject | undefined;
  readonly dryRun: boolean;
}

export interface Allocator {
  /** @throws ApiError 422 for unavailable values, without having reserved anything */
  allocate(request: AllocationRequest): Promise<Reservation | undefined>;
  /** The object was removed. */
  release(object: ApiObject): Promise<void>;
}

/** The allocators of a server. */
export class Allocations {
  /** By storage prefix. */
  readonly #allocators = new Map<string, Allocator>();

  add(definition: ResourceDefinition, allocator: Allocator): void {
    this.#allocators.set(definition.storagePrefix, allocator);
  }

  /** Whether anything is allocated to objects of a resource. */
  concern({ storagePrefix }: ResourceDefinition): boolean {
    return this.#allocators.has(storagePrefix);
  }

  /** Allocates what a write's object requests; free for other resources. @throws ApiError 422 */
  allocate(write: Reserving, next: ApiObject, previous: ApiObject | undefined): Soon<void> {
    const allocator = this.#allocators.get(write.request.definition.storagePrefix);
    if (allocator === undefined) return;
    return allocator.allocate({ next, previous, dryRun: write.dryRun }).then((reservation) => {
      if (reservation !== undefined) write.reserve(reservation);
    });
  }

  /** An object was removed; free for other resources. */
  release({ storagePrefix }: ResourceDefinition, object: () => ApiObject): Soon<void> {
    return this.#allocators.get(storagePrefix)?.release(object());
  }
}
