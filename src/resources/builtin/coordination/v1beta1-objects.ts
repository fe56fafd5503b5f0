// The objects of coordination/v1beta1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';

export type Lease = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: LeaseSpec;
};

export type LeaseSpec = {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
  readonly strategy?: string;
  readonly preferredHolder?: string;
};

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
