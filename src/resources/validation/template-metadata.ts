// Validation of metadata in templates, which only has labels and annotations.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { validateAnnotations, validateLabels } from '../../api/metadata-validation.ts';
import type { ObjectMeta } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';

/** Fields that cannot be set, and their names in paths. */
const FORBIDDEN: readonly (readonly [member: string, field: string])[] = [
  ['name', 'name'],
  ['generateName', 'generateName'],
  ['namespace', 'namespace'],
  ['selfLink', 'selfLink'],
  ['uid', 'uID'],
  ['resourceVersion', 'resourceVersion'],
  ['generation', 'generation'],
  ['creationTimestamp', 'creationTimestamp'],
  ['deletionTimestamp', 'deletionTimestamp'],
  ['deletionGracePeriodSeconds', 'deletionGracePeriodSeconds'],
  ['ownerReferences', 'ownerReferences'],
  ['finalizers', 'finalizers'],
  ['managedFields', 'managedFields'],
];

/** @param field path of the metadata: `spec.metadata` */
export function validateTemplateMetadata(metadata: ObjectMeta | null | undefined, field: string): FieldError[] {
  if (metadata === undefined || metadata === null) return [];
  const { labels, annotations } = metadata;
  const found = [
    ...validateAnnotations(annotations, `${field}.annotations`),
    ...validateLabels(labels, `${field}.labels`),
  ];
  for (const [member, name] of FORBIDDEN) {
    const value = ownMember(metadata, member);
    // Zero values of Go's type count as absent.
    if (value === undefined || value === null || value === '' || (value === 0 && member === 'generation')) continue;
    found.push(fieldError.forbidden(`${field}.${name}`, 'cannot be set'));
  }
  return found;
}
