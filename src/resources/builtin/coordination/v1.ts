// Types of coordination.k8s.io/v1.

import { embedded, int32, microTime, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const Lease = object('coordination/v1.Lease', 'coordination.k8s.io/v1', () => ({
  spec: embedded(2, LeaseSpec),
}));

export const LeaseSpec = struct('coordination/v1.LeaseSpec', () => ({
  holderIdentity: string(1).pointer(),
  leaseDurationSeconds: int32(2).pointer(),
  acquireTime: microTime(3).pointer(),
  renewTime: microTime(4).pointer(),
  leaseTransitions: int32(5).pointer(),
  strategy: string(6).pointer().behind('CoordinatedLeaderElection').since(31),
  preferredHolder: string(7).pointer().behind('CoordinatedLeaderElection').since(31),
}));

export const LeaseList = objectList(Lease);
