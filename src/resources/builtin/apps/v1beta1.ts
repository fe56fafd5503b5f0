// Types of apps/v1beta1.

import {
  bool,
  embedded,
  inline,
  int32,
  int64,
  intOrString,
  list,
  map,
  pointer,
  raw,
  string,
  struct,
  time,
} from '../../../schema/build.ts';
import { PersistentVolumeClaim } from '../core/persistent-volume-claim/types.ts';
import { PodTemplateSpec } from '../core/pod/types.ts';
import { object, objectList } from '../meta/object.ts';
import { LabelSelector, TypeMeta } from '../meta/v1.ts';

export const ControllerRevision = object('apps/v1beta1.ControllerRevision', 'apps/v1beta1', () => ({
  data: raw(2).from(37, raw(2).required()),
  revision: int64(3).required().from(37, int64(3).always()),
}));

export const ControllerRevisionList = objectList(ControllerRevision);

export const Deployment = object('apps/v1beta1.Deployment', 'apps/v1beta1', () => ({
  spec: embedded(2, DeploymentSpec).from(37, embedded(2, DeploymentSpec).required().omitEmpty()),
  status: embedded(3, DeploymentStatus),
}));

export const DeploymentSpec = struct('apps/v1beta1.DeploymentSpec', () => ({
  replicas: int32(1).pointer(),
  selector: pointer(2, LabelSelector),
  template: embedded(3, PodTemplateSpec).required(),
  strategy: embedded(4, DeploymentStrategy).patchStrategy('retainKeys'),
  minReadySeconds: int32(5),
  revisionHistoryLimit: int32(6).pointer(),
  paused: bool(7),
  rollbackTo: pointer(8, RollbackConfig),
  progressDeadlineSeconds: int32(9).pointer(),
}));

export const DeploymentStrategy = struct('apps/v1beta1.DeploymentStrategy', () => ({
  type: string(1),
  rollingUpdate: pointer(2, RollingUpdateDeployment),
}));

export const RollingUpdateDeployment = struct('apps/v1beta1.RollingUpdateDeployment', () => ({
  maxUnavailable: intOrString(1).pointer(),
  maxSurge: intOrString(2).pointer(),
}));

export const RollbackConfig = struct('apps/v1beta1.RollbackConfig', () => ({
  revision: int64(1),
}));

export const DeploymentStatus = struct('apps/v1beta1.DeploymentStatus', () => ({
  observedGeneration: int64(1),
  replicas: int32(2),
  updatedReplicas: int32(3),
  readyReplicas: int32(7),
  availableReplicas: int32(4),
  unavailableReplicas: int32(5),
  terminatingReplicas: int32(9).pointer().behind('DeploymentReplicaSetTerminatingReplicas').since(33),
  conditions: list(6, DeploymentCondition)
    .keyed('type')
    .mergedBy('type')
    .upTo(29, list(6, DeploymentCondition).mergedBy('type')),
  collisionCount: int32(8).pointer(),
}));

export const DeploymentCondition = struct('apps/v1beta1.DeploymentCondition', () => ({
  type: string(1).required().from(37, string(1).always()),
  status: string(2).required().from(37, string(2).always()),
  lastUpdateTime: time(6),
  lastTransitionTime: time(7),
  reason: string(4),
  message: string(5),
}));

export const DeploymentList = objectList(Deployment);

export const DeploymentRollback = struct(
  'apps/v1beta1.DeploymentRollback',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    name: string(1).required(),
    updatedAnnotations: map(2, 'string'),
    rollbackTo: embedded(3, RollbackConfig).required().from(37, embedded(3, RollbackConfig).always()),
  }),
  { kinds: ['apps/v1beta1/DeploymentRollback'] },
);

export const Scale = object('apps/v1beta1.Scale', 'apps/v1beta1', () => ({
  spec: embedded(2, ScaleSpec),
  status: embedded(3, ScaleStatus),
}));

export const ScaleSpec = struct('apps/v1beta1.ScaleSpec', () => ({
  replicas: int32(1).default(0).declarative('minimum=0').upTo(33, int32(1)),
}));

export const ScaleStatus = struct('apps/v1beta1.ScaleStatus', () => ({
  replicas: int32(1).required().from(37, int32(1).always()),
  selector: map(2, 'string'),
  targetSelector: string(3),
}));

export const StatefulSet = object('apps/v1beta1.StatefulSet', 'apps/v1beta1', () => ({
  spec: embedded(2, StatefulSetSpec).from(37, embedded(2, StatefulSetSpec).required().omitEmpty()),
  status: embedded(3, StatefulSetStatus),
}));

export const StatefulSetSpec = struct('apps/v1beta1.StatefulSetSpec', () => ({
  replicas: int32(1).pointer(),
  selector: pointer(2, LabelSelector).from(37, pointer(2, LabelSelector).required().omitEmpty()),
  template: embedded(3, PodTemplateSpec).required(),
  volumeClaimTemplates: list(4, PersistentVolumeClaim).atomic(30),
  serviceName: string(5).always().upTo(32, string(5).required()),
  podManagementPolicy: string(6),
  updateStrategy: embedded(7, StatefulSetUpdateStrategy),
  revisionHistoryLimit: int32(8).pointer(),
  minReadySeconds: int32(9),
  persistentVolumeClaimRetentionPolicy: pointer(10, StatefulSetPersistentVolumeClaimRetentionPolicy),
  ordinals: pointer(11, StatefulSetOrdinals).since(26),
}));

export const StatefulSetUpdateStrategy = struct('apps/v1beta1.StatefulSetUpdateStrategy', () => ({
  type: string(1),
  rollingUpdate: pointer(2, RollingUpdateStatefulSetStrategy),
}));

export const RollingUpdateStatefulSetStrategy = struct('apps/v1beta1.RollingUpdateStatefulSetStrategy', () => ({
  partition: int32(1).pointer(),
  maxUnavailable: intOrString(2).pointer().behind('MaxUnavailableStatefulSet'),
}));

export const StatefulSetPersistentVolumeClaimRetentionPolicy = struct(
  'apps/v1beta1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  () => ({
    whenDeleted: string(1),
    whenScaled: string(2),
  }),
);

export const StatefulSetOrdinals = struct('apps/v1beta1.StatefulSetOrdinals', () => ({
  start: int32(1).always(),
}));

export const StatefulSetStatus = struct('apps/v1beta1.StatefulSetStatus', () => ({
  observedGeneration: int64(1).pointer(),
  replicas: int32(2).required(),
  readyReplicas: int32(3),
  currentReplicas: int32(4),
  updatedReplicas: int32(5),
  currentRevision: string(6),
  updateRevision: string(7),
  collisionCount: int32(9).pointer(),
  conditions: list(10, StatefulSetCondition)
    .keyed('type')
    .mergedBy('type')
    .upTo(29, list(10, StatefulSetCondition).mergedBy('type')),
  availableReplicas: int32(11).always(),
}));

export const StatefulSetCondition = struct('apps/v1beta1.StatefulSetCondition', () => ({
  type: string(1).required().from(37, string(1).always()),
  status: string(2).required().from(37, string(2).always()),
  lastTransitionTime: time(3),
  reason: string(4),
  message: string(5),
}));

export const StatefulSetList = objectList(StatefulSet);
