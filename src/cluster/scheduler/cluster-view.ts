// The scheduler's view of the cluster: informers bring nodes and pods into its snapshot, pods without a node into its queue,
// and tell the queue what may help. While a decision is made, changes wait, so that it sees one state.

import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Informed, Informer } from '../informer.ts';
import { hasEnded } from '../pod-facts.ts';
import type { WatchedResource } from './cluster-change.ts';
import { type Nominations, nominatedNode } from './nominations.ts';
import { type PodInfo, podInfo } from './pod-info.ts';
import type { SchedulingQueue } from './queue.ts';
import type { Snapshot } from './snapshot.ts';

/** The name of the scheduler, by which pods ask for it. */
const SCHEDULER_NAME = 'default-scheduler';

/** Resources whose objects are followed for the queue alone, with their groups. What comes or changes may help a pod. */
const FOLLOWED: readonly (readonly [group: string, resource: WatchedResource])[] = [
  ['', 'persistentvolumeclaims'],
  ['', 'persistentvolumes'],
  ['storage.k8s.io', 'storageclasses'],
  ['storage.k8s.io', 'csinodes'],
  ['storage.k8s.io', 'csidrivers'],
  ['storage.k8s.io', 'csistoragecapacities'],
  ['resource.k8s.io', 'resourceclaims'],
  ['resource.k8s.io', 'resourceslices'],
  ['resource.k8s.io', 'deviceclasses'],
];

interface ViewParts {
  readonly snapshot: Snapshot;
  readonly queue: SchedulingQueue;
  readonly nominations: Nominations;
}

export class ClusterView {
  readonly #parts: ViewParts;
  /** Ends of following informers. */
  readonly #ends: (() => void)[] = [];
  /** Changes that wait; undefined if none has to. */
  #held: (() => void)[] | undefined;

  constructor(parts: ViewParts) {
    this.#parts = parts;
  }

  /** Begins to follow the cluster. @returns the informer of pods */
  async open({ informers }: Pick<ClusterContext, 'informers'>): Promise<Informer<Pod>> {
    const nodes = await informers.open<Node>('', 'nodes');
    const pods = await informers.open<Pod>('', 'pods');
    this.#follow(nodes, {
      changed: (node, before) => this.#nodeChanged(node, before),
      removed: ({ metadata }) => this.#nodeRemoved(metadata.name ?? ''),
    });
    this.#follow(pods, {
      changed: (pod, before) => this.#podChanged(pod, before),
      removed: (pod) => this.#podRemoved(pod),
    });
    for (const [group, resource] of FOLLOWED) {
      if (!informers.serves(group, resource)) continue;
      this.#follow(await informers.open<Informed>(group, resource), {
        changed: (object, before) => this.#parts.queue.changed({ of: resource, object, before }),
        removed: () => {},
      });
    }
    if (informers.serves('storage.k8s.io', 'volumeattachments')) await this.#followAttachments(informers);
    return pods;
  }

  /** A volume that is no longer attached leaves room for others on its node. */
  async #followAttachments(informers: ClusterContext['informers']): Promise<void> {
    this.#follow(await informers.open<Informed>('storage.k8s.io', 'volumeattachments'), {
      changed: () => {},
      removed: (object) => this.#parts.queue.changed({ of: 'volumeattachments', object, before: object }),
    });
  }

  close(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  /** Lets changes wait until `release`. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const apply of held) apply();
  }

  /** A pod that was chosen a node for does not get there. */
  forget(pod: PodInfo): void {
    const { snapshot, queue } = this.#parts;
    if (!snapshot.isAssumed(pod.uid)) return;
    snapshot.remove(pod.uid);
    queue.changed({ of: 'gone pod', pod });
  }

  #follow<T extends Informed>(
    informer: Informer<T>,
    follower: { changed(object: T, before: T | undefined): void; removed(object: T): void },
  ): void {
    const end = informer.follow({
      changed: (object, before) => this.#apply(() => follower.changed(object, before)),
      removed: (object) => this.#apply(() => follower.removed(object)),
    });
    this.#ends.push(end);
  }

  #apply(change: () => void): void {
    if (this.#held === undefined) change();
    else this.#held.push(change);
  }

  #nodeChanged(node: Node, before: Node | undefined): void {
    const { snapshot, queue } = this.#parts;
    snapshot.setNode(node);
    queue.changed({ of: 'node', node, before });
  }

  #nodeRemoved(name: string): void {
    const { snapshot, queue } = this.#parts;
    snapshot.removeNode(name);
    queue.changed({ of: 'gone node' });
  }

  #podChanged(pod: Pod, before: Pod | undefined): void {
    if (hasEnded(pod)) this.#podRemoved(pod);
    else if (nodeOf(pod) === '') this.#unassigned(pod, before);
    else this.#assigned(pod, before);
  }

  #unassigned(pod: Pod, before: Pod | undefined): void {
    const { snapshot, queue, nominations } = this.#parts;
    const { uid = '', deletionTimestamp } = pod.metadata;
    if (pod.spec?.schedulerName !== SCHEDULER_NAME || snapshot.isAssumed(uid)) return;
    if (deletionTimestamp !== undefined) {
      this.#podRemoved(pod);
      return;
    }
    const info = podInfo(pod);
    const earlier = before === undefined ? undefined : podInfo(before);
    nominations.update(info, earlier);
    queue.set(info);
    const isGivenUp = earlier !== undefined && !['', nominatedNode(info)].includes(nominatedNode(earlier));
    if (isGivenUp) queue.changed({ of: 'gone pod', pod: earlier });
  }

  #assigned(pod: Pod, before: Pod | undefined): void {
    const { snapshot, queue, nominations } = this.#parts;
    const info = podInfo(pod);
    const wasThere = before !== undefined && nodeOf(before) !== '';
    const earlier = wasThere ? snapshot.pod(info.uid) : undefined;
    queue.remove(info.uid);
    nominations.remove(info.uid);
    snapshot.place(info, nodeOf(pod));
    queue.changed({ of: 'pod', pod: info, before: earlier });
  }

  #podRemoved(pod: Pod): void {
    const { snapshot, queue, nominations } = this.#parts;
    const { uid = '' } = pod.metadata;
    const placed = snapshot.pod(uid);
    const hadNode = placed !== undefined || nominations.nodeOf(uid) !== undefined;
    queue.remove(uid);
    nominations.remove(uid);
    snapshot.remove(uid);
    if (hadNode) queue.changed({ of: 'gone pod', pod: placed ?? podInfo(pod) });
  }
}

function nodeOf({ spec }: Pod): string {
  return spec?.nodeName ?? '';
}
