// Which requests a plugin is about, and how it refuses one.

import { type ApiError, errors } from '../api/errors.ts';
import type { AdmissionRequest } from './chain.ts';
import type { ResourceName } from './object-lookup.ts';

/** Whether the request is about a resource itself, none of its subresources. */
export function concerns({ request }: AdmissionRequest, { group, resource }: ResourceName): boolean {
  const { definition, subresource } = request;
  return definition.resource === resource && definition.group === group && subresource === '';
}

/** 403 for the object of the request, named by what is known of its name so far. */
export function refusal({ request, object }: AdmissionRequest, why: string): ApiError {
  const { group, resource } = request.definition;
  const name = request.name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
  return errors.forbidden({ group, resource, name }, why);
}
