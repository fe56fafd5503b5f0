// Types of objects of built-in kinds: a body of another kind or version is decoded by its own type first, so that its
// errors are those of kube-apiserver.

import { errors } from '../api/errors.ts';
import { apiVersionOf, canonicalApiVersion, parseApiVersion } from '../api/group-version.ts';
import { stringifyJson } from '../api/json-writer.ts';
import { withSortedMembers } from '../api/member-order.ts';
import { typeMetaOf, unreadableTypeMeta } from '../api/not-an-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { inScheme } from '../api/unregistered-kind.ts';
import { inOneStep } from '../base/steps.ts';
import { registeredPackage } from '../resources/builtin/registered-kinds.ts';
import { findBuiltinType } from '../resources/builtin/types.ts';
import { DecodeError, decodeObject } from '../schema/decode.ts';
import { otherType, otherVersion, unreadable, unrecognized } from './body-errors.ts';
import { checkName } from './object-metadata.ts';
import type {
  AdmittedObject,
  AdmittedType,
  BodyType,
  ObjectTypes,
  PatchedObject,
  PatchedType,
  SentObject,
} from './object-types.ts';
import { missingKind, unexpectedVersion } from './type-meta.ts';

export const typedObjects: ObjectTypes = {
  ofBody: (sent) => inOneStep(bodyType(sent)),
  ofPatched: (patched) => inOneStep(patchedType(patched)),
  checkPatched: () => {},
  ofAdmitted: admittedType,
  readable: (object) => object,
  checksAdmitted: true,
};

/** The type that a body names, or that of the path. @throws ApiError 400 for a kind without a type */
function bodyType(sent: SentObject): BodyType {
  const { definition, version, expected, value } = sent;
  const names = typeMetaOf(value);
  const kind = names.kind === '' ? definition.kind : names.kind;
  const apiVersion = versionOfBody(sent, kind, names.apiVersion);
  const named = parseApiVersion(apiVersion);
  const own = { kind, apiVersion, asKind: definition };
  if ((apiVersion === expected && kind === definition.kind) || named === undefined) {
    return { ...own, schema: version.schema };
  }
  const isRegistered = registeredPackage(definition.group, { kind, apiVersion }, definition.minor) !== undefined;
  const isForeign = kind !== definition.kind || !isRegistered;
  const refusal = isForeign
    ? unreadable({ kind, apiVersion, definition, why: otherType(definition, { kind, apiVersion }) })
    : otherVersion(apiVersion, expected);
  const schema = isRegistered ? findBuiltinType(named.group, named.version, kind, definition.minor) : undefined;
  if (schema === undefined) throw refusal;
  return { ...own, schema, refusal, isForeign };
}

/**
 * The apiVersion of a body; that of the path also if the body only has the group (`apps/`).
 * @throws ApiError 400 for an apiVersion that is malformed, or without a version for another group's body
 */
function versionOfBody({ definition, expected, body }: SentObject, kind: string, apiVersion: string): string {
  const named = parseApiVersion(apiVersion);
  if (named === undefined) throw unrecognized(definition.kind, unexpectedVersion(apiVersion), body.excerpt);
  if (named.version !== '') return apiVersion;
  if (named.group === '' || named.group === definition.group) return expected;
  const why = `Object 'apiVersion' is missing in '${body.text ?? stringifyJson(body.value as Json)}'`;
  throw unreadable({ kind, apiVersion, definition, why });
}

/** The type of the path, which a patched object must name or leave out. @throws ApiError 400 and 422 */
function patchedType(patched: PatchedObject): PatchedType {
  const { request, patched: object, expected, isStrategic } = patched;
  const { definition, version } = request;
  const own = { kind: definition.kind, apiVersion: expected };
  if (isStrategic) return { named: { ...object, ...own }, schema: version.schema };
  checkNames(patched);
  const named: JsonObject = { ...own, ...withoutEmptyNames(object) };
  const apiVersion = canonicalApiVersion(String(named['apiVersion']));
  named['apiVersion'] = apiVersion;
  if (named['kind'] !== definition.kind || apiVersion !== expected) {
    throw patched.invalid(mismatch(patched, { kind: String(named['kind']), apiVersion }));
  }
  return { named, schema: version.schema };
}

/** Why a patched object that names another type cannot be decoded. */
function mismatch(
  { request: { definition }, quoted }: PatchedObject,
  names: { kind: string; apiVersion: string },
): string {
  const named = parseApiVersion(names.apiVersion);
  if (named === undefined) return unexpectedVersion(names.apiVersion);
  if (named.version === '' && named.group !== definition.group)
    return `Object 'apiVersion' is missing in '${quoted()}'`;
  return otherType(definition, names);
}

/**
 * Kind and apiVersion after a patch. An object without a version is decoded as Kubernetes' internal version of the
 * kind, to which all fields by their served names are unknown, including the name.
 *
 * @throws ApiError 400 without a version, 422 for values that are not strings or not a kind
 */
function checkNames({ request, patched, invalid, tellUnknown }: PatchedObject): void {
  const { group, kind, scale, minor } = request.definition;
  const unreadableNames = unreadableTypeMeta(patched);
  if (unreadableNames !== undefined) throw invalid(unreadableNames);
  // The Scale of custom resources has a single version, which is the default.
  if (canonicalApiVersion(String(patched['apiVersion'] ?? '')) !== '' || scale !== undefined) return;
  const given = patched['kind'] ?? '';
  if (given !== '' && given !== kind) {
    const [what, where] = [given, group].map((text) => JSON.stringify(text));
    const why = `no kind ${what} is registered for the internal version of group ${where}`;
    throw invalid(`${why} ${inScheme(minor)}`);
  }
  const members = Object.keys(patched).filter((name) => name !== 'apiVersion' && name !== 'kind');
  tellUnknown(members.sort().map((name) => `unknown field ${JSON.stringify(name)}`));
  checkName(request, { metadata: {} });
}

function withoutEmptyNames(object: JsonObject): JsonObject {
  const { kind, apiVersion, ...rest } = object;
  return { ...(kind ? { kind } : {}), ...(apiVersion ? { apiVersion } : {}), ...rest };
}

/**
 * The object with the kind and version of the request, which it may omit.
 * @throws ApiError 500 for an object of another kind or version
 */
function admittedType({ request, version, object, isCustomScale }: AdmittedObject): AdmittedType {
  const { definition } = request;
  const { group, kind } = definition;
  const apiVersion = apiVersionOf({ group, version: version.version });
  const noKind = isCustomScale ? missingKind(object, () => stringifyJson(withSortedMembers(object))) : undefined;
  if (noKind !== undefined) throw errors.internal(noKind);
  if (object['kind'] === kind && object['apiVersion'] === apiVersion) return { object, version };
  const unreadableNames = unreadableTypeMeta(object);
  if (unreadableNames !== undefined) throw errors.internal(unreadableNames);
  const names = { kind: String(object['kind'] || kind), apiVersion: String(object['apiVersion'] || apiVersion) };
  const typed = { ...object, ...names };
  if (names.kind === kind && names.apiVersion === apiVersion) return { object: typed, version };
  const named = parseApiVersion(names.apiVersion);
  if (named === undefined) throw errors.internal(unexpectedVersion(names.apiVersion));
  // An object of another kind is first read as such.
  const other = findBuiltinType(named.group, named.version, names.kind, definition.minor);
  if (other !== undefined) checkDecodes(() => decodeObject(other, typed));
  const why = otherType(definition, names);
  throw why.startsWith('no kind ') && !isCustomScale ? errors.internal(why) : errors.unexplained(why);
}

/** @throws ApiError 500 for a value of a wrong type */
function checkDecodes(decode: () => void): void {
  try {
    decode();
  } catch (error) {
    throw error instanceof DecodeError ? errors.internal(error.message) : error;
  }
}
