// Defaults of Job and CronJob.

import type { Draft } from '../../../api/object.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { StrategyContext } from '../../definition.ts';
import { fillIn } from '../../fill-in.ts';
import { podTemplateDefaults } from '../core/pod/defaults.ts';
import type { CronJob, Job, JobSpec } from './v1-objects.ts';

const RETRIES = 6;
/** With a limit per index there is no total limit: the maximum int32. */
const UNBOUNDED = 2_147_483_647;

export function jobDefaults(job: Draft<Job>, context: StrategyContext): void {
  const spec = (job.spec ??= {});
  const runsOnce = isUnset(spec['completions']) && isUnset(spec['parallelism']);
  fillIn(spec, {
    ...(runsOnce ? { completions: 1 } : {}),
    parallelism: 1,
    backoffLimit: isUnset(spec['backoffLimitPerIndex']) ? RETRIES : UNBOUNDED,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
  });
  if (context.gateEnabled('JobPodReplacementPolicy')) {
    spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  }
  failurePolicyDefaults(spec);
  podTemplateDefaults(spec.template, context);
  const labels = spec.template?.metadata?.labels;
  // The identical object, which later shows that no labels were given.
  if (hasMembers(labels) && !hasMembers(job.metadata.labels)) job.metadata.labels = labels;
}

/** The first minor release of Kubernetes 1 that completes the policy of failures in the template of a CronJob. */
const COMPLETES_POLICIES = 34;

/** The Jobs of a CronJob are completed when they are created, not in its template. */
export function cronJobDefaults(cronJob: Draft<CronJob>, context: StrategyContext): void {
  const spec = (cronJob.spec ??= {});
  fillIn(spec, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  const job = spec.jobTemplate?.spec;
  if (job === undefined) return;
  if (isSince(context, COMPLETES_POLICIES)) failurePolicyDefaults(job);
  podTemplateDefaults(job.template, context);
}

function failurePolicyDefaults(spec: Draft<JobSpec>): void {
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const condition of rule.onPodConditions ?? []) condition['status'] ||= 'True';
  }
}

function isUnset(value: unknown | undefined): boolean {
  return value === undefined || value === null;
}

function hasMembers<T extends object>(map: T | undefined): map is T {
  return Object.keys(map ?? {}).length > 0;
}
