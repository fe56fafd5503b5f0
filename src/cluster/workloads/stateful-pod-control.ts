// Creation, repair and deletion of the pods of StatefulSets and of their claims, with the events about them.

import { isTaken } from '../../api/error-reasons.ts';
import type { Draft } from '../../api/object.ts';
import { messageOf } from '../../base/error-message.ts';
import type { StatefulSet } from '../../resources/builtin/apps/v1-objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterEvents } from '../event-recorder.ts';
import type { Informer } from '../informer.ts';
import { hasOtherController, isStaleFor, wantedOwners } from './claim-retention.ts';
import { claimsOf, isConsistent, makeConsistent, ordinalOf } from './stateful-pods.ts';

interface StatefulPodControlNeeds {
  readonly pods: Informer<Pod>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly objects: ClusterObjects;
  readonly events: ClusterEvents;
}

type Verb = 'create' | 'update' | 'delete';

export class StatefulPodControl {
  readonly #needs: StatefulPodControlNeeds;

  constructor(needs: StatefulPodControlNeeds) {
    this.#needs = needs;
  }

  /** Creates a pod after its claims. @throws ApiError if one of them cannot be created */
  create(set: StatefulSet, pod: Draft<Pod>): Promise<Pod> {
    const { pods, objects } = this.#needs;
    return this.#told('create', { set, pod: pod as Pod }, async () => {
      await this.createClaims(set, pod as Pod);
      const created = await objects.create<Pod>(pods, pod).catch(async (error: unknown) => {
        // The claims are there, and have their owners even if the pod may not come.
        if (!isTaken(error)) await this.settleOwners(set, pod as Pod);
        throw error;
      });
      await this.settleOwners(set, created);
      return created;
    });
  }

  delete(set: StatefulSet, pod: Pod): Promise<void> {
    const { pods, objects } = this.#needs;
    return this.#told('delete', { set, pod }, () => objects.delete(pods, pod));
  }

  /** Gives a pod its labels and claims again, and claims their owners. */
  async repair(set: StatefulSet, pod: Pod): Promise<Pod | undefined> {
    const { pods, objects } = this.#needs;
    return this.#told('update', { set, pod }, async () => {
      await this.createClaims(set, pod);
      await this.settleOwners(set, pod);
      if (isConsistent(set, pod)) return pod;
      return objects.update<Pod>(pods, pod, (draft) => {
        makeConsistent(set, draft);
        return true;
      });
    });
  }

  /** Whether a claim of the pod still belongs to an earlier pod of its name, and is about to go. */
  mustWaitForClaims(set: StatefulSet, pod: Pod): boolean {
    return this.#standing(set, pod).some((claim) => isStaleFor({ set, pod }, claim));
  }

  hasWrongOwners(set: StatefulSet, pod: Pod): boolean {
    return this.#standing(set, pod).some((claim) => wantedOwners({ set, pod }, claim) !== undefined);
  }

  /** Gives the claims of a pod the owners that the retention policy wants. */
  async settleOwners(set: StatefulSet, pod: Pod): Promise<void> {
    const { claims, objects, events } = this.#needs;
    for (const claim of this.#standing(set, pod)) {
      const owners = wantedOwners({ set, pod }, claim);
      if (owners === undefined) continue;
      if (hasOtherController({ set, pod }, claim)) {
        const what = `PersistentVolumeClaim ${claim.metadata.name} has a conflicting OwnerReference that acts as a manging`;
        events.warn(set, 'ConflictingController', `${what} controller, the retention policy is ignored for this claim`);
      }
      await objects.update<PersistentVolumeClaim>(claims, claim, (draft) => {
        draft.metadata.ownerReferences = owners;
        return true;
      });
    }
  }

  /** @throws Error with what is wrong with the claims */
  async createClaims(set: StatefulSet, pod: Pod): Promise<void> {
    const { claims, objects, events } = this.#needs;
    const faults: string[] = [];
    for (const claim of claimsOf(set, ordinalOf(pod)).values()) {
      const { name = '', namespace = '' } = claim.metadata;
      const standing = claims.get(namespace, name);
      if (standing?.metadata.deletionTimestamp !== undefined) faults.push(`pvc ${name} is being deleted`);
      if (standing !== undefined) continue;
      const what = `create Claim ${name} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
      try {
        await objects.create<PersistentVolumeClaim>(claims, claim);
        events.record(set, 'SuccessfulCreate', `${what} success`);
      } catch (error) {
        faults.push(`failed to create PVC ${name}: ${messageOf(error)}`);
        if (isTaken(error)) continue;
        const failed = what.replace(` Pod `, ' for Pod ');
        events.warn(set, 'FailedCreate', `${failed} failed error: ${messageOf(error)}`);
      }
    }
    if (faults.length === 1) throw new Error(faults[0]);
    if (faults.length > 1) throw new Error(`[${faults.join(', ')}]`);
  }

  #standing(set: StatefulSet, pod: Pod): PersistentVolumeClaim[] {
    const wanted = claimsOf(set, ordinalOf(pod)).values();
    return wanted
      .map(({ metadata }) => this.#needs.claims.get(metadata.namespace ?? '', metadata.name ?? ''))
      .filter((claim) => claim !== undefined)
      .toArray();
  }

  /** Tells how the work on a pod went. */
  async #told<T>(verb: Verb, { set, pod }: { set: StatefulSet; pod: Pod }, work: () => Promise<T>): Promise<T> {
    const { events } = this.#needs;
    const what = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    const reason = verb.charAt(0).toUpperCase() + verb.slice(1);
    try {
      const result = await work();
      events.record(set, `Successful${reason}`, `${what} successful`);
      return result;
    } catch (error) {
      if (!isTaken(error)) events.warn(set, `Failed${reason}`, `${what} failed error: ${messageOf(error)}`);
      throw error;
    }
  }
}
