// Garbage collector: deletes objects whose owners are gone, and performs foreground deletions, in which dependents are
// deleted first, and orphaning ones, in which they stay. It maintains a graph of all objects with owners from watches
// of every resource; whether an owner exists is always read from its current state, never from the graph.

import { RemoteError } from '../aggregator/remote-objects.ts';
import type { RemoteResource } from '../aggregator/remote-resources.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, OwnerReference } from '../api/object.ts';
import type { Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { uidOf } from '../verbs/stored-uid.ts';
import {
  CollectedObjects,
  type CollectedPlace,
  type CollectionContext,
  isRemote,
  serverOf,
} from './collected-objects.ts';
import { type Controller, isDeleting } from './controller.ts';
import { MisplacedOwners } from './misplaced-owners.ts';
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
import type { RemoteFollower } from './remote-watch.ts';
import { RemoteWatches } from './remote-watches.ts';
import { ResourceWatches } from './resource-watches.ts';
import { mayBeDeleting, mayHaveOwners } from './stored-marks.ts';
import { WorkQueue } from './work-queue.ts';

/** The service account in kube-system of Kubernetes' garbage collector. */
const ACCOUNT = 'generic-garbage-collector';

export class GarbageCollector implements Controller {
  readonly name = 'garbage-collector-controller';
  readonly #context: CollectionContext;
  readonly #objects: CollectedObjects;
  readonly #owners: OwnerLookup;
  readonly #watches: ResourceWatches;
  readonly #remoteWatches: RemoteWatches;
  readonly #queue: WorkQueue<string>;
  /** Only work that needs another server waits for it: by the name of its APIService. */
  readonly #remoteQueues = new Map<string, WorkQueue<string>>();
  readonly #graph = new OwnerGraph<CollectedPlace>();
  /**
   * Owners whose deletion waits for their dependents, by UID; `told` are dependents whose deletion has been requested.
   */
  readonly #deleting = new Map<string, { readonly place: CollectedPlace; told: boolean }>();
  /** Dependents whose owners are new to the graph, and may be in another namespace. */
  readonly #fresh = new Set<string>();
  readonly #misplaced: MisplacedOwners;
  /** Objects with an owner of a kind that is not served. */
  readonly #unresolved = new Set<string>();
  #generation = '';
  #timer: Timer | undefined;
  #stopped = false;

  constructor(context: CollectionContext) {
    const { catalog, writes } = context;
    this.#context = context;
    this.#objects = new CollectedObjects(context, ACCOUNT);
    this.#owners = new OwnerLookup(catalog, context, this.#objects);
    this.#misplaced = new MisplacedOwners(context, this.#owners, ACCOUNT);
    this.#watches = new ResourceWatches({ registry: writes.registry, follower: (each) => this.#follower(each) });
    this.#remoteWatches = new RemoteWatches({
      ...{ context, servers: context, objects: this.#objects.remote },
      follower: (each) => this.#remoteFollower(each),
    });
    this.#queue = this.#makeQueue('', limits.controllerWrites);
  }

  /** @param server the APIService whose objects are processed; '' for none */
  #makeQueue(server: string, concurrency: number): WorkQueue<string> {
    const work = (uid: string) => this.#attempt(uid, server);
    return new WorkQueue({ name: this.name, context: this.#context, concurrency, work });
  }

  /** Nothing is decided before all stored objects are known. */
  async start(): Promise<void> {
    await this.#see();
    this.#queue.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#watches.close();
    this.#remoteWatches.close();
    await Promise.all([this.#queue, ...this.#remoteQueues.values()].map((queue) => queue.stop()));
  }

  /** Watches all served resources, and follows changes of what is served. */
  async #see(): Promise<void> {
    const { catalog, clock, log, apiServices, remoteDiscovery } = this.#context;
    const generation = [catalog, apiServices, remoteDiscovery].map((each) => each.generation).join();
    if (this.#generation !== generation) {
      try {
        this.#remoteWatches.see();
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

  #remoteFollower(definition: RemoteResource): RemoteFollower {
    return {
      changed: (object) => {
        const { uid = '', namespace = '', name = '' } = object.metadata;
        const known = this.#graph.get(uid)?.place ?? this.#deleting.get(uid)?.place;
        // Other servers have no authority over our own objects.
        if (uid === '' || (known !== undefined && !isRemote(known.definition))) return;
        const place = { definition, namespace, name };
        if (object.metadata.ownerReferences !== undefined) this.#takeIn(place, object);
        else this.#graph.remove(uid);
        this.#takeUpDeletion(place, object);
      },
      removed: (uid) => this.#removed(uid),
      synced: () => {
        for (const uid of this.#unresolved) this.#queue.add(uid);
        this.#unresolved.clear();
      },
    };
  }

  #changed(definition: ResourceDefinition, stored: StoredObject, previous: StoredObject | undefined): void {
    // For writes of this server the decoded object is known.
    const known = this.#context.writes.registry.decoded.peek(stored.bytes);
    const hasOwners = this.#mayHaveOwners(stored, known);
    if (!hasOwners && previous !== undefined && this.#mayHaveOwners(previous)) this.#graph.remove(uidOf(stored));
    const deleting = known === undefined ? mayBeDeleting(stored) : isDeleting(known);
    if (!hasOwners && !deleting) return;
    const object = known ?? decodeStored(stored);
    const { namespace = '', name = '' } = object.metadata;
    const place: CollectedPlace = { definition, namespace, name };
    if (hasOwners) this.#takeIn(place, object);
    if (deleting) this.#takeUpDeletion(place, object);
  }

  #mayHaveOwners(stored: StoredObject, known = this.#context.writes.registry.decoded.peek(stored.bytes)): boolean {
    return known === undefined ? mayHaveOwners(stored) : (known.metadata.ownerReferences ?? []).length > 0;
  }

  #takeIn(place: CollectedPlace, { metadata }: ApiObject): void {
    const { uid = '', ownerReferences = [] } = metadata;
    const before = this.#graph.get(uid);
    const owners = new Map(
      ownerReferences.map((owner) => [owner.uid, { blocks: owner['blockOwnerDeletion'] === true }]),
    );
    this.#graph.set({ uid, place, owners });
    if (before === undefined || !sameOwners(before, owners)) {
      this.#fresh.add(uid);
      this.#queue.add(uid);
    }
    // A dependent that no longer blocks its owner may be what the deletion waits for.
    for (const owner of before?.owners.keys() ?? []) if (this.#deleting.has(owner)) this.#queue.add(owner);
  }

  #takeUpDeletion(place: CollectedPlace, object: ApiObject): void {
    const { uid = '' } = object.metadata;
    if (waitsForDependents(object) || orphansDependents(object)) {
      if (this.#deleting.has(uid)) this.#queue.add(uid);
      else {
        this.#deleting.set(uid, { place, told: false });
        // The requesting client sees the object as in the response, and may remove the finalizer.
        this.#queue.addAfter(uid, limits.collectionPauseMs);
      }
    } else {
      this.#deleting.delete(uid);
    }
  }

  #removed(uid: string): void {
    this.#deleting.delete(uid);
    this.#unresolved.delete(uid);
    this.#fresh.delete(uid);
    for (const dependent of this.#graph.dependentsOf(uid)) this.#queue.add(dependent.uid);
    const gone = this.#graph.remove(uid);
    for (const owner of gone?.owners.keys() ?? []) if (this.#deleting.has(owner)) this.#queue.add(owner);
  }

  /** Rechecks everything that may depend on objects of a resource. */
  #recheck(definition: ResourceDefinition): void {
    for (const dependent of this.#graph.all()) this.#queue.add(dependent.uid);
    for (const [uid, { place }] of this.#deleting) if (place.definition === definition) this.#queue.add(uid);
  }

  /** Enqueues an object; if another server is needed, in the queue of that server. */
  async #attempt(uid: string, server: string): Promise<number | undefined> {
    const place = this.#graph.get(uid)?.place ?? this.#deleting.get(uid)?.place;
    if (place === undefined) return undefined;
    const needed = serverOf(place) || (await this.#serverBehind(uid, place));
    if (needed !== server) {
      this.#queueOf(needed).add(uid);
      return undefined;
    }
    try {
      await this.#settleObject(uid, place);
      return undefined;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      this.#context.log.debug({ file: 'garbage-collector', level: 1 }, 'an object waits for another API server', {
        uid,
        server,
        error,
      });
      this.#unresolved.add(uid);
      return limits.remoteRetryMs;
    }
  }

  #queueOf(server: string): WorkQueue<string> {
    if (server === '') return this.#queue;
    let queue = this.#remoteQueues.get(server);
    if (queue === undefined) {
      queue = this.#makeQueue(server, limits.apiServiceReads);
      this.#remoteQueues.set(server, queue);
      if (!this.#stopped) queue.start();
    }
    return queue;
  }

  /** The server of an owner or dependent of a local object; '' if all are local. */
  async #serverBehind(uid: string, place: CollectedPlace): Promise<string> {
    if (!this.#context.apiServices.hasRemote) return '';
    const object = await this.#objects.read(place);
    const owners = (object?.metadata.ownerReferences ?? []).map((owner) => this.#owners.definitionOf(owner));
    const remote = owners.find((definition) => definition !== undefined && isRemote(definition));
    if (remote !== undefined && isRemote(remote)) return remote.apiService.name;
    if (object === undefined || !orphansDependents(object)) return '';
    return (
      this.#graph
        .dependentsOf(uid)
        .map((each) => serverOf(each.place))
        .find((name) => name !== '') ?? ''
    );
  }

  /** Reconciles an object by its current state and that of its owners. */
  async #settleObject(uid: string, place: CollectedPlace): Promise<void> {
    const object = await this.#objects.read(place);
    if (object === undefined || object.metadata.uid !== uid) this.#removed(uid);
    else if (orphansDependents(object)) await this.#orphan(uid, place);
    else if (waitsForDependents(object)) await this.#deleteForeground(uid, place);
    else if (!isDeleting(object)) await this.#settle(place, object);
  }

  /** Removes references to missing owners from an object with a remaining owner; deletes one without. */
  async #settle(place: CollectedPlace, object: ApiObject): Promise<void> {
    const { uid = '', ownerReferences = [] } = object.metadata;
    const isFresh = this.#fresh.delete(uid);
    if (ownerReferences.length === 0) {
      this.#graph.remove(uid);
      return;
    }
    const states = await this.#statesOf(ownerReferences, place);
    const of = (wanted: OwnerState) => ownerReferences.filter((owner) => states.get(owner) === wanted);
    if (isFresh) await this.#misplaced.report(object, place, [...of('absent'), ...of('unknown')]);
    if (of('unknown').length > 0) {
      this.#unresolved.add(uid);
      return;
    }
    // An owner may disappear unnoticed while its kind is not watched: its dependents are rechecked once it is.
    if (ownerReferences.some((owner) => !this.#sees(owner))) this.#unresolved.add(uid);
    const present = of('present');
    const waiting = of('waiting');
    if (present.length === ownerReferences.length) return;
    if (present.length > 0) {
      const lost = new Set(ownerReferences.filter((owner) => states.get(owner) !== 'present').map(({ uid }) => uid));
      await this.#changeOwners(uid, place, (owners) => owners.filter((owner) => !lost.has(owner.uid)));
      return;
    }
    const foreground = waiting.length > 0 && this.#graph.hasDependents(uid);
    if (foreground && this.#graph.dependentsOf(uid).some((each) => this.#deleting.has(each.uid))) {
      // Owners in a cycle would wait for each other forever.
      await this.#changeOwners(uid, place, (owners) =>
        owners.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
      );
    }
    await this.#objects.delete(place, {
      preconditions: { uid },
      propagationPolicy: foreground ? 'Foreground' : policyOf(object),
    });
  }

  /** An object may have thousands of owners. */
  async #statesOf(owners: readonly OwnerReference[], place: CollectedPlace): Promise<Map<OwnerReference, OwnerState>> {
    const turn = this.#context.writes.registry.turns.begin({ taskName: `owners of ${place.definition.resource}` });
    const states = new Map<OwnerReference, OwnerState>();
    for (const owner of owners) {
      states.set(owner, await this.#owners.stateOf(owner, place));
      await turn.over();
    }
    return states;
  }

  #sees(owner: OwnerReference): boolean {
    const definition = this.#owners.definitionOf(owner);
    if (definition === undefined) return true;
    return isRemote(definition) ? this.#remoteWatches.has(definition) : this.#watches.has(definition);
  }

  /** Deletes dependents first; the owner is removed when none is left that blocks it. */
  async #deleteForeground(uid: string, place: CollectedPlace): Promise<void> {
    if (!this.#graph.isBlocked(uid)) return this.#removeFinalizer(uid, place, FOREGROUND);
    const deletion = this.#deleting.get(uid);
    if (deletion === undefined || deletion.told) return;
    deletion.told = true;
    for (const dependent of this.#graph.dependentsOf(uid)) this.#queue.add(dependent.uid);
  }

  /** Removes the owner from its dependents, then its finalizer. */
  async #orphan(uid: string, place: CollectedPlace): Promise<void> {
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
    place: CollectedPlace,
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

  #removeFinalizer(uid: string, place: CollectedPlace, finalizer: string): Promise<void> {
    return this.#objects.change(place, ({ metadata }) => {
      if (metadata.uid !== uid || metadata.finalizers?.includes(finalizer) !== true) return false;
      const others = metadata.finalizers.filter((each) => each !== finalizer);
      if (others.length > 0) metadata.finalizers = others;
      else delete metadata.finalizers;
      return true;
    });
  }
}

/** Events have no owners and expire; all other deletable objects may have owners. */
function isCollected({ expires, verbs }: ResourceDefinition): boolean {
  return expires !== true && verbs.includes('delete') && verbs.includes('watch');
}

/** The policy of an existing finalizer. */
function policyOf({ metadata: { finalizers = [] } }: ApiObject): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}

function sameOwners(
  { owners: before }: Dependent<CollectedPlace>,
  owners: Dependent<CollectedPlace>['owners'],
): boolean {
  return before.size === owners.size && [...owners.keys()].every((uid) => before.has(uid));
}
