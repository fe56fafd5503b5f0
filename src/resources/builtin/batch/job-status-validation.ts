// What a write to a job's status must keep to: a job ends once, one way, with nothing left running and all counted.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import type { ApiObject, Json } from '../../../api/object.ts';
import { validateCounts } from '../../validation/counts.ts';
import { validateImmutable } from '../../validation/field-rules.ts';
import { at, isObject, listAt, numberAt, textAt } from '../../value.ts';
import { parseIndexes } from './job-indexes.ts';

export function validateJobStatus(next: ApiObject, previous: ApiObject): FieldError[] {
  const [status, old] = [next['status'], previous['status']];
  return [
    ...validateCounts(status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], 'status'),
    ...validateUncounted(at(status, 'uncountedTerminatedPods'), 'status.uncountedTerminatedPods'),
    ...validateEnd(status),
    ...validateIndexes(status, next['spec']),
    ...validateProgress(status, old),
    ...validateStart(next, previous),
    ...validateCompletionKept(status, old),
  ];
}

function isTrue(status: Json | undefined, condition: string): boolean {
  return listAt(status, 'conditions').some(
    (each) => textAt(each, 'type') === condition && textAt(each, 'status') === 'True',
  );
}

/** Pods that ended and are not yet counted, each once. */
function validateUncounted(pods: Json | undefined, field: string): FieldError[] {
  const seen = new Set<Json>();
  return ['succeeded', 'failed'].flatMap((list) =>
    listAt(pods, list).flatMap((uid, index) => {
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
function validateEnd(status: Json | undefined): FieldError[] {
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
  for (const member of ['active', 'terminating']) {
    const count = numberAt(status, member);
    if (count <= 0) continue;
    found.push(fieldError.invalid(`status.${member}`, count, `${member}>0 is invalid for finished job`));
  }
  if (at(status, 'startTime') === undefined) {
    found.push(fieldError.required('status.startTime', 'startTime is required for finished job'));
  }
  const uncounted = at(status, 'uncountedTerminatedPods');
  if (listAt(uncounted, 'succeeded').length + listAt(uncounted, 'failed').length > 0) {
    const why = 'uncountedTerminatedPods needs to be empty for finished job';
    found.push(fieldError.invalid('status.uncountedTerminatedPods', uncounted, why));
  }
  return found;
}

function validateNotBoth(status: Json | undefined, one: string, other: string): FieldError[] {
  if (!isTrue(status, one) || !isTrue(status, other)) return [];
  return [fieldError.invalidAsWhole(CONDITIONS, `cannot set ${one}=True and ${other}=true conditions`)];
}

function validateTimes(status: Json | undefined, complete: boolean): FieldError[] {
  const field = 'status.completionTime';
  const [start, end] = [at(status, 'startTime'), at(status, 'completionTime')];
  const found: FieldError[] = [];
  if (end !== undefined && !complete) {
    const why = 'cannot set completionTime when there is no Complete=True condition';
    found.push(fieldError.invalid(field, end, why));
  }
  if (end === undefined && complete) {
    found.push(fieldError.required(field, 'completionTime is required for Complete jobs'));
  }
  if (typeof start === 'string' && typeof end === 'string' && Date.parse(end) < Date.parse(start)) {
    found.push(fieldError.invalid(field, end, 'must be equal to or after `startTime`'));
  }
  return found;
}

function validateIndexes(status: Json | undefined, spec: Json | undefined): FieldError[] {
  const [completed, failed] = [textAt(status, 'completedIndexes'), at(status, 'failedIndexes')];
  const found: FieldError[] = [];
  const completions = at(spec, 'completions');
  const limited = at(spec, 'backoffLimitPerIndex') !== undefined;
  for (const [member, text] of [
    ['completedIndexes', completed],
    ['failedIndexes', failed],
  ] as const) {
    const known = completions !== undefined && (member === 'completedIndexes' || limited);
    const parsed = typeof text === 'string' && known ? parseIndexes(text, Number(completions)) : 0;
    if (typeof parsed !== 'string') continue;
    found.push(fieldError.invalid(`status.${member}`, text, `error parsing ${member}: ${parsed}`));
  }
  if (completed !== '' && at(spec, 'completionMode') !== 'Indexed') {
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
function validateProgress(status: Json | undefined, old: Json | undefined): FieldError[] {
  const found: FieldError[] = [];
  const disabled = (condition: string) => isTrue(old, condition) && !isTrue(status, condition);
  for (const condition of FINAL.filter(disabled)) {
    const why = `cannot disable the terminal ${condition}=True condition`;
    found.push(fieldError.invalidAsWhole(CONDITIONS, why));
  }
  if (disabled('SuccessCriteriaMet')) {
    found.push(fieldError.invalidAsWhole(CONDITIONS, 'cannot disable the SuccessCriteriaMet=True condition'));
  }
  for (const member of ['succeeded', 'failed']) {
    const count = numberAt(status, member);
    if (count >= numberAt(old, member)) continue;
    found.push(fieldError.invalid(`status.${member}`, count, `cannot decrease the ${member} counter`));
  }
  const ready = at(status, 'ready');
  if (ready === undefined || Number(ready) <= Math.max(numberAt(status, 'active'), 0)) return found;
  return [...found, fieldError.invalid('status.ready', ready, 'cannot set more ready pods than active')];
}

function validateStart(next: ApiObject, previous: ApiObject): FieldError[] {
  const before = at(previous, 'status', 'startTime');
  if (before === undefined || at(next, 'status', 'startTime') === before) return [];
  if (at(next, 'spec', 'suspend') === true) return [];
  return [fieldError.required('status.startTime', 'startTime cannot be removed for unsuspended job')];
}

function validateCompletionKept(status: Json | undefined, old: Json | undefined): FieldError[] {
  const before = at(old, 'completionTime');
  if (before === undefined || !isObject(status) || !isTrue(old, 'Complete') || !isTrue(status, 'Complete')) return [];
  return validateImmutable(status['completionTime'], before, 'status.completionTime');
}
