// Types of coordination.k8s.io/v1alpha2.

import { embedded, microTime, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const LeaseCandidate = object(
  'coordination/v1alpha2.LeaseCandidate',
  'coordination.k8s.io/v1alpha2',
  () => ({
    spec: embedded(2, LeaseCandidateSpec).from(36, embedded(2, LeaseCandidateSpec).required().omitEmpty()),
  }),
  { since: 32 },
);

export const LeaseCandidateSpec = struct('coordination/v1alpha2.LeaseCandidateSpec', () => ({
  leaseName: string(1).required(),
  pingTime: microTime(2).pointer(),
  renewTime: microTime(3).pointer(),
  binaryVersion: string(4).required(),
  emulationVersion: string(5),
  strategy: string(6).required().omitEmpty(),
}));

export const LeaseCandidateList = objectList(LeaseCandidate);
