// The objects of scheduling/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';

export type PriorityClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly description?: string;
  readonly preemptionPolicy?: string;
};
