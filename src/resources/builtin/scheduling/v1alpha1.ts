// Types of scheduling.k8s.io/v1alpha1.

import { bool, int32, string } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const PriorityClass = object('scheduling/v1alpha1.PriorityClass', 'scheduling.k8s.io/v1alpha1', () => ({
  value: int32(2).always(),
  globalDefault: bool(3),
  description: string(4),
  preemptionPolicy: string(5).pointer(),
}));

export const PriorityClassList = objectList(PriorityClass);
