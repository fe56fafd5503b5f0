// Expiry of events after a fixed time since their last write. All have the same TTL, so they expire in the order in
// which they were written, and a single timer suffices.

import { isConflict } from '../api/error-reasons.ts';
import type { Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { storageKey } from '../verbs/registry.ts';
import type { CachedObject } from '../verbs/watch.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import type { ObjectFollower } from './object-watch.ts';
import { ResourceWatches } from './resource-watches.ts';
import { creationMs } from './stored-marks.ts';

interface DatedEvent {
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** Expiry time, in milliseconds since the epoch. */
  readonly endMs: number;
}

export class EventExpiry implements Controller {
  readonly name = 'event-expiry-controller';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  readonly #ttlMs: number;
  readonly #watches: ResourceWatches;
  /** By key, in order of expiry. */
  #events = new Map<string, DatedEvent>();
  /** Existing events at startup, until all are known and can be sorted. */
  #found: [string, DatedEvent][] | undefined = [];
  #timer: Timer | undefined;
  #sweep: Promise<void> | undefined;
  #stopped = false;

  /** @param ttlMs TTL after the last write */
  constructor(context: ControllerContext, ttlMs: number) {
    this.#context = context;
    this.#ttlMs = ttlMs;
    this.#objects = new ControlledObjects(context, 'event-expiry-controller');
    this.#watches = new ResourceWatches({
      registry: context.writes.registry,
      follower: (definition) => this.#follower(definition),
    });
  }

  async start(): Promise<void> {
    const definition = this.#definition();
    if (definition !== undefined && this.#ttlMs > 0) await this.#watches.open([definition]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#watches.close();
    await this.#sweep;
  }

  #definition(): ResourceDefinition | undefined {
    return this.#context.catalog.find('', 'events');
  }

  #follower(definition: ResourceDefinition): ObjectFollower {
    return {
      changed: (event, previous) => this.#written(definition, event, previous),
      removed: ({ namespace, name }) => this.#events.delete(storageKey(definition, namespace, name)),
      restarted: () => {
        this.#events.clear();
        this.#found = [];
      },
      synced: () => this.#sort(),
    };
  }

  #written(definition: ResourceDefinition, event: CachedObject, previous: CachedObject | undefined): void {
    const { namespace, name, revision } = event;
    const key = storageKey(definition, namespace, name);
    const now = this.#context.clock.now();
    if (this.#found !== undefined && previous === undefined) {
      // The time of the last write is unknown, so creation time is the best estimate.
      const born = creationMs(event);
      const endMs = (Number.isNaN(born) ? now : born) + this.#ttlMs;
      this.#found.push([key, { namespace, name, revision, endMs }]);
      return;
    }
    // Moved behind all others.
    this.#events.delete(key);
    this.#events.set(key, { namespace, name, revision, endMs: now + this.#ttlMs });
    this.#wait();
  }

  #sort(): void {
    const found = (this.#found ?? []).sort(([, one], [, other]) => one.endMs - other.endMs);
    this.#found = undefined;
    this.#events = new Map([...found, ...this.#events]);
    this.#wait();
  }

  #wait(): void {
    if (this.#timer !== undefined || this.#sweep !== undefined || this.#stopped) return;
    const first = this.#events.values().next().value;
    if (first === undefined) return;
    this.#timer = this.#context.clock.after(Math.max(0, first.endMs - this.#context.clock.now()), () => {
      this.#timer = undefined;
      this.#sweep = this.#removeExpired().finally(() => {
        this.#sweep = undefined;
        this.#wait();
      });
    });
  }

  /** Deletes expired events, a limited number per step. */
  async #removeExpired(): Promise<void> {
    const definition = this.#definition();
    if (definition === undefined) return;
    const now = this.#context.clock.now();
    const due: DatedEvent[] = [];
    for (const [key, event] of this.#events) {
      if (event.endMs > now || due.length === limits.expiredEvents) break;
      due.push(event);
      this.#events.delete(key);
    }
    for (let start = 0; start < due.length; start += limits.controllerWrites) {
      const step = due.slice(start, start + limits.controllerWrites);
      await Promise.all(step.map((event) => this.#remove(definition, event)));
    }
  }

  async #remove(definition: ResourceDefinition, event: DatedEvent): Promise<void> {
    const { namespace, name, revision } = event;
    const place: ObjectPlace = { definition, namespace, name };
    try {
      // An event that was written meanwhile has a new TTL.
      await this.#objects.delete(place, { preconditions: { resourceVersion: String(revision) } });
    } catch (error) {
      if (isConflict(error)) return;
      this.#context.log.warn('failed to delete an expired event', { namespace, name, error });
      const key = storageKey(definition, namespace, name);
      if (!this.#events.has(key)) this.#events.set(key, { ...event, endMs: this.#context.clock.now() + this.#ttlMs });
    }
  }
}
