// Validation of Events: those of the core group, which has few rules, and those of events.k8s.io. Errors of both name
// the fields of core events.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import { byteLength, qualifiedNameFaults } from '../../../../api/names.ts';
import type { KindRules } from '../../../definition.ts';
import { faultErrors, validateImmutable, validateImmutableText } from '../../../validation/field-rules.ts';
import type { Event } from './objects.ts';

const WORD_BYTES = 128;
const NOTE_BYTES = 1024;

/** Common rules; an event without `eventTime` has the older form. */
export function validateAnyEvent(event: Event, controllerField: string): FieldError[] {
  const namespace = event.metadata.namespace ?? '';
  const involved = event.involvedObject?.namespace ?? '';
  if (!isTimeSet(event, 'eventTime')) return validateNamespaces(involved, namespace, ['', 'default']);
  const controller = event.reportingComponent ?? '';
  return [
    ...(involved === '' ? validateNamespaces(involved, namespace, ['', 'default', 'kube-system']) : []),
    ...(controller === '' ? [fieldError.required(controllerField)] : []),
    ...faultErrors(qualifiedNameFaults(controller), controller, controllerField),
    ...(['reportingInstance', 'action', 'reason'] as const).flatMap((member) => validateWord(event, member)),
    ...(byteLength(event.message ?? '') > NOTE_BYTES ? [tooManyCharacters('message', NOTE_BYTES)] : []),
  ];
}

/** An event is in the namespace of its object; events about cluster-scoped objects are in a few particular ones. */
function validateNamespaces(involved: string, namespace: string, clusterWide: readonly string[]): FieldError[] {
  if (involved === '' ? clusterWide.includes(namespace) : involved === namespace) return [];
  return [fieldError.invalid('involvedObject.namespace', involved, 'does not match event.namespace')];
}

function validateWord(event: Event, member: 'reportingInstance' | 'action' | 'reason'): FieldError[] {
  const word = event[member] ?? '';
  if (word === '') return [fieldError.required(member)];
  return byteLength(word) > WORD_BYTES ? [tooManyCharacters(member, WORD_BYTES)] : [];
}

function tooManyCharacters(field: string, most: number): FieldError {
  return fieldError.invalid(field, '', `can have at most ${most} characters`);
}

function isTimeSet(event: Event, member: 'eventTime' | 'firstTimestamp' | 'lastTimestamp'): boolean {
  return (event[member] ?? '') !== '';
}

/** Additional rules for new events of events.k8s.io. */
function validateNewEvent(event: Event): FieldError[] {
  const found = validateSeries(event);
  const type = event.type ?? '';
  if (!isTimeSet(event, 'eventTime')) found.push(fieldError.required('eventTime'));
  if (type !== 'Normal' && type !== 'Warning') {
    found.push(fieldError.invalid('type', '', `has invalid value: ${type}`));
  }
  const outdated = [
    ['firstTimestamp', isTimeSet(event, 'firstTimestamp')],
    ['lastTimestamp', isTimeSet(event, 'lastTimestamp')],
    ['count', (event.count ?? 0) !== 0],
    ['source', (event.source?.component ?? '') !== '' || (event.source?.host ?? '') !== ''],
  ] as const;
  for (const [field, set] of outdated) if (set) found.push(fieldError.invalid(field, '', 'needs to be unset'));
  return found;
}

function validateSeries(event: Event): FieldError[] {
  const series = event.series;
  if (series === undefined) return [];
  const found: FieldError[] = [];
  if ((series.count ?? 0) < 2) found.push(fieldError.invalid('series.count', '', 'should be at least 2'));
  if ((series.lastObservedTime ?? '') === '') found.push(fieldError.required('series.lastObservedTime'));
  return found;
}

/**
 * Immutable fields, in Kubernetes' order, in which the reason occurs twice; strings are reported differently from
 * others.
 */
const FIXED: readonly (readonly [member: keyof Event, rule: typeof validateImmutable])[] = [
  ['involvedObject', validateImmutable],
  ['reason', validateImmutableText],
  ['message', validateImmutableText],
  ['source', validateImmutable],
  ['firstTimestamp', validateImmutable],
  ['lastTimestamp', validateImmutable],
  ['count', validateImmutable],
  ['reason', validateImmutableText],
  ['type', validateImmutableText],
  ['eventTime', validateImmutable],
  ['action', validateImmutableText],
  ['related', validateImmutable],
];

function validateNewerUpdate(next: Event, previous: Event): FieldError[] {
  return [
    ...(equalJson(next.series, previous.series) ? [] : validateSeries(next)),
    ...FIXED.flatMap(([member, rule]) => rule(next[member], previous[member], member)),
    ...validateImmutableText(next.reportingComponent, previous.reportingComponent, 'reportingController'),
    ...validateImmutableText(next.reportingInstance, previous.reportingInstance, 'reportingInstance'),
  ];
}

export const coreEventRules: KindRules<Event> = {
  // Their metadata is only validated by the generic rules.
  checks: { create: ['content', 'creation'], update: ['content'] },
  validate: (event) => validateAnyEvent(event, 'reportingComponent'),
};

export const newerEventRules: KindRules<Event> = {
  checks: { create: ['content', 'metadata', 'creation'], update: ['content', 'metadataChange', 'change'] },
  validate: (event) => validateAnyEvent(event, 'reportingController'),
  validateCreate: validateNewEvent,
  validateUpdate: validateNewerUpdate,
};
