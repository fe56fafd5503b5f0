// The objects of core/namespace/types.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../../api/object.ts';

export type Namespace = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: NamespaceSpec;
  readonly status?: NamespaceStatus;
};

export type NamespaceSpec = {
  readonly finalizers?: readonly string[];
};

export type NamespaceStatus = {
  readonly phase?: string;
  readonly conditions?: readonly NamespaceCondition[];
};

export type NamespaceCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};
