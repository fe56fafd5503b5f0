// The objects of node/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { Toleration } from '../core/pod/scheduling-objects.ts';

export type RuntimeClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly handler?: string;
  readonly overhead?: Overhead;
  readonly scheduling?: Scheduling;
};

export type Overhead = {
  readonly podFixed?: Readonly<Record<string, string>>;
};

export type Scheduling = {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
};
