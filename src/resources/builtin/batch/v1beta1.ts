// Types of batch/v1beta1.

import { bool, embedded, int32, int64, list, string, struct, time } from '../../../schema/build.ts';
import { ObjectReference } from '../core/reference.ts';
import { object, objectList } from '../meta/object.ts';
import { ObjectMeta } from '../meta/v1.ts';
import { JobSpec } from './v1.ts';

export const CronJob = object('batch/v1beta1.CronJob', 'batch/v1beta1', () => ({
  spec: embedded(2, CronJobSpec).from(36, embedded(2, CronJobSpec).required().omitEmpty()),
  status: embedded(3, CronJobStatus),
}));

export const CronJobSpec = struct('batch/v1beta1.CronJobSpec', () => ({
  schedule: string(1).required(),
  timeZone: string(8).pointer(),
  startingDeadlineSeconds: int64(2).pointer(),
  concurrencyPolicy: string(3),
  suspend: bool(4).pointer(),
  jobTemplate: embedded(5, JobTemplateSpec).required(),
  successfulJobsHistoryLimit: int32(6).pointer(),
  failedJobsHistoryLimit: int32(7).pointer(),
}));

export const JobTemplateSpec = struct('batch/v1beta1.JobTemplateSpec', () => ({
  metadata: embedded(1, ObjectMeta),
  spec: embedded(2, JobSpec),
}));

export const CronJobStatus = struct('batch/v1beta1.CronJobStatus', () => ({
  active: list(1, ObjectReference).atomic(),
  lastScheduleTime: time(4).pointer(),
  lastSuccessfulTime: time(5).pointer(),
}));

export const CronJobList = objectList(CronJob);
