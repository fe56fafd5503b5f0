// The metadata of objects that are yet to be made, as a template has it: labels and annotations, and nothing else.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { validateAnnotations, validateLabels } from '../../api/metadata-validation.ts';
import type { ObjectMeta } from '../../api/object.ts';

/** Members that cannot be set, and what paths call them. */
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

/** @param field where the metadata stands: `spec.metadata` */
export function validateTemplateMetadata(metadata: ObjectMeta | null | undefined, field: string): FieldError[] {
  if (metadata === undefined || metadata === null) return [];
  const { labels, annotations } = metadata;
  const found = [
    ...validateAnnotations(annotations, `${field}.annotations`),
    ...validateLabels(labels, `${field}.labels`),
  ];
  for (const [member, name] of FORBIDDEN) {
    const value = metadata[member];
    // What says nothing in Go's own type is not there.
    if (value === undefined || value === null || value === '' || (value === 0 && member === 'generation')) continue;
    found.push(fieldError.forbidden(`${field}.${name}`, 'cannot be set'));
  }
  return found;
}
