// How jobs and cron jobs are listed.

import type { ApiObject } from '../../../api/object.ts';
import type { Cell, TableColumns } from '../../definition.ts';
import { humanDuration } from '../../duration.ts';
import { age, boolean, containers, integer, isTrue, NONE, selector, since, table, UNSET, wide } from '../../table.ts';
import { at, listAt, numberAt, textAt } from '../../value.ts';

const POD_COLUMNS = [wide('Containers'), wide('Images'), wide('Selector')];

export const jobTable: TableColumns = table(['Status', 'Completions', 'Duration', 'Age', ...POD_COLUMNS], (job) => [
  jobStatus(job),
  completions(job),
  duration(job),
  age(job),
  ...containers(job, 'spec', 'template', 'spec'),
  selector(job, 'spec', 'selector'),
]);

/** The first of these that is true of a job is its status; a job on its way out is `Terminating` unless it ended. */
function jobStatus(job: ApiObject): string {
  if (isTrue(job, 'Complete')) return 'Complete';
  if (isTrue(job, 'Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => isTrue(job, type)) ?? 'Running';
}

function completions(job: ApiObject): string {
  const succeeded = numberAt(job, 'status', 'succeeded');
  const wanted = textAt(job, 'spec', 'completions');
  if (wanted !== '') return `${succeeded}/${wanted}`;
  const parallelism = numberAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration(job: ApiObject): Cell {
  const start = textAt(job, 'status', 'startTime');
  if (start === '') return '';
  const end = textAt(job, 'status', 'completionTime');
  const startMs = Date.parse(start);
  return end === '' ? (nowMs) => humanDuration(nowMs - startMs) : humanDuration(Date.parse(end) - startMs);
}

export const cronJobTable: TableColumns = table(
  ['Schedule', 'Timezone', boolean('Suspend'), integer('Active'), 'Last Schedule', 'Age', ...POD_COLUMNS],
  (job) => [
    textAt(job, 'spec', 'schedule'),
    textAt(job, 'spec', 'timeZone') || NONE,
    suspended(job),
    listAt(job, 'status', 'active').length,
    at(job, 'status', 'lastScheduleTime') ? since(at(job, 'status', 'lastScheduleTime')) : NONE,
    age(job),
    ...containers(job, 'spec', 'jobTemplate', 'spec', 'template', 'spec'),
    selector(job, 'spec', 'jobTemplate', 'spec', 'selector'),
  ],
);

/** Text in a column of booleans, as Kubernetes has it. */
function suspended(job: ApiObject): string {
  const suspend = at(job, 'spec', 'suspend');
  return suspend === true ? 'True' : suspend === false ? 'False' : UNSET;
}
