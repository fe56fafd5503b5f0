// The object returned by a mutating webhook or policy, on its way into the store: decoded by the schema of its version,
// converted to the storage version, and defaulted like a request body.

import type { AdmissionRequest, ReplaceOptions } from '../admission/chain.ts';
import { errors } from '../api/errors.ts';
import { apiVersionOf } from '../api/group-version.ts';
import { stringifyJson } from '../api/json-writer.ts';
import { unreadableTypeMeta } from '../api/not-an-object.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { ServedVersion } from '../resources/definition.ts';
import { DecodeError, type DecodeOptions, decodeObject } from '../schema/decode.ts';
import { otherType, storageForm } from './decode-body.ts';
import type { ResourceRequest } from './resource-request.ts';
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
    const next = storageForm(write, decode(version, replacement, reading), version);
    next.metadata ??= {};
    for (const member of Object.keys(object)) delete object[member];
    Object.assign(object, next);
    settle?.();
  };
  return (replacement, version, options) => {
    const { definition } = request;
    const { versions, storage, storedForm } = definition;
    const served = versions.find((each) => each.version === version) ?? request.version;
    const typed = withType(request, served, replacement);
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
  const why = otherType(definition, { kind: String(typed.kind), apiVersion: String(typed.apiVersion) });
  throw why.startsWith('no kind ') ? errors.internal(why) : errors.unexplained(why);
}

/** @throws ApiError 500 for a value of a wrong type, and for an unknown field if those are errors */
function decode(
  { schema }: ServedVersion,
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
