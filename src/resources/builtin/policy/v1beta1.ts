// Types of policy/v1beta1.

import { embedded, int32, int64, intOrString, list, map, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition, DeleteOptions, LabelSelector } from '../meta/v1.ts';

export const Eviction = object('policy/v1beta1.Eviction', 'policy/v1beta1', () => ({
  deleteOptions: pointer(2, DeleteOptions),
}));

export const PodDisruptionBudget = object('policy/v1beta1.PodDisruptionBudget', 'policy/v1beta1', () => ({
  spec: embedded(2, PodDisruptionBudgetSpec),
  status: embedded(3, PodDisruptionBudgetStatus),
}));

export const PodDisruptionBudgetSpec = struct('policy/v1beta1.PodDisruptionBudgetSpec', () => ({
  minAvailable: intOrString(1).pointer(),
  selector: pointer(2, LabelSelector),
  maxUnavailable: intOrString(3).pointer(),
  unhealthyPodEvictionPolicy: string(4).pointer().oneOf('AlwaysAllow', 'IfHealthyBudget').since(26),
}));

export const PodDisruptionBudgetStatus = struct('policy/v1beta1.PodDisruptionBudgetStatus', () => ({
  observedGeneration: int64(1),
  disruptedPods: map(2, 'time'),
  disruptionsAllowed: int32(3).required().from(36, int32(3).always()),
  currentHealthy: int32(4).required().from(36, int32(4).always()),
  desiredHealthy: int32(5).required().from(36, int32(5).always()),
  expectedPods: int32(6).required().from(36, int32(6).always()),
  conditions: list(7, Condition).keyed('type').mergedBy('type'),
}));

export const PodDisruptionBudgetList = objectList(PodDisruptionBudget);
