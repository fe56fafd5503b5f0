// A definition of custom resources, read: its versions, and what they have in common. Where all versions say the same
// of something, faults in it are told of the whole definition and not of each version.

import { equalJson } from '../../api/json-equal.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { isObject, listAt } from '../value.ts';

export interface DefinitionVersion extends JsonObject {
  name: string;
  served: boolean;
  storage: boolean;
}

/** What each version says for itself. */
export type VersionPart = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';

export function versionsOf(definition: JsonObject): DefinitionVersion[] {
  return listAt(definition, 'spec', 'versions') as unknown as DefinitionVersion[];
}

/** The version that objects are stored in; undefined while none is. */
export function storageVersionOf(definition: JsonObject): DefinitionVersion | undefined {
  return versionsOf(definition).find(({ storage }) => storage);
}

const PARTS: readonly VersionPart[] = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'];

/** The parts of which all versions say the same. */
export function sharedParts(versions: readonly DefinitionVersion[]): ReadonlySet<VersionPart> {
  const [first] = versions;
  return new Set(PARTS.filter((part) => versions.every((version) => equalJson(version[part], first?.[part]))));
}

/** The schema of a version as it stands in the definition. */
export function schemaOf(version: DefinitionVersion | undefined): JsonObject | undefined {
  const schema = version?.['schema'];
  const declared = isObject(schema) ? schema['openAPIV3Schema'] : undefined;
  return isObject(declared) ? declared : undefined;
}

export function hasStatus({ subresources }: DefinitionVersion): boolean {
  return isObject(subresources) && isObject(subresources['status']);
}

/** The paths of a version's scale; undefined where it has none. */
export function scaleOf({ subresources }: DefinitionVersion): JsonObject | undefined {
  const scale = isObject(subresources) ? subresources['scale'] : undefined;
  return isObject(scale) ? scale : undefined;
}

/** Objects listed in a version's part. */
export function itemsOf(version: DefinitionVersion, part: VersionPart): JsonObject[] {
  return listAt(version[part] as Json).filter(isObject);
}
