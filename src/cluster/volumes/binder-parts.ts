// What the binder knows and works with: claims, volumes, classes and pods, and the writes that bind them.

import type { PersistentVolume } from '../../resources/builtin/core/persistent-volume/objects.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { StorageClass } from '../../resources/builtin/storage/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';
import type { Keys } from '../reconciler.ts';
import { BindingWrites } from './binding-writes.ts';
import { podsByClaim } from './pod-claim-index.ts';
import { VolumeSearch } from './volume-search.ts';

/** How often kube-controller-manager looks at everything again, which repeats the events of what is not bound. */
export const AGAIN_MS = 15_000;

export interface BinderParts {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly pods: Informer<Pod>;
  readonly podsOf: Index<Pod>;
  readonly search: VolumeSearch;
  readonly objects: ClusterObjects;
  readonly writes: BindingWrites;
  readonly events: ClusterEvents;
  /** Where claims and volumes wait for a look. */
  readonly keys: Keys;
  /** UIDs of the pods that clean volumes, by the names of the volumes. */
  readonly recyclers: Map<string, string>;
}

export async function openBinder(context: ClusterContext, keys: Keys): Promise<BinderParts> {
  const { informers } = context;
  const as = 'persistent-volume-binder';
  const claims = await informers.open<PersistentVolumeClaim>('', 'persistentvolumeclaims');
  const volumes = await informers.open<PersistentVolume>('', 'persistentvolumes');
  const classes = await informers.open<StorageClass>('storage.k8s.io', 'storageclasses');
  const pods = await informers.open<Pod>('', 'pods');
  const objects = new ClusterObjects(context, as);
  return {
    ...{ claims, volumes, classes, pods, objects, keys },
    recyclers: new Map(),
    podsOf: podsByClaim(pods),
    search: new VolumeSearch(volumes),
    writes: new BindingWrites({ objects, claims, volumes }),
    events: new ClusterEvents(context, { component: 'persistentvolume-controller', as }),
  };
}
