// Validation of a Job's status: a job ends once, one way, with nothing left running and all counted.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { validateCounts } from '../../validation/counts.ts';
import { validateImmutable } from '../../validation/field-rules.ts';
import { parseIndexes } from './job-indexes.ts';
import type { Job, JobSpec, JobStatus, UncountedTerminatedPods } from './v1-objects.ts';

export function validateJobStatus(next: Job, previous: Job): FieldError[] {
  const [status, old] = [next.status, previous.status];
  return [
    ...validateCounts(status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], 'status'),
    ...validateUncounted(status?.uncountedTerminatedPods, 'status.uncountedTerminatedPods'),
    ...validateEnd(status),
    ...validateIndexes(status, next.spec),
    ...validateProgress(status, old),
    ...validateStart(next, previous),
    ...validateCompletionKept(status, old),
  ];
}

function isTrue(status: JobStatus | undefined, condition: string): boolean {
  return (status?.conditions ?? []).some((each) => (each.type ?? '') === condition && (each.status ?? '') === 'True');
}

/** Pods that ended and are not yet counted, each once. */
function validateUncounted(pods: UncountedTerminatedPods | undefined, field: string): FieldError[] {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((list) =>
    (pods?.[list] ?? []).flatMap((uid, index) => {
      const here = `${field}.${list}[${index}]`;
      if (uid === '') return [fieldError.invalid(here, uid, 'must not be empty')];
      if (seen.has(uid)) return [fieldError.duplicate(here, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

const CONDITIONS = 'status.conditions';
const EXCLUSIVE = [
  ['Complete', 'Failed'],
  ['Complete', 'FailureTarget'],
  ['SuccessCriteriaMet', 'Failed'],
  ['SuccessCriteriaMet', 'FailureTarget'],
] as const;

/** How a job ended, and that nothing of it goes on. */
function validateEnd(status: JobStatus | undefined): FieldError[] {
  const [complete, failed] = [isTrue(status, 'Complete'), isTrue(status, 'Failed')];
  const found: FieldError[] = [];
  for (const [one, other] of EXCLUSIVE.slice(0, 2)) found.push(...validateNotBoth(status, one, other));
  found.push(...validateTimes(status, complete));
  if (failed && !isTrue(status, 'FailureTarget')) {
    const why = 'cannot set Failed=True condition without the FailureTarget=true condition';
    found.push(fieldError.invalidAsWhole(CONDITIONS, why));
  }
  if (complete && !isTrue(status, 'SuccessCriteriaMet')) {
    const why = 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition';
    found.push(fieldError.invalidAsWhole(CONDITIONS, why));
  }
  for (const [one, other] of EXCLUSIVE.slice(2)) found.push(...validateNotBoth(status, one, other));
  if (!complete && !failed) return found;
  for (const member of ['active', 'terminating'] as const) {
    const count = status?.[member] ?? 0;
    if (count <= 0) continue;
    found.push(fieldError.invalid(`status.${member}`, count, `${member}>0 is invalid for finished job`));
  }
  if (status?.startTime === undefined) {
    found.push(fieldError.required('status.startTime', 'startTime is required for finished job'));
  }
  const uncounted = status?.uncountedTerminatedPods;
  if ((uncounted?.succeeded ?? []).length + (uncounted?.failed ?? []).length > 0) {
    const why = 'uncountedTerminatedPods needs to be empty for finished job';
    found.push(fieldError.invalid('status.uncountedTerminatedPods', uncounted, why));
  }
  return found;
}

function validateNotBoth(status: JobStatus | undefined, one: string, other: string): FieldError[] {
  if (!isTrue(status, one) || !isTrue(status, other)) return [];
  return [fieldError.invalidAsWhole(CONDITIONS, `cannot set ${one}=True and ${other}=true conditions`)];
}

function validateTimes(status: JobStatus | undefined, complete: boolean): FieldError[] {
  const field = 'status.completionTime';
  const [start, end] = [status?.startTime, status?.completionTime];
  const found: FieldError[] = [];
  if (end !== undefined && !complete) {
    const why = 'cannot set completionTime when there is no Complete=True condition';
    found.push(fieldError.invalid(field, end, why));
  }
  if (end === undefined && complete) {
    found.push(fieldError.required(field, 'completionTime is required for Complete jobs'));
  }
  if (start !== undefined && end !== undefined && Date.parse(end) < Date.parse(start)) {
    found.push(fieldError.invalid(field, end, 'must be equal to or after `startTime`'));
  }
  return found;
}

function validateIndexes(status: JobStatus | undefined, spec: JobSpec | undefined): FieldError[] {
  const [completed, failed] = [status?.completedIndexes ?? '', status?.failedIndexes];
  const found: FieldError[] = [];
  const completions = spec?.completions;
  const limited = spec?.backoffLimitPerIndex !== undefined;
  for (const [member, text] of [
    ['completedIndexes', completed],
    ['failedIndexes', failed],
  ] as const) {
    const known = completions !== undefined && (member === 'completedIndexes' || limited);
    const parsed = typeof text === 'string' && known ? parseIndexes(text, Number(completions)) : 0;
    if (typeof parsed !== 'string') continue;
    found.push(fieldError.invalid(`status.${member}`, text, `error parsing ${member}: ${parsed}`));
  }
  if (completed !== '' && spec?.completionMode !== 'Indexed') {
    const why = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    found.push(fieldError.invalid('status.completedIndexes', completed, why));
  }
  if (failed !== undefined && !limited) {
    const why = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    found.push(fieldError.invalid('status.failedIndexes', failed, why));
  }
  return found;
}

const FINAL = ['Failed', 'Complete', 'FailureTarget'];

/** What has been reached stays reached. */
function validateProgress(status: JobStatus | undefined, old: JobStatus | undefined): FieldError[] {
  const found: FieldError[] = [];
  const disabled = (condition: string) => isTrue(old, condition) && !isTrue(status, condition);
  for (const condition of FINAL.filter(disabled)) {
    const why = `cannot disable the terminal ${condition}=True condition`;
    found.push(fieldError.invalidAsWhole(CONDITIONS, why));
  }
  if (disabled('SuccessCriteriaMet')) {
    found.push(fieldError.invalidAsWhole(CONDITIONS, 'cannot disable the SuccessCriteriaMet=True condition'));
  }
  for (const member of ['succeeded', 'failed'] as const) {
    const count = status?.[member] ?? 0;
    if (count >= (old?.[member] ?? 0)) continue;
    found.push(fieldError.invalid(`status.${member}`, count, `cannot decrease the ${member} counter`));
  }
  const ready = status?.ready;
  if (ready === undefined || Number(ready) <= Math.max(status?.active ?? 0, 0)) return found;
  return [...found, fieldError.invalid('status.ready', ready, 'cannot set more ready pods than active')];
}

function validateStart(next: Job, previous: Job): FieldError[] {
  const before = previous.status?.startTime;
  if (before === undefined || next.status?.startTime === before) return [];
  if (next.spec?.suspend === true) return [];
  return [fieldError.required('status.startTime', 'startTime cannot be removed for unsuspended job')];
}

function validateCompletionKept(status: JobStatus | undefined, old: JobStatus | undefined): FieldError[] {
  const before = old?.completionTime;
  if (before === undefined || status === undefined || !isTrue(old, 'Complete') || !isTrue(status, 'Complete'))
    return [];
  return validateImmutable(status.completionTime, before, 'status.completionTime');
}
