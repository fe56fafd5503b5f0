// The objects of batch/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { PodTemplateSpec } from '../core/pod/objects.ts';
import type { ObjectReference } from '../core/reference-objects.ts';
import type { LabelSelector } from '../meta/v1-objects.ts';

export type CronJob = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CronJobSpec;
  readonly status?: CronJobStatus;
};

export type CronJobSpec = {
  readonly schedule?: string;
  readonly timeZone?: string;
  readonly startingDeadlineSeconds?: number | bigint;
  readonly concurrencyPolicy?: string;
  readonly suspend?: boolean;
  readonly jobTemplate?: JobTemplateSpec;
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
};

export type JobTemplateSpec = {
  readonly metadata?: ObjectMeta;
  readonly spec?: JobSpec;
};

export type JobSpec = {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly activeDeadlineSeconds?: number | bigint;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly successPolicy?: SuccessPolicy;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly selector?: LabelSelector;
  readonly manualSelector?: boolean;
  readonly template?: PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number;
  readonly completionMode?: string;
  readonly suspend?: boolean;
  readonly podReplacementPolicy?: string;
  readonly managedBy?: string;
};

export type PodFailurePolicy = {
  readonly rules?: readonly PodFailurePolicyRule[] | null;
};

export type PodFailurePolicyRule = {
  readonly action?: string;
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[];
};

export type PodFailurePolicyOnExitCodesRequirement = {
  readonly containerName?: string;
  readonly operator?: string;
  readonly values?: readonly number[] | null;
};

export type PodFailurePolicyOnPodConditionsPattern = {
  readonly type?: string;
  readonly status?: string;
};

export type SuccessPolicy = {
  readonly rules?: readonly SuccessPolicyRule[] | null;
};

export type SuccessPolicyRule = {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
};

export type CronJobStatus = {
  readonly active?: readonly ObjectReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
};

export type Job = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: JobSpec;
  readonly status?: JobStatus;
};

export type JobStatus = {
  readonly conditions?: readonly JobCondition[];
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly terminating?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods;
  readonly ready?: number;
};

export type JobCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type UncountedTerminatedPods = {
  readonly succeeded?: readonly string[];
  readonly failed?: readonly string[];
};
