// What jobs and cron jobs are when they do not say: once, one pod at a time, tried again a few times.

import type { Json, JsonObject } from '../../../api/object.ts';
import type { BehaviourContext } from '../../definition.ts';
import { fillIn, objectAt, objectIn, objectsAt } from '../../fill-in.ts';
import { podTemplateDefaults } from '../core/pod/defaults.ts';

const RETRIES = 6;
/** Where each index counts its own failures there is no bound for all of them: the largest int32. */
const UNBOUNDED = 2_147_483_647;

export function jobDefaults(job: JsonObject, context: BehaviourContext): void {
  const spec = objectIn(job, 'spec');
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
    const whenFailed = objectAt(spec, 'podFailurePolicy') !== undefined;
    fillIn(spec, { podReplacementPolicy: whenFailed ? 'Failed' : 'TerminatingOrFailed' });
  }
  failurePolicyDefaults(spec);
  const template = objectAt(spec, 'template');
  podTemplateDefaults(template, context);
  const labels = objectAt(objectAt(template, 'metadata'), 'labels');
  // The very same, by which it is known later on that nobody gave the job labels.
  if (labels !== undefined) fillIn(objectIn(job, 'metadata'), { labels });
}

/** The jobs of a cron job are completed when they are made, not in its template. */
export function cronJobDefaults(cronJob: JsonObject, context: BehaviourContext): void {
  const spec = objectIn(cronJob, 'spec');
  fillIn(spec, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  const job = objectAt(objectAt(spec, 'jobTemplate'), 'spec');
  if (job === undefined) return;
  failurePolicyDefaults(job);
  podTemplateDefaults(objectAt(job, 'template'), context);
}

function failurePolicyDefaults(spec: JsonObject): void {
  for (const rule of objectsAt(objectAt(spec, 'podFailurePolicy'), 'rules')) {
    for (const condition of objectsAt(rule, 'onPodConditions')) condition['status'] ||= 'True';
  }
}

function isUnset(value: Json | undefined): boolean {
  return value === undefined || value === null;
}
