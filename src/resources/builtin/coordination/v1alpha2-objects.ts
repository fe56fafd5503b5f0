// The objects of coordination/v1alpha2.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';

export type LeaseCandidate = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: LeaseCandidateSpec;
};

export type LeaseCandidateSpec = {
  readonly leaseName?: string;
  readonly pingTime?: string;
  readonly renewTime?: string;
  readonly binaryVersion?: string;
  readonly emulationVersion?: string;
  readonly strategy?: string;
};
