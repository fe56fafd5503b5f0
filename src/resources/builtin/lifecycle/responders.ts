// Validation of what the responders of an Eviction report: only the active one does, and its times are those of now.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { IMMUTABLE } from '../../../api/metadata-validation.ts';
import type { Json } from '../../../api/object.ts';
import { inGoForm, RESPONDER_STATUS } from '../../validation/go-form.ts';
import type { ResponderStatus, TargetResponder } from './v1alpha1-objects.ts';

const FIELD = 'status.responders';
/** Those of a pod, and Kubernetes' own. */
export const MOST_RESPONDERS = 11;
/** How far clocks may be apart. */
export const TIME_SKEW_MS = 30_000;
const LONGEST_MS = 10 * 365 * 24 * 3_600_000;

/** Both lists of a status. */
export interface Responders {
  readonly targetResponders: readonly TargetResponder[];
  readonly responders: readonly ResponderStatus[];
}

/** A time in milliseconds since the Unix epoch. */
export function millis(time: Json | undefined): number | undefined {
  return typeof time === 'string' ? Date.parse(time) : undefined;
}

export function isRepeated(list: readonly { readonly name?: string }[]): boolean {
  return new Set(list.map(({ name = '' }) => name)).size < list.length;
}

/** Errors of status.responders. */
export function validateResponders(
  { targetResponders, responders: next }: Responders,
  { previous, nowMs }: { readonly previous: readonly ResponderStatus[]; readonly nowMs: number },
): FieldError[] {
  const why = keysFault(next, targetResponders);
  if (why !== undefined) {
    const value = next.length === 0 ? null : next.map((each) => inGoForm(each, RESPONDER_STATUS));
    return [fieldError.invalid(FIELD, value, why)];
  }
  // Too many and repeated ones are found by declared rules.
  if (next.length > MOST_RESPONDERS || isRepeated(next)) return [];
  return next.flatMap((each, index) => {
    const before = previous.findLast(({ name }) => name === each.name);
    const isActive = targetResponders.findLast(({ name }) => name === each.name)?.state === 'Active';
    const field = `${FIELD}[${index}]`;
    if (before !== undefined && !isActive && !equalJson(each as Json, before as Json)) {
      return [fieldError.invalid(field, inGoForm(each, RESPONDER_STATUS), IMMUTABLE)];
    }
    return validateReport(each, { field, before: before ?? {}, isActive, nowMs });
  });
}

function keysFault(next: readonly ResponderStatus[], targets: readonly TargetResponder[]): string | undefined {
  if (next.length !== targets.length) {
    return 'must be the same length as status.targetResponders and contain the same keys';
  }
  const names = new Set(next.map(({ name }) => name));
  return targets.some(({ name }) => !names.has(name))
    ? 'must contain the same keys as status.targetResponders'
    : undefined;
}

interface Report {
  readonly field: string;
  readonly before: ResponderStatus;
  readonly isActive: boolean;
  readonly nowMs: number;
}

type Moment = 'startTime' | 'heartbeatTime' | 'expectedCompletionTime' | 'completionTime';

function validateReport(status: ResponderStatus, report: Report): FieldError[] {
  const { field, before, nowMs } = report;
  const faults: [Moment, string | undefined][] = [
    ['startTime', startFault(status, report)],
    ['heartbeatTime', heartbeatFault(status, report)],
    ['expectedCompletionTime', expectedFault(status, report)],
    ['completionTime', completionFault(status, { before, field, nowMs })],
  ];
  return faults.flatMap(([moment, why]) => {
    if (why === undefined) return [];
    const here = `${field}.${moment}`;
    return status[moment] === undefined
      ? [fieldError.required(here, why)]
      : [fieldError.invalid(here, status[moment], why)];
  });
}

const isNow = (time: number, nowMs: number) => Math.abs(time - nowMs) < TIME_SKEW_MS;
const NOT_NOW = 'must be set to the present time';

/** Changes of times that are set once are found by declared rules. */
function startFault(status: ResponderStatus, { before, isActive, nowMs }: Report): string | undefined {
  const [start, was] = [millis(status.startTime), millis(before.startTime)];
  if (was !== undefined && was !== start) return undefined;
  if (start === undefined) return isActive ? 'is required for an active responder' : undefined;
  return start !== was && !isNow(start, nowMs) ? NOT_NOW : undefined;
}

function heartbeatFault(status: ResponderStatus, { field, before, nowMs }: Report): string | undefined {
  const [beat, was, start] = [millis(status.heartbeatTime), millis(before.heartbeatTime), millis(status.startTime)];
  if (beat === undefined) return was === undefined ? undefined : 'is required once set';
  if (beat === was) return undefined;
  if (start === undefined) return notStarted(field);
  if (was !== undefined && beat < was) return 'cannot be decreased';
  if (beat < start) return tooEarly(field);
  return isNow(beat, nowMs) ? undefined : NOT_NOW;
}

function expectedFault(status: ResponderStatus, { field, before, nowMs }: Report): string | undefined {
  const [end, start] = [millis(status.expectedCompletionTime), millis(status.startTime)];
  if (end === undefined || end === millis(before.expectedCompletionTime)) return undefined;
  if (start === undefined) return notStarted(field);
  if (end < start) return tooEarly(field);
  if (end < nowMs - TIME_SKEW_MS) return 'cannot be set to the past time';
  return end > nowMs + LONGEST_MS ? 'must complete within 10 years' : undefined;
}

function completionFault(
  status: ResponderStatus,
  { field, before, nowMs }: Pick<Report, 'field' | 'before' | 'nowMs'>,
): string | undefined {
  const [end, was, start] = [millis(status.completionTime), millis(before.completionTime), millis(status.startTime)];
  if (end === undefined || (was !== undefined && was !== end)) return undefined;
  if (start === undefined) return notStarted(field);
  if (end < start) return tooEarly(field);
  return end !== was && !isNow(end, nowMs) ? NOT_NOW : undefined;
}

const notStarted = (field: string) => `cannot be set before ${field}.startTime is set`;
const tooEarly = (field: string) => `must occur after ${field}.startTime`;
