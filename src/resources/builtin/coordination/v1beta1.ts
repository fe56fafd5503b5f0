// Types of coordination.k8s.io/v1beta1.

import { embedded, int32, microTime, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const Lease = object('coordination/v1beta1.Lease', 'coordination.k8s.io/v1beta1', () => ({
  spec: embedded(2, LeaseSpec),
}));

export const LeaseSpec = struct('coordination/v1beta1.LeaseSpec', () => ({
  holderIdentity: string(1).pointer(),
  leaseDurationSeconds: int32(2).pointer(),
  acquireTime: microTime(3).pointer(),
  renewTime: microTime(4).pointer(),
  leaseTransitions: int32(5).pointer(),
  strategy: string(6).pointer().behind('CoordinatedLeaderElection').since(31),
  preferredHolder: string(7).pointer().behind('CoordinatedLeaderElection').since(31),
}));

export const LeaseList = objectList(Lease);

export const LeaseCandidate = object(
  'coordination/v1beta1.LeaseCandidate',
  'coordination.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, LeaseCandidateSpec).from(36, embedded(2, LeaseCandidateSpec).required().omitEmpty()),
  }),
  { since: 33 },
);

export const LeaseCandidateSpec = struct('coordination/v1beta1.LeaseCandidateSpec', () => ({
  leaseName: string(1).required(),
  pingTime: microTime(2).pointer(),
  renewTime: microTime(3).pointer(),
  binaryVersion: string(4).required(),
  emulationVersion: string(5),
  strategy: string(6).required().omitEmpty(),
}));

export const LeaseCandidateList = objectList(LeaseCandidate);
