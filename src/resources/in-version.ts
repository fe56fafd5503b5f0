// Objects in other versions of their resource than the stored one, where the resource converts them itself.

import { apiVersionOf, type GroupVersion } from '../api/group-version.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject } from '../api/object.ts';
import type { ResourceDefinition, ServedVersion } from './definition.ts';

/** An object in its storage version as another version shows it. Leaves its argument as it is. */
export function inVersion(definition: ResourceDefinition, version: string, object: ApiObject): ApiObject {
  return inGroupVersion(definition, { group: definition.group, version }, object);
}

/** As inVersion, also in a group that has the same objects. */
export function inGroupVersion(definition: ResourceDefinition, wanted: GroupVersion, object: ApiObject): ApiObject {
  const conversion = versionIn(definition, wanted)?.conversion;
  const converted = conversion === undefined ? object : conversion.fromStorage(copyJson(object));
  return { ...converted, kind: definition.kind, apiVersion: apiVersionOf(wanted) };
}

/** A version of the resource, in its own group or in another one that has the same objects. */
export function versionIn(
  { group: own, versions, alsoIn = [] }: ResourceDefinition,
  { group, version }: GroupVersion,
): ServedVersion | undefined {
  if (group === own) return versions.find((each) => each.version === version);
  return alsoIn.find((each) => each.group === group && each.version === version);
}
