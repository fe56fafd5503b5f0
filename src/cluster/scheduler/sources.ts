// What the scheduler knows besides nodes and pods: the informers of other resources. Of resources that are not served
// there is nothing.

import type { Labels } from '../../api/label-selector.ts';
import type { ReplicaSet, StatefulSet } from '../../resources/builtin/apps/v1-objects.ts';
import type { Namespace } from '../../resources/builtin/core/namespace/objects.ts';
import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { ReplicationController } from '../../resources/builtin/core/replication-controller/objects.ts';
import type { Service } from '../../resources/builtin/core/service/objects.ts';
import type { PodDisruptionBudget } from '../../resources/builtin/policy/v1-objects.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '../../resources/builtin/storage/v1-objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Informed, Informer } from '../informer.ts';
import type { NamespaceLabels } from './term-namespaces.ts';

/** The part of an informer that decisions need. */
export type Lister<T extends Informed> = Pick<Informer<T>, 'get' | 'list'>;

export interface Sources {
  readonly namespaces: Lister<Namespace>;
  readonly services: Lister<Service>;
  readonly replicationControllers: Lister<ReplicationController>;
  readonly replicaSets: Lister<ReplicaSet>;
  readonly statefulSets: Lister<StatefulSet>;
  readonly claims: Lister<PersistentVolumeClaim>;
  readonly volumes: Lister<PersistentVolume>;
  readonly storageClasses: Lister<StorageClass>;
  readonly csiNodes: Lister<CSINode>;
  readonly csiDrivers: Lister<CSIDriver>;
  readonly capacities: Lister<CSIStorageCapacity>;
  readonly attachments: Lister<VolumeAttachment>;
  readonly budgets: Lister<PodDisruptionBudget>;
}

/** Resources of sources, with their groups. */
const PLACES: Readonly<Record<keyof Sources, readonly [group: string, resource: string]>> = Object.freeze({
  namespaces: ['', 'namespaces'],
  services: ['', 'services'],
  replicationControllers: ['', 'replicationcontrollers'],
  replicaSets: ['apps', 'replicasets'],
  statefulSets: ['apps', 'statefulsets'],
  claims: ['', 'persistentvolumeclaims'],
  volumes: ['', 'persistentvolumes'],
  storageClasses: ['storage.k8s.io', 'storageclasses'],
  csiNodes: ['storage.k8s.io', 'csinodes'],
  csiDrivers: ['storage.k8s.io', 'csidrivers'],
  capacities: ['storage.k8s.io', 'csistoragecapacities'],
  attachments: ['storage.k8s.io', 'volumeattachments'],
  budgets: ['policy', 'poddisruptionbudgets'],
});

const NOTHING: Lister<never> = Object.freeze({ get: () => undefined, list: () => [] });

/** Opens the informers of all sources. */
export async function openSources({ informers }: Pick<ClusterContext, 'informers'>): Promise<Sources> {
  const opened = Object.entries(PLACES).map(async ([name, [group, resource]]): Promise<[string, Lister<Informed>]> => {
    const isServed = informers.serves(group, resource);
    return [name, isServed ? await informers.open<Informed>(group, resource) : NOTHING];
  });
  return Object.fromEntries(await Promise.all(opened)) as unknown as Sources;
}

/** The labels of existing namespaces. */
export function namespaceLabels({ namespaces }: Pick<Sources, 'namespaces'>): NamespaceLabels {
  const labelsOf = (namespace: Namespace | undefined): Labels => namespace?.metadata.labels;
  return {
    get: (name) => labelsOf(namespaces.get('', name)),
    entries: () => namespaces.list().map((each) => [each.metadata.name ?? '', labelsOf(each)] as const),
  };
}
