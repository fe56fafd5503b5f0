// Types of the core group, v1: ReplicationController.

import { embedded, int32, int64, list, map, pointer, string, struct, time } from '../../../../schema/build.ts';
import { object, objectList } from '../../meta/object.ts';
import { PodTemplateSpec } from '../pod/types.ts';

export const ReplicationController = object('core/v1.ReplicationController', 'v1', () => ({
  spec: embedded(2, ReplicationControllerSpec),
  status: embedded(3, ReplicationControllerStatus),
}));

export const ReplicationControllerSpec = struct('core/v1.ReplicationControllerSpec', () => ({
  replicas: int32(1).pointer().default(1).declarative('minimum=0').upTo(32, int32(1).pointer()),
  minReadySeconds: int32(4).default(0).declarative('minimum=0').upTo(32, int32(4)),
  selector: map(2, 'string').atomic(),
  template: pointer(3, PodTemplateSpec),
}));

export const ReplicationControllerStatus = struct('core/v1.ReplicationControllerStatus', () => ({
  replicas: int32(1).required(),
  fullyLabeledReplicas: int32(2),
  readyReplicas: int32(4),
  availableReplicas: int32(5),
  observedGeneration: int64(3),
  conditions: list(6, ReplicationControllerCondition)
    .keyed('type')
    .mergedBy('type')
    .upTo(29, list(6, ReplicationControllerCondition).mergedBy('type')),
}));

export const ReplicationControllerCondition = struct('core/v1.ReplicationControllerCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  lastTransitionTime: time(3),
  reason: string(4),
  message: string(5),
}));

export const ReplicationControllerList = objectList(ReplicationController);
