// What the controller of resource claims knows and works with.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../resources/builtin/resource/v1-objects.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';

export interface ClaimParts {
  readonly pods: Informer<Pod>;
  readonly claims: Informer<ResourceClaim>;
  readonly templates: Informer<ResourceClaimTemplate>;
  /** By the UID of the pod that controls them. */
  readonly claimsOwned: Index<ResourceClaim>;
  readonly objects: ClusterObjects;
  readonly events: ClusterEvents;
}
