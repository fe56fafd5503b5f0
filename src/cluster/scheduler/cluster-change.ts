// Changes of the cluster that may let a pod be scheduled which has been rejected before.

import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Informed } from '../informer.ts';
import type { PodInfo } from './pod-info.ts';

/** Resources whose objects matter to the scheduler besides nodes and pods. */
export type WatchedResource =
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'storageclasses'
  | 'csinodes'
  | 'csidrivers'
  | 'csistoragecapacities'
  | 'volumeattachments'
  | 'resourceclaims'
  | 'resourceslices'
  | 'deviceclasses';

export type ClusterChange =
  /** A node that is new or has changed. */
  | { readonly of: 'node'; readonly node: Node; readonly before: Node | undefined }
  | { readonly of: 'gone node' }
  /** A pod that has come to a node, or has changed there. */
  | { readonly of: 'pod'; readonly pod: PodInfo; readonly before: PodInfo | undefined }
  /** A pod that has left its node, or one that a place was kept for. */
  | { readonly of: 'gone pod'; readonly pod: PodInfo }
  | { readonly of: WatchedResource; readonly object: Informed; readonly before: Informed | undefined };
