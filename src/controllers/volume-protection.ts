// Controllers of the protection finalizers: deleted volumes and claims remain while they are in use, a claim while a
// pod on a node references it, a volume while it is bound. The finalizers are removed here afterwards.

import type { Buffer } from 'node:buffer';
import type { ApiObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import { inTurns, type Steps } from '../base/steps.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { at, listAt, textAt } from '../resources/value.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import type { CachedObject } from '../verbs/watch.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import { type Controller, type ControllerContext, isDeleting } from './controller.ts';
import { ResourceWatches } from './resource-watches.ts';
import { mayBeDeleting } from './stored-marks.ts';
import { WorkQueue } from './work-queue.ts';

interface Protection {
  readonly controller: string;
  readonly account: string;
  readonly resource: string;
  readonly finalizer: string;
  /** Whether the object must remain: as long as pods of its namespace use it, or by what it says itself. */
  readonly isUsed: 'by pods' | ((object: ApiObject) => boolean);
}

class VolumeProtection implements Controller {
  readonly name: string;
  readonly #context: ControllerContext;
  readonly #protection: Protection;
  readonly #objects: ControlledObjects;
  readonly #watches: ResourceWatches;
  readonly #queue: WorkQueue<string>;
  /** Protected objects that are being deleted, by `namespace/name`. */
  readonly #deleting = new Map<string, ObjectPlace>();
  /** Of each pod, as long as it is stored so: many claims of a namespace ask for the same pods. */
  readonly #claims = new WeakMap<Buffer, readonly string[]>();

  constructor(context: ControllerContext, protection: Protection) {
    this.name = protection.controller;
    this.#context = context;
    this.#protection = protection;
    this.#objects = new ControlledObjects(context, protection.account);
    this.#watches = new ResourceWatches({
      registry: context.writes.registry,
      follower: (definition) =>
        definition.resource === protection.resource ? this.#protectedFollower(definition) : this.#podFollower(),
    });
    this.#queue = new WorkQueue({
      name: this.name,
      context,
      concurrency: limits.controllerWorkers,
      work: (key) => this.#release(key),
    });
  }

  async start(): Promise<void> {
    const { catalog } = this.#context;
    const resources = [this.#protection.resource, ...(this.#protection.isUsed === 'by pods' ? ['pods'] : [])];
    await this.#watches.open(resources.flatMap((resource) => catalog.find('', resource) ?? []));
    this.#queue.start();
  }

  async stop(): Promise<void> {
    this.#watches.close();
    await this.#queue.stop();
  }

  #protectedFollower(definition: ResourceDefinition) {
    return {
      changed: (object: CachedObject) => {
        if (!mayBeDeleting(object)) return;
        const { namespace, name } = object;
        const key = `${namespace}/${name}`;
        this.#deleting.set(key, { definition, namespace, name });
        this.#queue.add(key);
      },
      removed: ({ namespace, name }: CachedObject) => {
        this.#deleting.delete(`${namespace}/${name}`);
      },
    };
  }

  #podFollower() {
    const look = ({ namespace }: CachedObject) => {
      for (const [key, place] of this.#deleting) if (place.namespace === namespace) this.#queue.add(key);
    };
    return { changed: look, removed: look };
  }

  async #release(key: string): Promise<undefined> {
    const place = this.#deleting.get(key);
    const object = place === undefined ? undefined : await this.#objects.read(place);
    if (place === undefined || object === undefined || !isDeleting(object)) return;
    const { finalizer, isUsed } = this.#protection;
    if (isUsed === 'by pods' ? await this.#isClaimed(place) : isUsed(object)) return;
    const { uid } = object.metadata;
    await this.#objects.change(place, ({ metadata }) => {
      if (metadata.uid !== uid || metadata.finalizers?.includes(finalizer) !== true) return false;
      metadata.finalizers = metadata.finalizers.filter((each) => each !== finalizer);
      return true;
    });
  }

  async #isClaimed({ namespace, name }: ObjectPlace): Promise<boolean> {
    const { catalog, writes } = this.#context;
    const { registry } = writes;
    const definition = catalog.find('', 'pods');
    if (definition === undefined || !(await registry.hasObjects(definition, namespace))) return false;
    const { cache } = await registry.storage(definition);
    const pods = cache.snapshot().objects({ namespace, name: undefined, matches: undefined });
    return inTurns(this.#claiming(pods, name), registry.turns.begin({ taskName: `pods that use claim ${name}` }));
  }

  /** Whether one of the pods uses a claim. A step for each pod. */
  *#claiming(pods: Iterable<CachedObject>, claim: string): Steps<boolean> {
    for (const stored of pods) {
      let claims = this.#claims.get(stored.bytes);
      if (claims === undefined) {
        claims = claimsOf(decodeStored(stored));
        this.#claims.set(stored.bytes, claims);
      }
      if (claims.includes(claim)) return true;
      yield;
    }
    return false;
  }
}

export function claimProtection(context: ControllerContext): Controller {
  return new VolumeProtection(context, {
    controller: 'persistentvolumeclaim-protection-controller',
    account: 'pvc-protection-controller',
    resource: 'persistentvolumeclaims',
    finalizer: 'kubernetes.io/pvc-protection',
    isUsed: 'by pods',
  });
}

export function volumeProtection(context: ControllerContext): Controller {
  return new VolumeProtection(context, {
    controller: 'persistentvolume-protection-controller',
    account: 'pv-protection-controller',
    resource: 'persistentvolumes',
    finalizer: 'kubernetes.io/pv-protection',
    isUsed: (volume) => textAt(volume, 'status', 'phase') === 'Bound',
  });
}

/** The claims that a pod on a node uses: those that it names, and those of its ephemeral volumes. */
function claimsOf(pod: ApiObject): readonly string[] {
  if (textAt(pod, 'spec', 'nodeName') === '') return NO_CLAIMS;
  const claims = listAt(pod, 'spec', 'volumes').flatMap((volume) => {
    if (at(volume, 'ephemeral') !== undefined) return [`${pod.metadata.name}-${textAt(volume, 'name')}`];
    const name = textAt(volume, 'persistentVolumeClaim', 'claimName');
    return name === '' ? [] : [name];
  });
  return claims.length === 0 ? NO_CLAIMS : claims;
}

const NO_CLAIMS: readonly string[] = Object.freeze([]);
