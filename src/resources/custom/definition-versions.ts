// Reader of a CustomResourceDefinition: its versions, and their common settings. Errors in settings that are equal in
// all versions are reported once for the whole definition.

import { isObject } from '../../api/is-object.ts';
import { equalJson } from '../../api/json-equal.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { listAt } from '../value.ts';

export interface DefinitionVersion extends JsonObject {
  name: string;
  served: boolean;
  storage: boolean;
}

/** The settings of each version. */
export type VersionPart = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';

export function versionsOf(definition: JsonObject): DefinitionVersion[] {
  return listAt(definition, 'spec', 'versions') as unknown as DefinitionVersion[];
}

/** The storage version; undefined if there is none. */
export function storageVersionOf(definition: JsonObject): DefinitionVersion | undefined {
  return versionsOf(definition).find(({ storage }) => storage);
}

const PARTS: readonly VersionPart[] = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'];

/** The settings that are equal in all versions. */
export function sharedParts(versions: readonly DefinitionVersion[]): ReadonlySet<VersionPart> {
  const [first] = versions;
  return new Set(PARTS.filter((part) => versions.every((version) => equalJson(version[part], first?.[part]))));
}

/** The schema of a version as in the definition. */
export function schemaOf(version: DefinitionVersion | undefined): JsonObject | undefined {
  const schema = version?.['schema'];
  const declared = isObject(schema) ? schema['openAPIV3Schema'] : undefined;
  return isObject(declared) ? declared : undefined;
}

export function hasStatus({ subresources }: DefinitionVersion): boolean {
  return isObject(subresources) && isObject(subresources['status']);
}

/** The paths of a version's scale; undefined if it has none. */
export function scaleOf({ subresources }: DefinitionVersion): JsonObject | undefined {
  const scale = isObject(subresources) ? subresources['scale'] : undefined;
  return isObject(scale) ? scale : undefined;
}

/** Objects in a list of a version. */
export function itemsOf(version: DefinitionVersion, part: VersionPart): JsonObject[] {
  return listAt(version[part] as Json).filter(isObject);
}
