// The labels by which stored custom objects are selected. Another server may have stored anything, of which reading an
// object drops what is malformed, so that selectors must not see it either.

import type { JsonObject, ObjectMeta } from '../api/object.ts';
import { ObjectMeta as ObjectMetaType } from '../resources/builtin/meta/v1.ts';
import { validMetadata } from '../schema/structural/stored-metadata.ts';

/** The labels of a custom object as it is read. */
export function validLabels(labels: ObjectMeta['labels']): ObjectMeta['labels'] {
  if (labels === undefined || arePlain(labels)) return labels;
  return validMetadata({ labels }, ObjectMetaType)['labels'] as ObjectMeta['labels'];
}

function arePlain(labels: unknown): boolean {
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return false;
  for (const name in labels) if (typeof (labels as JsonObject)[name] !== 'string') return false;
  return true;
}
