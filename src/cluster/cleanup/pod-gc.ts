// Garbage collector of pods: it ends pods whose node is gone or out of service, which no kubelet will end, and deletes
// the oldest ended pods when there are too many.

import { timestamp } from '../../api/timestamp.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import { isSetTrue, withCondition } from '../conditions.ts';
import type { ClusterContext } from '../context.ts';
import type { Index, Informer } from '../informer.ts';
import { hasEnded } from '../pod-facts.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';

/** How often kube-controller-manager looks, and how long a node has to be missing. */
const PERIOD_MS = 20_000;
const QUARANTINE_MS = 40_000;
/** Ended pods that are kept. kube-controller-manager's default. */
const KEPT = 12_500;
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/** Keys of nodes and of the count of ended pods; those of pods begin with a namespace. */
const NODE = 'node:';
const ENDED = 'ended:';

export function podGarbageCollector(context: ClusterContext): Controller {
  return reconciler(context, {
    name: 'pod-garbage-collector-controller',
    begin: (keys) => new PodGarbageCollector(context, keys).begin(),
  });
}

class PodGarbageCollector {
  readonly #context: ClusterContext;
  readonly #keys: Keys;
  readonly #objects: ClusterObjects;
  #pods!: Informer<Pod>;
  #nodes!: Informer<Node>;
  #podsOn!: Index<Pod>;
  #ended!: Index<Pod>;
  #endedCount = 0;

  constructor(context: ClusterContext, keys: Keys) {
    this.#context = context;
    this.#keys = keys;
    this.#objects = new ClusterObjects(context, 'pod-garbage-collector');
  }

  async begin(): Promise<(key: string) => Promise<number | undefined>> {
    const { informers } = this.#context;
    this.#pods = await informers.open<Pod>('', 'pods');
    this.#nodes = await informers.open<Node>('', 'nodes');
    this.#podsOn = this.#pods.index(({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));
    this.#ended = this.#pods.index((pod) => (hasEnded(pod) ? [ENDED] : []));
    this.#pods.follow({
      changed: (pod, previous) => {
        this.#count(pod, 1);
        if (previous !== undefined) this.#count(previous, -1);
        const { nodeName = '' } = pod.spec ?? {};
        if (nodeName !== '' && this.#nodes.get('', nodeName) === undefined) {
          this.#keys.addAfter(NODE + nodeName, QUARANTINE_MS);
        } else if (pod.metadata.deletionTimestamp !== undefined) this.#keys.addAfter(keyOf(pod), PERIOD_MS);
      },
      removed: (pod) => this.#count(pod, -1),
    });
    this.#nodes.follow({
      changed: (node) => {
        if (!isOutOfService(node)) return;
        for (const pod of this.#podsOn.get(node.metadata.name ?? '')) this.#keys.addAfter(keyOf(pod), PERIOD_MS);
      },
      removed: ({ metadata }) => this.#keys.addAfter(NODE + metadata.name, QUARANTINE_MS),
    });
    return (key) => this.#look(key);
  }

  #count(pod: Pod, by: number): void {
    if (!hasEnded(pod)) return;
    this.#endedCount += by;
    if (this.#endedCount > KEPT) this.#keys.addAfter(ENDED, PERIOD_MS);
  }

  async #look(key: string): Promise<undefined> {
    if (key === ENDED) return this.#deleteEnded();
    if (key.startsWith(NODE)) return this.#deleteOrphans(key.slice(NODE.length));
    const { namespace, name } = splitKey(key);
    const pod = this.#pods.get(namespace, name);
    if (pod?.metadata.deletionTimestamp === undefined) return;
    const { nodeName = '' } = pod.spec ?? {};
    const node = this.#nodes.get('', nodeName);
    if (nodeName === '' || (node !== undefined && isOutOfService(node))) await this.#end(pod);
  }

  async #deleteOrphans(node: string): Promise<undefined> {
    if (this.#nodes.get('', node) !== undefined) return;
    for (const pod of this.#podsOn.get(node)) await this.#end(pod, true);
  }

  async #deleteEnded(): Promise<undefined> {
    const isEvicted = ({ status }: Pod) => status?.phase === 'Failed' && status.reason === 'Evicted';
    const since = ({ metadata }: Pod) => metadata.creationTimestamp ?? '';
    const pods = [...this.#ended.get(ENDED)].sort(
      (one, other) => Number(isEvicted(other)) - Number(isEvicted(one)) || (since(one) < since(other) ? -1 : 1),
    );
    for (const pod of pods.slice(0, Math.max(0, pods.length - KEPT))) await this.#end(pod);
  }

  /** Reports a pod that has not ended as failed, and deletes it at once. */
  async #end(pod: Pod, isOrphan = false): Promise<void> {
    if (!hasEnded(pod)) {
      const { generation } = pod.metadata;
      const condition = {
        ...{ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByPodGC' },
        message: 'PodGC: node no longer exists',
        lastTransitionTime: timestamp(this.#context.clock.now()),
        ...(generation === undefined ? {} : { observedGeneration: generation }),
      };
      await this.#objects.updateStatus(this.#pods, pod, (draft) => {
        const conditions = isOrphan ? { conditions: withCondition(draft.status?.conditions, condition) } : {};
        draft.status = { ...draft.status, ...conditions, phase: 'Failed' };
        return true;
      });
    }
    await this.#objects.delete(this.#pods, pod, { gracePeriodSeconds: 0 });
  }
}

function isOutOfService({ spec, status }: Node): boolean {
  if (isSetTrue(status?.conditions, 'Ready')) return false;
  return spec?.taints?.some(({ key }) => key === OUT_OF_SERVICE) === true;
}
