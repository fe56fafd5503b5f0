// Deletes what no owner holds any more, and carries out deletions that concern dependents: in the foreground, where
// they go first, and orphaning ones, where they stay. It keeps a graph of all that has owners, fed by watches of every
// resource; whether an owner is there is always asked of its current state, never of the graph.

import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, OwnerReference } from '../api/object.ts';
import type { Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import { type Controller, type ControllerContext, isDeleting } from './controller.ts';
import type { StoredFollower } from './object-watch.ts';
import { type Dependent, OwnerGraph } from './owner-graph.ts';
import {
  FOREGROUND,
  ORPHAN,
  OwnerLookup,
  type OwnerState,
  orphansDependents,
  waitsForDependents,
} from './owner-lookup.ts';
import { ResourceWatches } from './resource-watches.ts';
import { mayBeDeleting, mayHaveOwners, uidOf } from './stored-marks.ts';
import { WorkQueue } from './work-queue.ts';

export class GarbageCollector implements Controller {
  readonly name = 'garbage-collector-controller';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  readonly #owners: OwnerLookup;
  readonly #watches: ResourceWatches;
  readonly #queue: WorkQueue<string>;
  readonly #graph = new OwnerGraph<ObjectPlace>();
  /** Owners whose deletion waits for their dependents, by uid; `told` those that have been told to go. */
  readonly #deleting = new Map<string, { readonly place: ObjectPlace; told: boolean }>();
  /** Objects with an owner of a kind that is not served. */
  readonly #unresolved = new Set<string>();
  #generation = 0;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(context: ControllerContext) {
    const { clock, log, catalog, writes } = context;
    this.#context = context;
    this.#objects = new ControlledObjects(context, 'generic-garbage-collector');
    this.#owners = new OwnerLookup(catalog, this.#objects);
    this.#watches = new ResourceWatches({ registry: writes.registry, follower: (each) => this.#follower(each) });
    this.#queue = new WorkQueue({
      name: this.name,
      turns: context.writes.registry.turns,
      clock,
      log,
      concurrency: limits.controllerWrites,
      work: (uid) => this.#attempt(uid),
    });
  }

  /** Nothing is decided before all that is stored has been seen. */
  async start(): Promise<void> {
    await this.#see();
    this.#queue.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#watches.close();
    await this.#queue.stop();
  }

  /** Watches what is served, now and when that changes. */
  async #see(): Promise<void> {
    const { catalog, clock, log } = this.#context;
    if (this.#generation !== catalog.generation) {
      const { generation } = catalog;
      try {
        await this.#watches.open(catalog.definitions.filter(isCollected));
        this.#generation = generation;
        for (const uid of this.#unresolved) this.#queue.add(uid);
        this.#unresolved.clear();
      } catch (error) {
        if (!this.#stopped) log.warn('the garbage collector can not see all resources', { error });
      }
    }
    if (!this.#stopped) this.#timer = clock.after(limits.catalogPollMs, () => void this.#see());
  }

  #follower(definition: ResourceDefinition): StoredFollower {
    return {
      stored: (object) => this.#changed(definition, object, undefined),
      changed: (object, previous) => this.#changed(definition, object, previous),
      removed: (object) => this.#removed(uidOf(object)),
      restarted: () => this.#recheck(definition),
    };
  }

  #changed(definition: ResourceDefinition, stored: StoredObject, previous: StoredObject | undefined): void {
    // What was written by this server is known without a look at its bytes.
    const known = this.#context.writes.registry.decoded.peek(stored.bytes);
    const hasOwners = this.#mayHaveOwners(stored, known);
    if (!hasOwners && previous !== undefined && this.#mayHaveOwners(previous)) this.#graph.remove(uidOf(stored));
    const deleting = known === undefined ? mayBeDeleting(stored) : isDeleting(known);
    if (!hasOwners && !deleting) return;
    const object = known ?? decodeStored(stored);
    const { namespace = '', name = '' } = object.metadata;
    const place: ObjectPlace = { definition, namespace, name };
    if (hasOwners) this.#takeIn(place, object);
    if (deleting) this.#takeUpDeletion(place, object);
  }

  #mayHaveOwners(stored: StoredObject, known = this.#context.writes.registry.decoded.peek(stored.bytes)): boolean {
    return known === undefined ? mayHaveOwners(stored) : (known.metadata.ownerReferences ?? []).length > 0;
  }

  #takeIn(place: ObjectPlace, { metadata }: ApiObject): void {
    const { uid = '', ownerReferences = [] } = metadata;
    const before = this.#graph.get(uid);
    const owners = new Map(
      ownerReferences.map((owner) => [owner.uid, { blocks: owner['blockOwnerDeletion'] === true }]),
    );
    this.#graph.set({ uid, place, owners });
    if (before === undefined || !sameOwners(before, owners)) this.#queue.add(uid);
    // Who no longer blocks an owner may be what its deletion waits for.
    for (const owner of before?.owners.keys() ?? []) if (this.#deleting.has(owner)) this.#queue.add(owner);
  }

  #takeUpDeletion(place: ObjectPlace, object: ApiObject): void {
    const { uid = '' } = object.metadata;
    if (waitsForDependents(object) || orphansDependents(object)) {
      if (this.#deleting.has(uid)) this.#queue.add(uid);
      else {
        this.#deleting.set(uid, { place, told: false });
        // Who asked for the deletion finds the object as the answer showed it, and may take the finalizer off.
        this.#queue.addAfter(uid, limits.collectionPauseMs);
      }
    } else {
      this.#deleting.delete(uid);
    }
  }

  #removed(uid: string): void {
    this.#deleting.delete(uid);
    this.#unresolved.delete(uid);
    for (const dependent of this.#graph.dependentsOf(uid)) this.#queue.add(dependent.uid);
    const gone = this.#graph.remove(uid);
    for (const owner of gone?.owners.keys() ?? []) if (this.#deleting.has(owner)) this.#queue.add(owner);
  }

  /** Looks at everything that objects of a resource may have been gone from. */
  #recheck(definition: ResourceDefinition): void {
    for (const dependent of this.#graph.all()) this.#queue.add(dependent.uid);
    for (const [uid, { place }] of this.#deleting) if (place.definition === definition) this.#queue.add(uid);
  }

  /** Does what the current state of an object, and of those it belongs to, asks for. */
  async #attempt(uid: string): Promise<undefined> {
    const place = this.#graph.get(uid)?.place ?? this.#deleting.get(uid)?.place;
    if (place === undefined) return;
    const object = await this.#objects.read(place);
    if (object === undefined || object.metadata.uid !== uid) this.#removed(uid);
    else if (orphansDependents(object)) await this.#orphan(uid, place);
    else if (waitsForDependents(object)) await this.#deleteForeground(uid, place);
    else if (!isDeleting(object)) await this.#settle(place, object);
  }

  /** Keeps an object that has an owner, without those that it has no more; deletes one that has none left. */
  async #settle(place: ObjectPlace, object: ApiObject): Promise<void> {
    const { uid = '', ownerReferences = [] } = object.metadata;
    if (ownerReferences.length === 0) {
      this.#graph.remove(uid);
      return;
    }
    const states = new Map<OwnerReference, OwnerState>();
    for (const owner of ownerReferences) states.set(owner, await this.#owners.stateOf(owner, place));
    const of = (wanted: OwnerState) => ownerReferences.filter((owner) => states.get(owner) === wanted);
    if (of('unknown').length > 0) {
      this.#unresolved.add(uid);
      return;
    }
    // An owner may go unseen as long as nobody watches its kind: its dependents are looked at again when somebody does.
    if (ownerReferences.some((owner) => !this.#sees(owner))) this.#unresolved.add(uid);
    const present = of('present');
    const waiting = of('waiting');
    if (present.length === ownerReferences.length) return;
    if (present.length > 0) {
      const lost = new Set(ownerReferences.filter((owner) => !present.includes(owner)).map((owner) => owner.uid));
      await this.#changeOwners(uid, place, (owners) => owners.filter((owner) => !lost.has(owner.uid)));
      return;
    }
    const foreground = waiting.length > 0 && this.#graph.hasDependents(uid);
    if (foreground && this.#graph.dependentsOf(uid).some((each) => this.#deleting.has(each.uid))) {
      // Owners in a circle would wait for each other for ever.
      await this.#changeOwners(uid, place, (owners) =>
        owners.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
      );
    }
    await this.#objects.delete(place, {
      preconditions: { uid },
      propagationPolicy: foreground ? 'Foreground' : policyOf(object),
    });
  }

  #sees({ apiVersion, kind }: OwnerReference): boolean {
    const definition = this.#owners.definitionOf(apiVersion, kind);
    return definition === undefined || this.#watches.has(definition);
  }

  /** Sends the dependents away first; the owner goes when none is left that blocks it. */
  async #deleteForeground(uid: string, place: ObjectPlace): Promise<void> {
    if (!this.#graph.isBlocked(uid)) return this.#removeFinalizer(uid, place, FOREGROUND);
    const deletion = this.#deleting.get(uid);
    if (deletion === undefined || deletion.told) return;
    deletion.told = true;
    for (const dependent of this.#graph.dependentsOf(uid)) this.#queue.add(dependent.uid);
  }

  /** Takes the owner from its dependents, then lets it go. */
  async #orphan(uid: string, place: ObjectPlace): Promise<void> {
    const dependents = this.#graph.dependentsOf(uid);
    for (let start = 0; start < dependents.length; start += limits.controllerWrites) {
      await Promise.all(
        dependents
          .slice(start, start + limits.controllerWrites)
          .map((each) =>
            this.#changeOwners(each.uid, each.place, (owners) => owners.filter((owner) => owner.uid !== uid)),
          ),
      );
    }
    await this.#removeFinalizer(uid, place, ORPHAN);
  }

  #changeOwners(
    uid: string,
    place: ObjectPlace,
    change: (owners: OwnerReference[]) => OwnerReference[],
  ): Promise<void> {
    return this.#objects.change(place, ({ metadata }) => {
      if (metadata.uid !== uid || metadata.ownerReferences === undefined) return false;
      const owners = change(copyJson(metadata.ownerReferences));
      if (owners.length > 0) metadata.ownerReferences = owners;
      else delete metadata.ownerReferences;
      return true;
    });
  }

  #removeFinalizer(uid: string, place: ObjectPlace, finalizer: string): Promise<void> {
    return this.#objects.change(place, ({ metadata }) => {
      if (metadata.uid !== uid || metadata.finalizers?.includes(finalizer) !== true) return false;
      metadata.finalizers = metadata.finalizers.filter((each) => each !== finalizer);
      return true;
    });
  }
}

/** Events belong to nobody and go by their age; all else that can be deleted may have owners. */
function isCollected({ kind, verbs }: ResourceDefinition): boolean {
  return kind !== 'Event' && verbs.includes('delete') && verbs.includes('watch');
}

/** What a finalizer that is there already asks for. */
function policyOf({ metadata: { finalizers = [] } }: ApiObject): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}

function sameOwners({ owners: before }: Dependent<ObjectPlace>, owners: Dependent<ObjectPlace>['owners']): boolean {
  return before.size === owners.size && [...owners.keys()].every((uid) => before.has(uid));
}
