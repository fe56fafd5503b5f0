// Objects in other versions of their resource than the stored one, where the resource converts them itself.

import { apiVersionOf } from '../api/group-version.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject } from '../api/object.ts';
import type { ResourceDefinition } from './definition.ts';

/** An object in its storage version as another version shows it. Leaves its argument as it is. */
export function inVersion(
  { group, kind, versions }: ResourceDefinition,
  version: string,
  object: ApiObject,
): ApiObject {
  const conversion = versions.find((each) => each.version === version)?.conversion;
  const converted = conversion === undefined ? object : conversion.fromStorage(copyJson(object));
  return { ...converted, kind, apiVersion: apiVersionOf({ group, version }) };
}
