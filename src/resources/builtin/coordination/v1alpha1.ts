// Types of coordination.k8s.io/v1alpha1.

import { embedded, list, microTime, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const LeaseCandidate = object(
  'coordination/v1alpha1.LeaseCandidate',
  'coordination.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, LeaseCandidateSpec),
  }),
  { since: 31, until: 31 },
);

export const LeaseCandidateSpec = struct('coordination/v1alpha1.LeaseCandidateSpec', () => ({
  leaseName: string(1).required(),
  pingTime: microTime(2).pointer(),
  renewTime: microTime(3).pointer(),
  binaryVersion: string(4),
  emulationVersion: string(5),
  preferredStrategies: list(6, 'string').required().omitEmpty().atomic(),
}));

export const LeaseCandidateList = objectList(LeaseCandidate);
