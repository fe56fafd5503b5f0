// Annotations that Kubernetes holds as numbers in its internal types: an object with another value cannot be decoded.

import type { ApiObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { int64Fault } from '../base/go-integer.ts';
import type { ResourceDefinition } from './definition.ts';

/** Why such an annotation of an object cannot be decoded; undefined if it can, or is absent. */
export function annotationFault(
  { numberAnnotation }: Pick<ResourceDefinition, 'numberAnnotation'>,
  { metadata }: Pick<ApiObject, 'metadata'>,
): string | undefined {
  if (numberAnnotation === undefined) return undefined;
  const text = ownMember(metadata.annotations, numberAnnotation);
  return text === undefined ? undefined : int64Fault(text);
}
