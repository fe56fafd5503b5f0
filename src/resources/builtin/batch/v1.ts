// Types of batch/v1.

import { bool, embedded, int32, int64, list, pointer, string, struct, time } from '../../../schema/build.ts';
import { PodTemplateSpec } from '../core/pod/types.ts';
import { ObjectReference } from '../core/reference.ts';
import { object, objectList } from '../meta/object.ts';
import { LabelSelector, ObjectMeta } from '../meta/v1.ts';
import {
  WorkloadPodGroupDisruptionMode,
  WorkloadPodGroupResourceClaim,
  WorkloadPodGroupSchedulingConstraints,
  WorkloadPodGroupSchedulingPolicy,
} from '../scheduling/v1alpha3.ts';

export const CronJob = object('batch/v1.CronJob', 'batch/v1', () => ({
  spec: embedded(2, CronJobSpec).from(36, embedded(2, CronJobSpec).required().omitEmpty()),
  status: embedded(3, CronJobStatus),
}));

export const CronJobSpec = struct('batch/v1.CronJobSpec', () => ({
  schedule: string(1).required(),
  timeZone: string(8).pointer(),
  startingDeadlineSeconds: int64(2).pointer(),
  concurrencyPolicy: string(3).oneOf('Allow', 'Forbid', 'Replace'),
  suspend: bool(4).pointer(),
  jobTemplate: embedded(5, JobTemplateSpec).required(),
  successfulJobsHistoryLimit: int32(6).pointer(),
  failedJobsHistoryLimit: int32(7).pointer(),
}));

export const JobTemplateSpec = struct('batch/v1.JobTemplateSpec', () => ({
  metadata: embedded(1, ObjectMeta),
  spec: embedded(2, JobSpec),
}));

export const JobSpec = struct('batch/v1.JobSpec', () => ({
  parallelism: int32(1).pointer(),
  completions: int32(2).pointer(),
  activeDeadlineSeconds: int64(3).pointer(),
  podFailurePolicy: pointer(11, PodFailurePolicy).since(25),
  successPolicy: pointer(16, SuccessPolicy).since(30),
  backoffLimit: int32(7).pointer(),
  backoffLimitPerIndex: int32(12).pointer().since(28),
  maxFailedIndexes: int32(13).pointer().since(28),
  selector: pointer(4, LabelSelector),
  manualSelector: bool(5).pointer(),
  template: embedded(6, PodTemplateSpec).required(),
  ttlSecondsAfterFinished: int32(8).pointer(),
  completionMode: string(9).pointer().oneOf('Indexed', 'NonIndexed'),
  suspend: bool(10).pointer(),
  podReplacementPolicy: string(14).pointer().oneOf('Failed', 'TerminatingOrFailed').since(28),
  managedBy: string(15).pointer().since(30),
  scheduling: pointer(17, JobSchedulingConfiguration).behind('WorkloadWithJob').since(37),
}));

export const JobSchedulingConfiguration = struct('batch/v1.JobSchedulingConfiguration', () => ({
  schedulingPolicy: pointer(1, WorkloadPodGroupSchedulingPolicy),
  schedulingConstraints: pointer(2, WorkloadPodGroupSchedulingConstraints),
  disruptionMode: pointer(3, WorkloadPodGroupDisruptionMode),
  resourceClaims: list(4, WorkloadPodGroupResourceClaim).keyed('name').mergedBy('name'),
}));

export const PodFailurePolicy = struct('batch/v1.PodFailurePolicy', () => ({
  rules: list(1, PodFailurePolicyRule).required().atomic(),
}));

export const PodFailurePolicyRule = struct('batch/v1.PodFailurePolicyRule', () => ({
  action: string(1)
    .required()
    .oneOf('Count', 'FailIndex', 'FailJob', 'Ignore')
    .upTo(27, string(1).required().oneOf('Count', 'FailJob', 'Ignore')),
  onExitCodes: pointer(2, PodFailurePolicyOnExitCodesRequirement)
    .upTo(29, pointer(2, PodFailurePolicyOnExitCodesRequirement).always())
    .upTo(28, pointer(2, PodFailurePolicyOnExitCodesRequirement))
    .upTo(27, pointer(2, PodFailurePolicyOnExitCodesRequirement).always()),
  onPodConditions: list(3, PodFailurePolicyOnPodConditionsPattern)
    .atomic()
    .upTo(29, list(3, PodFailurePolicyOnPodConditionsPattern).always().atomic())
    .upTo(28, list(3, PodFailurePolicyOnPodConditionsPattern).atomic())
    .upTo(27, list(3, PodFailurePolicyOnPodConditionsPattern).always().atomic()),
}));

export const PodFailurePolicyOnExitCodesRequirement = struct('batch/v1.PodFailurePolicyOnExitCodesRequirement', () => ({
  containerName: string(1)
    .pointer()
    .upTo(29, string(1).pointer().always())
    .upTo(28, string(1).pointer())
    .upTo(27, string(1).pointer().always()),
  operator: string(2).required().oneOf('In', 'NotIn'),
  values: list(3, 'int32').required().set(),
}));

export const PodFailurePolicyOnPodConditionsPattern = struct('batch/v1.PodFailurePolicyOnPodConditionsPattern', () => ({
  type: string(1).required(),
  status: string(2).required().from(35, string(2).always()),
}));

export const SuccessPolicy = struct('batch/v1.SuccessPolicy', () => ({
  rules: list(1, SuccessPolicyRule).required().atomic(),
}));

export const SuccessPolicyRule = struct('batch/v1.SuccessPolicyRule', () => ({
  succeededIndexes: string(1).pointer(),
  succeededCount: int32(2).pointer(),
}));

export const CronJobStatus = struct('batch/v1.CronJobStatus', () => ({
  active: list(1, ObjectReference).atomic(),
  lastScheduleTime: time(4).pointer(),
  lastSuccessfulTime: time(5).pointer(),
}));

export const CronJobList = objectList(CronJob);

export const Job = object('batch/v1.Job', 'batch/v1', () => ({
  spec: embedded(2, JobSpec),
  status: embedded(3, JobStatus),
}));

export const JobStatus = struct('batch/v1.JobStatus', () => ({
  conditions: list(1, JobCondition).atomic().mergedBy('type'),
  startTime: time(2).pointer(),
  completionTime: time(3).pointer(),
  active: int32(4),
  succeeded: int32(5),
  failed: int32(6),
  terminating: int32(11).pointer().since(28),
  completedIndexes: string(7),
  failedIndexes: string(10).pointer().since(28),
  uncountedTerminatedPods: pointer(8, UncountedTerminatedPods),
  ready: int32(9).pointer(),
}));

export const JobCondition = struct('batch/v1.JobCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  lastProbeTime: time(3),
  lastTransitionTime: time(4),
  reason: string(5),
  message: string(6),
}));

export const UncountedTerminatedPods = struct('batch/v1.UncountedTerminatedPods', () => ({
  succeeded: list(1, 'string').set(),
  failed: list(2, 'string').set(),
}));

export const JobList = objectList(Job);
