// The objects of policy/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { Condition, DeleteOptions, LabelSelector } from '../meta/v1-objects.ts';

export type Eviction = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly deleteOptions?: DeleteOptions;
};

export type PodDisruptionBudget = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodDisruptionBudgetSpec;
  readonly status?: PodDisruptionBudgetStatus;
};

export type PodDisruptionBudgetSpec = {
  readonly minAvailable?: number | string;
  readonly selector?: LabelSelector;
  readonly maxUnavailable?: number | string;
  readonly unhealthyPodEvictionPolicy?: string;
};

export type PodDisruptionBudgetStatus = {
  readonly observedGeneration?: number | bigint;
  readonly disruptedPods?: Readonly<Record<string, string | null>>;
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly expectedPods?: number;
  readonly conditions?: readonly Condition[];
};
