// What jobs and cron jobs must keep to, as their kinds' behaviour.

import type { ApiObject, Json } from '../../../api/object.ts';
import type { Behaviour, BehaviourContext } from '../../definition.ts';
import { at, numberAt } from '../../value.ts';
import { podTemplateWarnings, workloadNameWarnings } from '../core/pod/warnings.ts';
import { validateJobStatus } from './job-status-validation.ts';
import { validateCronJob, validateJob, validateJobUpdate } from './validation.ts';

export const jobRules: Partial<Behaviour> = {
  updateChecks: ['metadata', 'content', 'metadataChange', 'change'],
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  validateStatusUpdate: validateJobStatus,
  warnings: (next, previous, rules) => warnings({ next, previous, rules }, 'spec'),
};

export const cronJobRules: Partial<Behaviour> = {
  validate: validateCronJob,
  warnings: (next, previous, rules) => warnings({ next, previous, rules }, 'spec.jobTemplate.spec'),
};

const MANY_COMPLETIONS = 100_000;
const MANY_AT_ONCE = 10_000;
const TOO_MANY =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might ' +
  'not be able to track completedIndexes when a big number of indexes fail';

interface Change {
  readonly next: ApiObject;
  readonly previous: ApiObject | undefined;
  readonly rules: BehaviourContext;
}

/** When a job is created, and when a change raises its generation; `field` is where its spec stands. */
function warnings({ next, previous, rules }: Change, field: string): string[] {
  if (previous !== undefined && next.metadata.generation === previous.metadata.generation) return [];
  const spec = at(next, ...field.split('.'));
  return [
    ...(previous === undefined ? workloadNameWarnings(next) : []),
    ...(isHuge(spec) ? [`${field}: ${TOO_MANY}`] : []),
    ...podTemplateWarnings(at(spec, 'template'), `${field}.template`, rules),
  ];
}

function isHuge(spec: Json | undefined): boolean {
  if (at(spec, 'completionMode') !== 'Indexed') return false;
  return numberAt(spec, 'completions') > MANY_COMPLETIONS && numberAt(spec, 'parallelism') > MANY_AT_ONCE;
}
