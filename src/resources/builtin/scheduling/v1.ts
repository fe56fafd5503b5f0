// Types of scheduling.k8s.io/v1.

import { bool, int32, string } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const PriorityClass = object('scheduling/v1.PriorityClass', 'scheduling.k8s.io/v1', () => ({
  value: int32(2).required().from(36, int32(2).always()),
  globalDefault: bool(3),
  description: string(4),
  preemptionPolicy: string(5).pointer().oneOf('Never', 'PreemptLowerPriority'),
}));

export const PriorityClassList = objectList(PriorityClass);
