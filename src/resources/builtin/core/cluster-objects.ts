// The objects of core/cluster.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { ObjectReference } from './reference-objects.ts';

export type ComponentStatus = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly conditions?: readonly ComponentCondition[];
};

export type ComponentCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly message?: string;
  readonly error?: string;
};

export type RangeAllocation = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly range?: string;
  readonly data?: string | null;
};

export type SerializedReference = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly reference?: ObjectReference;
};
