// Creation and deletion of pods by workload controllers, with the events about them.

import { isEnding, isMissing } from '../../api/error-reasons.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { Draft } from '../../api/object.ts';
import { messageOf } from '../../base/error-message.ts';
import type { Pod, PodTemplateSpec } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterEvents } from '../event-recorder.ts';
import type { Informed, Informer } from '../informer.ts';
import { controlledBy } from '../owners.ts';

interface PodControlNeeds {
  readonly pods: Informer<Pod>;
  readonly objects: ClusterObjects;
  readonly events: ClusterEvents;
}

/** Pods created or deleted at once, whatever a controller is asked for. Kubernetes' value. */
export const PODS_AT_ONCE = 500;
const LONGEST_NAME = 253;

export class PodControl {
  readonly #needs: PodControlNeeds;

  constructor(needs: PodControlNeeds) {
    this.#needs = needs;
  }

  /**
   * Creates a pod of an owner.
   *
   * @param pod by `podFromTemplate`
   * @throws ApiError like any create; an event has told of it, unless the namespace is being deleted
   */
  async create(owner: Informed, pod: Draft<Pod>): Promise<Pod> {
    const { pods, objects, events } = this.#needs;
    try {
      const created = await objects.create<Pod>(pods, pod);
      events.record(owner, 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
      return created;
    } catch (error) {
      if (!isEnding(error)) events.warn(owner, 'FailedCreate', `Error creating: ${messageOf(error)}`);
      throw error;
    }
  }

  /** Deletes a pod of an owner; one that is gone is not an error. @throws ApiError like any delete */
  async delete(owner: Informed, pod: Pod): Promise<void> {
    const { pods, objects, events } = this.#needs;
    const name = pod.metadata.name ?? '';
    try {
      await objects.delete(pods, pod);
      events.record(owner, 'SuccessfulDelete', `Deleted pod: ${name}`);
    } catch (error) {
      if (isMissing(error)) return;
      events.warn(owner, 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw error;
    }
  }

  /**
   * Creates several pods, in batches that double: what fails once would fail many times.
   * @throws the first error
   */
  async createMany(owner: Informed, count: number, make: (index: number) => Draft<Pod>): Promise<void> {
    for (let done = 0, batch = 1; done < count; batch *= 2) {
      const size = Math.min(batch, count - done);
      await allOf(Array.from({ length: size }, (_, index) => this.create(owner, make(done + index))));
      done += size;
    }
  }

  /** Deletes several pods at once. @throws the first error */
  async deleteMany(owner: Informed, pods: readonly Pod[]): Promise<void> {
    await allOf(pods.map((pod) => this.delete(owner, pod)));
  }
}

/** Awaits all, even if one fails. @throws the first error */
async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** A pod of an owner, with a generated name. */
export function podFromTemplate(owner: Informed, template: PodTemplateSpec | undefined): Draft<Pod> {
  const { name = '', namespace = '' } = owner.metadata;
  const { metadata, spec } = copyJson(template ?? {}) as Draft<PodTemplateSpec>;
  const { labels, annotations, finalizers } = metadata ?? {};
  return {
    metadata: {
      generateName: name.length < LONGEST_NAME ? `${name}-` : name,
      namespace,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [controlledBy(owner)],
    },
    ...(spec === undefined ? {} : { spec }),
  };
}
