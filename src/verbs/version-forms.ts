// Objects between the versions of a resource: from the version of a request to the storage version, with defaults, and
// back.

import { apiVersionOf } from '../api/group-version.ts';
import { equalJson } from '../api/json-equal.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { part } from '../base/resumed.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import type { Conversion, ResourceDefinition, ServedVersion, StrategyContext } from '../resources/definition.ts';
import { decodeObject, decodingObject, type EmptyMember } from '../schema/decode.ts';
import { computing } from './computed.ts';
import { filled } from './empty-members.ts';
import type { Write } from './write.ts';

/** Like storageForm, in slices for a long object. */
export function* storing(write: Write, object: ApiObject): Steps<ApiObject> {
  const convert = () => storageForm(write, object);
  return write.turn === undefined ? convert() : yield* computing(convert);
}

/** Converts what a write decoded in the path's version, like `toStorage`. Modifies its argument. */
export function storageForm(write: Write, object: ApiObject, version = write.request.version): ApiObject {
  const { request, empties, leftovers } = write;
  const leaves = (member: string, given: Json) => leftovers.leavesDefaults({ member, given });
  return toStorage({ definition: request.definition, version, empties, leaves }, object, write.strategyContext());
}

interface DecodedIn {
  readonly definition: ResourceDefinition;
  readonly version: ServedVersion;
  readonly empties?: readonly EmptyMember[];
  /** Called if a version leaves defaults to the readers of the object. */
  readonly leaves?: (member: string, given: Json) => void;
}

/**
 * Converts a decoded object from a served version to the storage version and applies defaults. Modifies its argument.
 */
export function toStorage(
  { definition, version, empties = [], leaves }: DecodedIn,
  object: ApiObject,
  context: StrategyContext,
): ApiObject {
  const stored =
    version.conversion === undefined
      ? object
      : // Some fields are omitted when empty in one version and required in another.
        convertedBy(version.conversion, definition, object);
  stored.kind = definition.storage.kind;
  stored.apiVersion = apiVersionOf(definition.storage);
  const left = version.conversion?.leavesDefaultsIn;
  const before = left === undefined ? null : part(() => copyJson(memberOfSpec(stored, left)));
  const { defaults } = definition.strategy;
  const whole = defaults === undefined ? stored : filled(stored, empties, (given) => defaults(given, context));
  if (left !== undefined && !equalJson(before, memberOfSpec(whole, left))) leaves?.(left, before);
  return whole;
}

function convertedBy(conversion: Conversion, { storage }: ResourceDefinition, object: ApiObject): ApiObject {
  return part(() => decodeObject(storage.schema, conversion.toStorage(object)).value as ApiObject);
}

function memberOfSpec({ spec }: ApiObject, name: string): Json {
  return ownMember(spec as JsonObject | undefined, name) ?? null;
}

/** Converts an object from the storage version to a served one. Modifies its argument. */
export function fromStorage(definition: ResourceDefinition, version: ServedVersion, object: ApiObject): ApiObject {
  return atOnce(servingStored(definition, version, object));
}

/** Like fromStorage, in slices for a long object. */
export function* servingStored(
  definition: ResourceDefinition,
  version: ServedVersion,
  object: ApiObject,
): Steps<ApiObject> {
  const served =
    version.conversion === undefined
      ? object
      : // Some fields are required in one version and omitted when empty in another.
        ((yield* decodingObject(version.schema, version.conversion.fromStorage(object))).value as ApiObject);
  served.kind = definition.kind;
  served.apiVersion = apiVersionOf({ group: definition.group, version: version.version });
  return served;
}

/**
 * An object of the storage version that the server's own parts have made, as if a client had sent it: numbers that are 0
 * and empty lists are absent where Kubernetes leaves them out. Parts of it are reused.
 */
export function asDecoded({ codec, storage }: ResourceDefinition, object: ApiObject): ApiObject {
  const type = codec.typeOf(storage.schema);
  return type === undefined ? object : (decodeObject(type, object, { owned: true }).value as ApiObject);
}
