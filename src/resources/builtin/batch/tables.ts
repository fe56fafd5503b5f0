import { isSince } from '../../../lifecycle/version.ts';
import { isTrue } from '../../conditions.ts';
import type { Cell, TableColumns } from '../../definition.ts';
import { humanDuration } from '../../duration.ts';
import { age, boolean, containers, integer, NONE, selector, since, table, UNSET, wide } from '../../table.ts';
import type { CronJob, Job } from './v1-objects.ts';

const POD_COLUMNS = [wide('Containers'), wide('Images'), wide('Selector')];

/** From 1.30 on with the status. */
export function jobTable(minor: number): TableColumns<Job> {
  const hasStatus = isSince({ minor }, 30);
  return table([...(hasStatus ? ['Status'] : []), 'Completions', 'Duration', 'Age', ...POD_COLUMNS], (job) => [
    ...(hasStatus ? [jobStatus(job, minor)] : []),
    completions(job),
    duration(job),
    age(job),
    ...containers(job.spec?.template?.spec),
    selector(job.spec?.selector),
  ]);
}

/** The first matching condition is the status; a Job that is being deleted is `Terminating` unless it has finished. */
function jobStatus(job: Job, minor: number): string {
  if (isTrue(job, 'Complete')) return 'Complete';
  if (isTrue(job, 'Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const others = ['Suspended', 'FailureTarget', ...(isSince({ minor }, 34) ? ['SuccessCriteriaMet'] : [])];
  return others.find((type) => isTrue(job, type)) ?? 'Running';
}

function completions(job: Job): string {
  const succeeded = job.status?.succeeded ?? 0;
  const wanted = job.spec?.completions;
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  const parallelism = job.spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration(job: Job): Cell {
  const start = job.status?.startTime ?? '';
  if (start === '') return '';
  const end = job.status?.completionTime ?? '';
  const startMs = Date.parse(start);
  return end === '' ? (nowMs) => humanDuration(nowMs - startMs) : humanDuration(Date.parse(end) - startMs);
}

/** From 1.30 on with the time zone. */
export function cronJobTable(minor: number): TableColumns<CronJob> {
  const hasZone = isSince({ minor }, 30);
  const zone = hasZone ? ['Timezone'] : [];
  const columns = ['Schedule', ...zone, boolean('Suspend'), integer('Active'), 'Last Schedule', 'Age', ...POD_COLUMNS];
  return table(columns, (job) => [
    job.spec?.schedule ?? '',
    ...(hasZone ? [(job.spec?.timeZone ?? '') || NONE] : []),
    suspended(job),
    (job.status?.active ?? []).length,
    job.status?.lastScheduleTime ? since(job.status?.lastScheduleTime) : NONE,
    age(job),
    ...containers(job.spec?.jobTemplate?.spec?.template?.spec),
    selector(job.spec?.jobTemplate?.spec?.selector),
  ]);
}

/** Text in a boolean column, as in Kubernetes. */
function suspended(job: CronJob): string {
  const suspend = job.spec?.suspend;
  return suspend === true ? 'True' : suspend === false ? 'False' : UNSET;
}
