// Matching of requests by built-in admission plugins, and their refusals.

import { type ApiError, errors } from '../api/errors.ts';
import { pathSegmentFaults } from '../api/names.ts';
import type { ApiObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import type { AdmissionRequest } from './chain.ts';
import type { ResourceName } from './object-lookup.ts';

/** Whether the request is about a resource itself, none of its subresources. */
export function concerns({ request }: AdmissionRequest, { group, resource }: ResourceName): boolean {
  const { definition, subresource } = request;
  return definition.resource === resource && definition.group === group && subresource === '';
}

/** Why no object can have this name, in the words of who looks one up; undefined where one can. */
export function impossibleName(name: string): string | undefined {
  if (name === '') return 'resource name may not be empty';
  const faults = pathSegmentFaults(name);
  return faults.length === 0 ? undefined : `invalid resource name ${goQuote(name)}: [${faults.join(' ')}]`;
}

/** What is known of an object's name before it has one. */
export function askedName(name: string, object: ApiObject | undefined): string {
  return name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
}

/** 403 for the object of the request, named by what is known of its name so far. */
export function refusal({ request, object }: AdmissionRequest, why: string): ApiError {
  const { group, resource } = request.definition;
  return errors.forbidden({ group, resource, name: askedName(request.name, object) }, why);
}
