// Annotations that Kubernetes holds as numbers in its internal types: an object with another value cannot be decoded.

import type { ApiObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { int64Fault } from '../base/go-integer.ts';

export interface NumberAnnotation {
  readonly name: string;
  /** An empty value is none, and faults name the annotation and its value. */
  readonly optional?: true;
}

/** Why such an annotation of an object cannot be decoded; undefined if it can, or is absent. */
export function annotationFault(
  { numberAnnotation }: { readonly numberAnnotation?: NumberAnnotation | undefined },
  { metadata }: Pick<ApiObject, 'metadata'>,
): string | undefined {
  if (numberAnnotation === undefined) return undefined;
  const { name, optional } = numberAnnotation;
  const text = ownMember(metadata.annotations, name);
  if (text === undefined || (optional && text === '')) return undefined;
  const fault = int64Fault(text);
  if (fault === undefined || !optional) return fault;
  return `failed to parse annotation[${name}]=${text} as int64: ${fault}`;
}
