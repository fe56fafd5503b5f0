// Types of custom objects, which must name their kind and version. An object of another kind or version is read all the
// same, and refused when its names and numbers have been checked.

import { errors, fieldError } from '../api/errors.ts';
import { apiVersionOf, canonicalApiVersion, parseApiVersion } from '../api/group-version.ts';
import { isObject } from '../api/is-object.ts';
import { numberFault } from '../api/json-reader.ts';
import { stringifyJson } from '../api/json-writer.ts';
import { withSortedMembers } from '../api/member-order.ts';
import { typeMetaOf, unreadableTypeMeta } from '../api/not-an-object.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { ObjectMeta } from '../resources/builtin/meta/v1.ts';
import { bodySchema } from '../resources/custom/body-schema.ts';
import { DecodeError, decodeObject } from '../schema/decode.ts';
import { nameIn, otherKind, otherVersion, unreadable, unrecognized } from './body-errors.ts';
import type { AdmittedObject, AdmittedType, ObjectTypes, PatchedObject, SentObject } from './object-types.ts';
import { checkVersion } from './resource-version.ts';
import { missingKind, nullVersion, unexpectedVersion } from './type-meta.ts';

export const unstructuredObjects: ObjectTypes = {
  *ofBody(sent) {
    const { definition, version, expected, body, value } = sent;
    const names = namesOf(value);
    const kind = names.kind === '' ? definition.kind : names.kind;
    if (parseApiVersion(names.apiVersion) === undefined) {
      throw unrecognized(definition.kind, unexpectedVersion(names.apiVersion), body.excerpt);
    }
    checkNamed(sent, names);
    const apiVersion = names.apiVersion === '' ? expected : names.apiVersion;
    const fault = body.untypedFault === undefined ? undefined : yield* body.untypedFault();
    if (fault !== undefined) throw unreadable({ kind, apiVersion, definition: { kind }, why: fault.message });
    const refusal = names.apiVersion === expected ? undefined : otherVersion(names.apiVersion, expected);
    // An object of another kind is decoded as that kind, and then refused.
    return { kind, apiVersion, schema: bodySchema(definition, version, names), asKind: { kind }, refusal };
  },
  *ofPatched({ request, patched, expected, unchecked, quoted, invalid }) {
    const { definition, version } = request;
    const unreadableNames = unreadableTypeMeta(patched) ?? missingKind(patched, quoted) ?? nullVersion(patched);
    if (unreadableNames !== undefined) throw invalid(unreadableNames);
    const fault = unchecked === undefined ? undefined : yield* numberFault(unchecked);
    if (fault !== undefined) throw invalid(fault.message);
    const named = { ...patched, kind: definition.kind, apiVersion: expected };
    return { named, schema: bodySchema(definition, version, namesAfterPatch(patched)) };
  },
  checkPatched,
  ofAdmitted: admittedType,
  readable: (object, isNew) => {
    const { metadata = {} } = object;
    if (isNew && !isObject(metadata)) throw errors.internal('system metadata was not initialized');
    return withReadableMetadata(object);
  },
  checksAdmitted: false,
};

function namesOf({ kind, apiVersion }: JsonObject): { kind: string; apiVersion: string } {
  const named = typeof apiVersion === 'string' ? canonicalApiVersion(apiVersion) : '';
  return { kind: typeof kind === 'string' ? kind : '', apiVersion: named };
}

/**
 * With fieldValidation=Ignore, kube-apiserver completes kind and apiVersion from the path before it checks them, and
 * quotes YAML as JSON.
 *
 * @throws ApiError 400 for an object without kind or apiVersion
 */
function checkNamed(
  { definition, expected, body, fieldValidation }: SentObject,
  names: { readonly kind: string; readonly apiVersion: string },
): void {
  const value = body.value as JsonObject;
  const isIgnored = fieldValidation === 'Ignore';
  const isJson = body.text?.trimStart().startsWith('{') === true;
  const noKind = missingKind(value, () => (isIgnored && !isJson ? undefined : body.text) ?? stringifyJson(value));
  if (noKind !== undefined) {
    throw isIgnored
      ? unreadable({ kind: definition.kind, apiVersion: names.apiVersion || expected, definition, why: noKind })
      : unrecognized(definition.kind, noKind, body.excerpt);
  }
  const noVersion = nullVersion(value);
  if (noVersion !== undefined) throw unreadable({ ...names, definition, why: noVersion });
}

/** Updates of a status keep both names. */
function checkPatched({ request, current, patched, expected }: PatchedObject, next: ApiObject): void {
  const { definition, subresource, name } = request;
  const { kind, apiVersion } = namesAfterPatch(patched);
  if (kind === definition.kind && apiVersion === expected) return;
  if (subresource === 'status' && apiVersion !== '') return;
  if (namesVersion(next)) checkVersion(request, next, current);
  if (apiVersion === '') throw errors.internal(MISSING_VERSION);
  throw errors.invalid({ group: parseApiVersion(apiVersion)?.group ?? '', kind, name }, [
    ...(kind === definition.kind ? [] : [fieldError.invalid('kind', kind, `must be ${definition.kind}`)]),
    ...(apiVersion === expected ? [] : [fieldError.invalid('apiVersion', apiVersion, `must be ${expected}`)]),
  ]);
}

const MISSING_VERSION = "Object 'apiVersion' is missing in 'object has no apiVersion field'";

function namesAfterPatch(patched: JsonObject): { kind: string; apiVersion: string } {
  return { kind: String(patched['kind']), apiVersion: String(patched['apiVersion'] ?? '') };
}

/** A patch that leaves the version unchanged, empty or 0 is unconditional. */
function namesVersion({ metadata: { resourceVersion = '' } }: ApiObject): boolean {
  return resourceVersion !== '' && resourceVersion !== '0';
}

/**
 * The object with its version, which may be another than that of the request.
 * @throws ApiError 500 without a kind or for a version that the resource does not have, 422 for another kind
 */
function admittedType({ request, version: asked, object }: AdmittedObject): AdmittedType {
  const { definition, subresource } = request;
  const { group, versions } = definition;
  const unreadableNames =
    unreadableTypeMeta(object) ?? missingKind(object, () => stringifyJson(withSortedMembers(object)));
  if (unreadableNames !== undefined) throw errors.internal(unreadableNames);
  const { kind, apiVersion } = typeMetaOf(object);
  const named = apiVersion === '' ? { group: '', version: '' } : parseApiVersion(apiVersion);
  if (named === undefined) throw errors.internal(unexpectedVersion(apiVersion));
  if (named.group !== group) {
    const found = `${named.group}/${named.version}, Kind=${kind}`;
    const target = goQuote(apiVersionOf({ group, version: asked.version }));
    throw errors.unexplained(`${found} is unstructured and is not suitable for converting to ${target}`);
  }
  const version = versions.find((each) => each.version === named.version);
  if (version === undefined) {
    throw errors.unexplained(`request to convert CR from an invalid group/version: ${apiVersion}`);
  }
  // Updates of a status keep the kind.
  if (kind !== definition.kind && subresource !== 'status') throw otherKind(definition, kind, nameIn(object));
  return { object, version };
}

/** An object without metadata of wrong types, which is ignored there. */
function withReadableMetadata(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata)) return { ...object, metadata: {} };
  if (isReadable(metadata)) return object;
  const { ownerReferences: owners } = metadata;
  const readable = Array.isArray(owners) && owners.every(isObject) ? owners.map(withReadableMembers) : owners;
  const kept = readable === undefined ? metadata : { ...metadata, ownerReferences: readable };
  return { ...object, metadata: Object.fromEntries(Object.entries(kept).filter(isReadableEntry)) as JsonObject };
}

/** An owner reference without members of wrong types. */
function withReadableMembers(reference: JsonObject): JsonObject {
  const members = Object.entries(reference);
  return Object.fromEntries(members.filter(([key, value]) => isReadable({ ownerReferences: [{ [key]: value }] })));
}

function isReadableEntry([key, value]: [string, Json | undefined]): boolean {
  return value === undefined || isReadable({ [key]: value });
}

function isReadable(metadata: JsonObject): boolean {
  try {
    decodeObject(ObjectMeta, metadata);
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}
