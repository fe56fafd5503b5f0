// Objects in other versions than the storage version, for resources that convert them locally.

import { apiVersionOf, type GroupVersion } from '../api/group-version.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject } from '../api/object.ts';
import type { ResourceDefinition, ServedVersion } from './definition.ts';

/** An object of the storage version in another version. Does not modify its argument. */
export function inVersion(definition: ResourceDefinition, version: string, object: ApiObject): ApiObject {
  return inGroupVersion(definition, { group: definition.group, version }, object);
}

/** Like inVersion, also for a group with the same objects. */
export function inGroupVersion(definition: ResourceDefinition, wanted: GroupVersion, object: ApiObject): ApiObject {
  const conversion = versionIn(definition, wanted)?.conversion;
  const converted = conversion === undefined ? object : conversion.fromStorage(copyJson(object));
  return { ...converted, kind: definition.kind, apiVersion: apiVersionOf(wanted) };
}

/** A version of the resource, in its own group or in another with the same objects. */
export function versionIn(
  { group: own, versions, alsoIn = [] }: ResourceDefinition,
  { group, version }: GroupVersion,
): ServedVersion | undefined {
  if (group === own) return versions.find((each) => each.version === version);
  return alsoIn.find((each) => each.group === group && each.version === version);
}
