// The objects of core/replication-controller/types.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../../api/object.ts';
import type { PodTemplateSpec } from '../pod/objects.ts';

export type ReplicationController = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ReplicationControllerSpec;
  readonly status?: ReplicationControllerStatus;
};

export type ReplicationControllerSpec = {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: Readonly<Record<string, string>>;
  readonly template?: PodTemplateSpec;
};

export type ReplicationControllerStatus = {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly observedGeneration?: number | bigint;
  readonly conditions?: readonly ReplicationControllerCondition[];
};

export type ReplicationControllerCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};
