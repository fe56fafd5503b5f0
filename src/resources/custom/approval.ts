// The approval annotation of protected community groups (`*.k8s.io`, `*.kubernetes.io`).

import { type FieldError, fieldError } from '../../api/errors.ts';
import type { ApiObject } from '../../api/object.ts';
import { textAt } from '../value.ts';

const ANNOTATION = 'api-approved.kubernetes.io';
const FIELD = `metadata.annotations[${ANNOTATION}]`;
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';
const ADDRESS = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]+/;

interface Approval {
  readonly state: 'approved' | 'bypassed' | 'missing' | 'invalid';
  readonly message: string;
}

/** The approval state of a definition; undefined for groups that need none. */
export function approvalOf(definition: ApiObject): Approval | undefined {
  const group = textAt(definition, 'spec', 'group');
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return undefined;
  const said = definition.metadata.annotations?.[ANNOTATION] ?? '';
  if (said === '') {
    return { state: 'missing', message: `protected groups must have approval annotation "${ANNOTATION}", ${SEE}` };
  }
  if (said.startsWith('unapproved')) return { state: 'bypassed', message: `not approved: ${JSON.stringify(said)}` };
  if (ADDRESS.test(said)) return { state: 'approved', message: `approved in ${said}` };
  const message = `protected groups must have approval annotation "${ANNOTATION}" with either a URL or a reason starting with "unapproved", ${SEE}`;
  return { state: 'invalid', message };
}

/** A definition that never was approved may remain so. */
export function approvalErrors(next: ApiObject, previous: ApiObject | undefined): FieldError[] {
  const approval = approvalOf(next);
  if (approval === undefined) return [];
  if (previous !== undefined && approvalOf(previous)?.state === approval.state) return [];
  if (approval.state === 'missing') return [fieldError.required(FIELD, approval.message)];
  if (approval.state !== 'invalid') return [];
  return [fieldError.invalid(FIELD, next.metadata.annotations?.[ANNOTATION] ?? '', approval.message)];
}
