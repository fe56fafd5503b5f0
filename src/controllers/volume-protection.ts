// Controllers of the protection finalizers: deleted volumes and claims remain while they are in use, a claim while a
// pod on a node references it, a volume while it is bound. The finalizers are removed here afterwards.

import type { ApiObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { Soon } from '../base/soon.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { listAt, textAt } from '../resources/value.ts';
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
  /** Whether the object must remain. `pods` are those of its namespace. */
  readonly isUsed: (object: ApiObject, pods: () => Promise<ApiObject[]>) => Soon<boolean>;
  /** Whether it depends on pods. */
  readonly byPods: boolean;
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
    const resources = [this.#protection.resource, ...(this.#protection.byPods ? ['pods'] : [])];
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
    if (await isUsed(object, () => this.#pods(place.namespace))) return;
    const { uid } = object.metadata;
    await this.#objects.change(place, ({ metadata }) => {
      if (metadata.uid !== uid || metadata.finalizers?.includes(finalizer) !== true) return false;
      metadata.finalizers = metadata.finalizers.filter((each) => each !== finalizer);
      return true;
    });
  }

  async #pods(namespace: string): Promise<ApiObject[]> {
    const { catalog, writes } = this.#context;
    const definition = catalog.find('', 'pods');
    if (definition === undefined || !(await writes.registry.hasObjects(definition, namespace))) return [];
    const { cache } = await writes.registry.storage(definition);
    return Array.from(cache.snapshot().objects({ namespace, name: undefined, matches: undefined }), decodeStored);
  }
}

export function claimProtection(context: ControllerContext): Controller {
  return new VolumeProtection(context, {
    controller: 'persistentvolumeclaim-protection-controller',
    account: 'pvc-protection-controller',
    resource: 'persistentvolumeclaims',
    finalizer: 'kubernetes.io/pvc-protection',
    byPods: true,
    isUsed: async ({ metadata: { name = '' } }, pods) => (await pods()).some((pod) => uses(pod, name)),
  });
}

export function volumeProtection(context: ControllerContext): Controller {
  return new VolumeProtection(context, {
    controller: 'persistentvolume-protection-controller',
    account: 'pv-protection-controller',
    resource: 'persistentvolumes',
    finalizer: 'kubernetes.io/pv-protection',
    byPods: false,
    isUsed: (volume) => textAt(volume, 'status', 'phase') === 'Bound',
  });
}

/** Whether a pod on a node references a claim, or has an ephemeral volume for it. */
function uses(pod: ApiObject, claim: string): boolean {
  if (textAt(pod, 'spec', 'nodeName') === '') return false;
  return listAt(pod, 'spec', 'volumes').some(
    (volume) =>
      textAt(volume, 'persistentVolumeClaim', 'claimName') === claim ||
      (volume !== null &&
        typeof volume === 'object' &&
        'ephemeral' in volume &&
        `${pod.metadata.name}-${textAt(volume, 'name')}` === claim),
  );
}
