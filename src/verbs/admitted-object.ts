// The object returned by a mutating webhook or policy, on its way into the store: decoded by the schema of its version,
// converted to the storage version, and defaulted like a request body.

import type { AdmissionRequest, ReplaceOptions } from '../admission/chain.ts';
import { errors } from '../api/errors.ts';
import { apiVersionOf, parseApiVersion } from '../api/group-version.ts';
import { setMember } from '../api/json-decoder.ts';
import { stringifyJson } from '../api/json-writer.ts';
import { withSortedMembers } from '../api/member-order.ts';
import { typeMetaOf, unreadableTypeMeta } from '../api/not-an-object.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { restoreMessage } from '../patch/restore-fault.ts';
import { ObjectMeta } from '../resources/builtin/meta/v1.ts';
import { findBuiltinType } from '../resources/builtin/types.ts';
import type { ResourceDefinition, ServedVersion } from '../resources/definition.ts';
import { isObject } from '../resources/value.ts';
import { DecodeError, type DecodeOptions, decodeObject } from '../schema/decode.ts';
import type { StructNode } from '../schema/node.ts';
import { nameIn, otherKind, otherType, storageForm } from './decode-body.ts';
import type { ResourceRequest } from './resource-request.ts';
import { missingKind } from './type-meta.ts';
import type { Write } from './write.ts';

interface Replacing {
  /** Restores what must not change. @throws ApiError */
  readonly settle?: () => void;
  /** Whether the object is being created. */
  readonly isNew?: boolean;
  /** Whether it is the Scale of a custom resource, whose values of wrong types have other messages. */
  readonly isUnstructured?: boolean;
}

/**
 * Replaces an object's fields whenever admission returns a changed object.
 * @param object keeps its identity
 */
export function replacing(
  write: Write,
  object: ApiObject,
  { settle, isNew = false, isUnstructured = false }: Replacing = {},
): NonNullable<AdmissionRequest['replace']> {
  const { request } = write;
  const put = (replacement: JsonObject, version: ServedVersion, { strict = false }: ReplaceOptions = {}) => {
    const { custom } = request.definition;
    const isStrict = strict && !custom;
    const reading = { gateEnabled: write.gateEnabled, ...write.decodesAnew(), isStrict, restores: isUnstructured };
    const { metadata = {} } = replacement;
    if (custom && isNew && !isObject(metadata)) throw errors.internal('system metadata was not initialized');
    const readable = custom ? withReadableMetadata(replacement) : replacement;
    const next = storageForm(write, decode(version.schema, readable, reading), version);
    next.metadata ??= {};
    for (const member of Object.keys(object)) delete object[member];
    for (const member of Object.keys(next)) setMember(object, member, next[member] as Json);
    settle?.();
  };
  return (replacement, version, options) => {
    const { definition } = request;
    const { versions, storage, storedForm } = definition;
    const asked = versions.find((each) => each.version === version) ?? request.version;
    if (isUnstructured) checkKind(replacement);
    const typed = definition.custom ? replacement : withType({ request, version: asked, isUnstructured }, replacement);
    // Updates of a status keep the kind.
    const keepsKind = request.subresource === 'status';
    const served = definition.custom ? customVersion({ definition, asked, keepsKind }, replacement) : asked;
    const conversion = storedForm?.conversion;
    if (conversion === undefined || served.version === storage.version) return put(typed, served, options);
    return conversion.convert(typed, apiVersionOf(storage)).then((own) => put(own, request.version));
  };
}

interface Expected {
  readonly request: ResourceRequest;
  readonly version: ServedVersion;
  readonly isUnstructured: boolean;
}

/**
 * The object with the kind and version of the request, which it may omit.
 * @throws ApiError 500 for an object of another kind or version
 */
function withType({ request, version: { version }, isUnstructured }: Expected, replacement: JsonObject): JsonObject {
  const { definition } = request;
  const { group, kind } = definition;
  const apiVersion = apiVersionOf({ group, version });
  if (replacement['kind'] === kind && replacement['apiVersion'] === apiVersion) return replacement;
  const unreadable = unreadableTypeMeta(replacement);
  if (unreadable !== undefined) throw errors.internal(unreadable);
  const typed = {
    ...replacement,
    kind: replacement['kind'] || kind,
    apiVersion: replacement['apiVersion'] || apiVersion,
  };
  if (typed.kind === kind && typed.apiVersion === apiVersion) return typed;
  const named = parseApiVersion(String(typed.apiVersion));
  if (named === undefined) throw errors.internal(unexpectedVersion(String(typed.apiVersion)));
  // An object of another kind is first read as such.
  const other = findBuiltinType(named.group, named.version, String(typed.kind), definition.minor);
  if (other !== undefined) decode(other, typed, { isStrict: false });
  const why = otherType(definition, { kind: String(typed.kind), apiVersion: String(typed.apiVersion) });
  throw why.startsWith('no kind ') && !isUnstructured ? errors.internal(why) : errors.unexplained(why);
}

/** @throws ApiError 500 without a kind */
function checkKind(replacement: JsonObject): void {
  const unreadable = missingKind(replacement, () => stringifyJson(withSortedMembers(replacement)));
  if (unreadable !== undefined) throw errors.internal(unreadable);
}

interface ExpectedCustom {
  readonly definition: ResourceDefinition;
  readonly asked: ServedVersion;
  /** Whether the kind does not matter, because it is restored. */
  readonly keepsKind: boolean;
}

/**
 * The version of a custom resource, which may be another than that of the request.
 * @throws ApiError 500 without a kind or for a version that the resource does not have, 422 for another kind
 */
function customVersion({ definition, asked, keepsKind }: ExpectedCustom, replacement: JsonObject): ServedVersion {
  const { group, versions } = definition;
  const unreadable = unreadableTypeMeta(replacement);
  if (unreadable !== undefined) throw errors.internal(unreadable);
  checkKind(replacement);
  const { kind, apiVersion } = typeMetaOf(replacement);
  const named = apiVersion === '' ? { group: '', version: '' } : parseApiVersion(apiVersion);
  if (named === undefined) throw errors.internal(unexpectedVersion(apiVersion));
  if (named.group !== group) {
    const found = `${named.group}/${named.version}, Kind=${kind}`;
    const target = goQuote(apiVersionOf({ group, version: asked.version }));
    throw errors.unexplained(`${found} is unstructured and is not suitable for converting to ${target}`);
  }
  const served = versions.find(({ version }) => version === named.version);
  if (served === undefined) {
    throw errors.unexplained(`request to convert CR from an invalid group/version: ${apiVersion}`);
  }
  if (kind !== definition.kind && !keepsKind) throw otherKind(definition, kind, nameIn(replacement));
  return served;
}

function unexpectedVersion(apiVersion: string): string {
  return `unexpected GroupVersion string: ${apiVersion}`;
}

/** @throws ApiError 500 for a value of a wrong type, and for an unknown field if those are errors */
function decode(
  schema: StructNode,
  replacement: JsonObject,
  { isStrict, ...options }: DecodeOptions & { readonly isStrict: boolean },
): ApiObject {
  try {
    const { value, unknown } = decodeObject(schema, replacement, options);
    if (isStrict && unknown.length > 0) {
      const faults = unknown.map((path) => `unknown field ${stringifyJson(path)}`);
      throw errors.internal(`strict decoding error: ${faults.join(', ')}`);
    }
    return value as ApiObject;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (options.restores !== true) throw errors.internal(error.message);
    const type = `${replacement['apiVersion']}, Kind=${replacement['kind']}`;
    throw errors.unexplained(`unable to convert unstructured object to ${type}: ${restoreMessage(error)}`);
  }
}

/** A custom resource without metadata of wrong types, which is ignored there. */
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
