// Validation of Job and CronJob, as parts of their strategies.

import type { ApiObject } from '../../../api/object.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { podTemplateWarnings, workloadNameWarnings } from '../core/pod/warnings.ts';
import { validateJobStatus } from './job-status-validation.ts';
import type { CronJob, Job, JobSpec } from './v1-objects.ts';
import { validateCronJob, validateJob, validateJobUpdate } from './validation.ts';

export const jobRules: KindRules<Job> = {
  checks: { update: ['metadata', 'content', 'metadataChange', 'change'] },
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  subresources: { status: { validateUpdate: validateJobStatus } },
  warnings: (next, previous, rules) => warnings({ next, previous, rules }, next.spec, 'spec'),
};

export const cronJobRules: KindRules<CronJob> = {
  // Kubernetes only validates metadata in updates of this status.
  subresources: { status: { checks: { update: [] } } },
  validate: validateCronJob,
  warnings: (next, previous, rules) =>
    warnings({ next, previous, rules }, next.spec?.jobTemplate?.spec, 'spec.jobTemplate.spec'),
};

const MANY_COMPLETIONS = 100_000;
const MANY_AT_ONCE = 10_000;
const TOO_MANY =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might ' +
  'not be able to track completedIndexes when a big number of indexes fail';

interface Change {
  readonly next: Pick<ApiObject, 'metadata'>;
  readonly previous: Pick<ApiObject, 'metadata'> | undefined;
  readonly rules: StrategyContext;
}

/** For a create, and for updates that raise the generation; `field` is the path of the Job's spec. */
function warnings({ next, previous, rules }: Change, spec: JobSpec | undefined, field: string): string[] {
  if (previous !== undefined && next.metadata.generation === previous.metadata.generation) return [];
  return [
    ...(previous === undefined ? workloadNameWarnings(next) : []),
    ...(isHuge(spec) ? [`${field}: ${TOO_MANY}`] : []),
    ...podTemplateWarnings(spec?.template, `${field}.template`, rules),
  ];
}

function isHuge(spec: JobSpec | undefined): boolean {
  if (spec?.completionMode !== 'Indexed') return false;
  return (spec?.completions ?? 0) > MANY_COMPLETIONS && (spec?.parallelism ?? 0) > MANY_AT_ONCE;
}
