// Request matching and rejections for built-in admission plugins.

import { type ApiError, errors } from '../api/errors.ts';
import { pathSegmentFaults } from '../api/names.ts';
import type { ApiObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { textAt } from '../resources/value.ts';
import type { AdmissionRequest } from './chain.ts';
import type { ResourceName } from './object-lookup.ts';
import { isOf, PODS } from './resources.ts';

/** Whether the request is for a resource itself and not for a subresource. */
export function concerns({ request }: AdmissionRequest, resource: ResourceName): boolean {
  const { definition, subresource } = request;
  return subresource === '' && isOf(resource, definition);
}

/** Whether a pod that is bound to a node is updated in its content: itself ('') or through one of the subresources. */
export function isPodUpdate(
  { request, operation, object, previous }: AdmissionRequest,
  via: readonly string[],
): boolean {
  const { definition, subresource } = request;
  if (operation !== 'update' || !isOf(PODS, definition)) return false;
  if (!via.includes(subresource) || textAt(object, 'spec', 'nodeName') === '') return false;
  return object?.metadata.generation !== previous?.metadata.generation;
}

/** Why no object can have this name, as reported by a lookup; undefined if it is valid. */
export function impossibleName(name: string): string | undefined {
  if (name === '') return 'resource name may not be empty';
  const faults = pathSegmentFaults(name);
  return faults.length === 0 ? undefined : `invalid resource name ${goQuote(name)}: [${faults.join(' ')}]`;
}

/** What is known of an object before it has a name. */
export function askedName(name: string, object: ApiObject | undefined): string {
  return name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
}

/** 403 for the object of the request, with what is known of its name. */
export function refusal({ request, object }: AdmissionRequest, why: string): ApiError {
  const { group, resource } = request.definition;
  return errors.forbidden({ group, resource, name: askedName(request.name, object) }, why);
}
