// The objects of apps/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { Json, ObjectMeta } from '../../../api/object.ts';
import type { PersistentVolumeClaim } from '../core/persistent-volume-claim/objects.ts';
import type { PodTemplateSpec } from '../core/pod/objects.ts';
import type { LabelSelector } from '../meta/v1-objects.ts';

export type ControllerRevision = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly data?: Json;
  readonly revision?: number | bigint;
};

export type DaemonSet = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: DaemonSetSpec;
  readonly status?: DaemonSetStatus;
};

export type DaemonSetSpec = {
  readonly selector?: LabelSelector | null;
  readonly template?: PodTemplateSpec;
  readonly updateStrategy?: DaemonSetUpdateStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
};

export type DaemonSetUpdateStrategy = {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateDaemonSet;
};

export type RollingUpdateDaemonSet = {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
};

export type DaemonSetStatus = {
  readonly currentNumberScheduled?: number;
  readonly numberMisscheduled?: number;
  readonly desiredNumberScheduled?: number;
  readonly numberReady?: number;
  readonly observedGeneration?: number | bigint;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly numberUnavailable?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly DaemonSetCondition[];
};

export type DaemonSetCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type Deployment = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: DeploymentSpec;
  readonly status?: DeploymentStatus;
};

export type DeploymentSpec = {
  readonly replicas?: number;
  readonly selector?: LabelSelector | null;
  readonly template?: PodTemplateSpec;
  readonly strategy?: DeploymentStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
};

export type DeploymentStrategy = {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateDeployment;
};

export type RollingUpdateDeployment = {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
};

export type DeploymentStatus = {
  readonly observedGeneration?: number | bigint;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly conditions?: readonly DeploymentCondition[];
  readonly collisionCount?: number;
};

export type DeploymentCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastUpdateTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type ReplicaSet = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ReplicaSetSpec;
  readonly status?: ReplicaSetStatus;
};

export type ReplicaSetSpec = {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: LabelSelector | null;
  readonly template?: PodTemplateSpec;
};

export type ReplicaSetStatus = {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly observedGeneration?: number | bigint;
  readonly conditions?: readonly ReplicaSetCondition[];
};

export type ReplicaSetCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type StatefulSet = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: StatefulSetSpec;
  readonly status?: StatefulSetStatus;
};

export type StatefulSetSpec = {
  readonly replicas?: number;
  readonly selector?: LabelSelector | null;
  readonly template?: PodTemplateSpec;
  readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[];
  readonly serviceName?: string;
  readonly podManagementPolicy?: string;
  readonly updateStrategy?: StatefulSetUpdateStrategy;
  readonly revisionHistoryLimit?: number;
  readonly minReadySeconds?: number;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  readonly ordinals?: StatefulSetOrdinals;
};

export type StatefulSetUpdateStrategy = {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
};

export type RollingUpdateStatefulSetStrategy = {
  readonly partition?: number;
  readonly maxUnavailable?: number | string;
};

export type StatefulSetPersistentVolumeClaimRetentionPolicy = {
  readonly whenDeleted?: string;
  readonly whenScaled?: string;
};

export type StatefulSetOrdinals = {
  readonly start?: number;
};

export type StatefulSetStatus = {
  readonly observedGeneration?: number | bigint;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly collisionCount?: number;
  readonly conditions?: readonly StatefulSetCondition[];
  readonly availableReplicas?: number;
};

export type StatefulSetCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};
