// An object in the versions of its managedFields entries: typed by their schemas, converted through the storage
// version.

import { apiVersionOf, parseApiVersion } from '../api/group-version.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { typeFaults } from '../apply/type-faults.ts';
import { type Convert, type TypedObject, UnknownVersionError, VersionError } from '../apply/typed-object.ts';
import { valueTypeOf } from '../apply/value-type.ts';
import type { Conversion, ResourceDefinition, ServedVersion } from '../resources/definition.ts';
import { DecodeError, decodeObject } from '../schema/decode.ts';
import type { StructNode } from '../schema/node.ts';

/** A stored object in a version; shared with the argument if nothing needs converting. */
export function typedObject(definition: ResourceDefinition, version: ServedVersion, object: ApiObject): TypedObject {
  const value = version.conversion === undefined ? object : version.conversion.fromStorage(copyJson(object));
  return typed(definition, version, value);
}

export function typed(
  definition: ResourceDefinition,
  version: Pick<ServedVersion, 'version' | 'schema'>,
  value: JsonObject,
): TypedObject {
  const apiVersion = apiVersionOf({ group: definition.group, version: version.version });
  return { apiVersion, type: valueTypeOf(version.schema), value };
}

/** The same instance each time, because results are cached by it. */
const NOTHING: JsonObject = Object.freeze({});

/** Empty objects by type: only a cache. */
const empties = new WeakMap<StructNode, JsonObject>();

/** An object without any field, as a create starts from. */
export function emptyObject(definition: ResourceDefinition, version: ServedVersion): TypedObject {
  const type = definition.codec.typeOf(version.schema);
  if (type === undefined) return typed(definition, version, NOTHING);
  let empty = empties.get(type);
  if (empty === undefined) {
    empty = decodeObject(type, {}).value;
    empties.set(type, empty);
  }
  return typed(definition, version, empty);
}

interface KnownVersion {
  readonly schema: StructNode;
  readonly conversion: Conversion | undefined;
}

/**
 * Conversion between the versions of a resource. Versions that a built-in resource no longer has are unknown, also those
 * of the other group that has it (events); those of a custom resource are errors.
 */
export function conversionOf(definition: ResourceDefinition): Convert {
  return (object, apiVersion) => {
    const from = versionNamed(definition, object.apiVersion);
    const isOwn = parseApiVersion(apiVersion)?.group === definition.group;
    const to = isOwn ? versionNamed(definition, apiVersion) : undefined;
    if (from === undefined || to === undefined) {
      if (parseApiVersion(apiVersion) === undefined) {
        throw new VersionError(`unexpected GroupVersion string: ${apiVersion}`);
      }
      if (!definition.custom) return undefined;
      throw new UnknownVersionError(apiVersion);
    }
    const type = valueTypeOf(to.schema);
    const value = converted(object.value, from, to);
    if (from.schema !== to.schema) {
      const faults = typeFaults(type, value, { allowDuplicates: true });
      if (faults !== undefined) throw new VersionError(faults);
    }
    return { apiVersion, type, value };
  };
}

/** A converted value as an object of a version. @throws VersionError for an invalid one */
export function typedIn(definition: ResourceDefinition, apiVersion: string, value: JsonObject): TypedObject {
  const version = versionNamed(definition, apiVersion);
  if (version === undefined) throw new UnknownVersionError(apiVersion);
  const type = valueTypeOf(version.schema);
  const faults = typeFaults(type, value, { allowDuplicates: true });
  if (faults !== undefined) throw new VersionError(faults);
  return { apiVersion, type, value };
}

function versionNamed(definition: ResourceDefinition, apiVersion: string): KnownVersion | undefined {
  const { storage } = definition;
  const declared = declaredVersion(definition, apiVersion);
  if (declared !== undefined) return declared;
  return apiVersionOf(storage) === apiVersion ? { schema: storage.schema, conversion: undefined } : undefined;
}

/** A version of a resource, served or not. */
export function declaredVersion(
  { group, versions, unserved }: ResourceDefinition,
  apiVersion: string,
): ServedVersion | undefined {
  const isNamed = ({ version }: ServedVersion) => apiVersionOf({ group, version }) === apiVersion;
  return versions.find(isNamed) ?? unserved?.find(isNamed);
}

function converted(value: JsonObject, from: KnownVersion, to: KnownVersion): JsonObject {
  if (from.conversion === to.conversion) return value;
  const object = canonical(value, from.schema);
  const stored = from.conversion?.toStorage(object) ?? object;
  return to.conversion?.fromStorage(stored) ?? stored;
}

/** Conversions expect values as decoded. */
function canonical(value: JsonObject, schema: StructNode): ApiObject {
  try {
    return decodeObject(schema, copyJson(value), { owned: true }).value as ApiObject;
  } catch (error) {
    if (error instanceof DecodeError) throw new VersionError(error.message);
    throw error;
  }
}
