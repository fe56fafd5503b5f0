// The object returned by a mutating webhook or policy, on its way into the store: decoded by the schema of its version,
// converted to the storage version, and defaulted like a request body.

import type { AdmissionRequest, ReplaceOptions } from '../admission/chain.ts';
import { errors } from '../api/errors.ts';
import { apiVersionOf, parseApiVersion } from '../api/group-version.ts';
import { stringifyJson } from '../api/json-writer.ts';
import { withSortedMembers } from '../api/member-order.ts';
import { typeMetaOf, unreadableTypeMeta } from '../api/not-an-object.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { findBuiltinType } from '../resources/builtin/types.ts';
import type { ResourceDefinition, ServedVersion } from '../resources/definition.ts';
import { DecodeError, type DecodeOptions, decodeObject } from '../schema/decode.ts';
import type { StructNode } from '../schema/node.ts';
import { nameIn, otherKind, otherType, storageForm } from './decode-body.ts';
import type { ResourceRequest } from './resource-request.ts';
import { missingKind } from './type-meta.ts';
import type { Write } from './write.ts';

/**
 * Replaces an object's fields whenever admission returns a changed object.
 * @param object keeps its identity
 * @param settle then restores what must not change. @throws ApiError
 */
export function replacing(
  write: Write,
  object: ApiObject,
  settle?: () => void,
): NonNullable<AdmissionRequest['replace']> {
  const { request } = write;
  const put = (replacement: JsonObject, version: ServedVersion, { strict = false }: ReplaceOptions = {}) => {
    const isStrict = strict && !request.definition.custom;
    const reading = { gateEnabled: write.gateEnabled, ...write.decodesAnew(), isStrict };
    const next = storageForm(write, decode(version.schema, replacement, reading), version);
    next.metadata ??= {};
    for (const member of Object.keys(object)) delete object[member];
    Object.assign(object, next);
    settle?.();
  };
  return (replacement, version, options) => {
    const { definition } = request;
    const { versions, storage, storedForm } = definition;
    const asked = versions.find((each) => each.version === version) ?? request.version;
    const typed = definition.custom ? replacement : withType(request, asked, replacement);
    const served = definition.custom ? customVersion(definition, asked, replacement) : asked;
    const conversion = storedForm?.conversion;
    if (conversion === undefined || served.version === storage.version) return put(typed, served, options);
    return conversion.convert(typed, apiVersionOf(storage)).then((own) => put(own, request.version));
  };
}

/**
 * The object with the kind and version of the request, which it may omit.
 * @throws ApiError 500 for an object of another kind or version
 */
function withType({ definition }: ResourceRequest, { version }: ServedVersion, replacement: JsonObject): JsonObject {
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
  const other = findBuiltinType(named.group, named.version, String(typed.kind));
  if (other !== undefined) decode(other, typed, { isStrict: false });
  const why = otherType(definition, { kind: String(typed.kind), apiVersion: String(typed.apiVersion) });
  throw why.startsWith('no kind ') ? errors.internal(why) : errors.unexplained(why);
}

/**
 * The version of a custom resource, which may be another than that of the request.
 * @throws ApiError 500 without a kind or for a version that the resource does not have, 422 for another kind
 */
function customVersion(definition: ResourceDefinition, asked: ServedVersion, replacement: JsonObject): ServedVersion {
  const { group, versions } = definition;
  const quoted = () => stringifyJson(withSortedMembers(replacement));
  const unreadable = unreadableTypeMeta(replacement) ?? missingKind(replacement, quoted);
  if (unreadable !== undefined) throw errors.internal(unreadable);
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
  if (kind !== definition.kind) throw otherKind(definition, kind, nameIn(replacement));
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
    if (error instanceof DecodeError) throw errors.internal(error.message);
    throw error;
  }
}
