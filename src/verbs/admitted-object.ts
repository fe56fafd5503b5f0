// The object returned by a mutating webhook or policy, on its way into the store: decoded by the schema of its version,
// converted to the storage version, and defaulted like a request body.

import type { AdmissionRequest, ReplaceOptions } from '../admission/chain.ts';
import { errors } from '../api/errors.ts';
import { apiVersionOf } from '../api/group-version.ts';
import { isObject } from '../api/is-object.ts';
import { setMember } from '../api/json-decoder.ts';
import { stringifyJson } from '../api/json-writer.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { restoreMessage } from '../patch/restore-fault.ts';
import type { ServedVersion } from '../resources/definition.ts';
import { DecodeError, type DecodeOptions, decodeObject } from '../schema/decode.ts';
import type { StructNode } from '../schema/node.ts';
import { typesOf } from './types-of.ts';
import { storageForm } from './version-forms.ts';
import type { Write } from './write.ts';

interface Replacing {
  /** Restores what must not change. @throws ApiError */
  readonly settle?: () => void;
  /** Whether the object is being created. */
  readonly isNew?: boolean;
  /** Whether it is the Scale of a custom resource, whose values of wrong types have other messages. */
  readonly isCustomScale?: boolean;
}

/**
 * Replaces an object's fields whenever admission returns a changed object.
 * @param object keeps its identity
 */
export function replacing(
  write: Write,
  object: ApiObject,
  { settle, isNew = false, isCustomScale = false }: Replacing = {},
): NonNullable<AdmissionRequest['replace']> {
  const { request } = write;
  const types = typesOf(request.definition);
  // Custom objects have the same fields in all versions, declared or not.
  const keepsFields = request.definition.codec.form === 'typed';
  const put = (replacement: JsonObject, version: ServedVersion, { strict = false, read }: ReplaceOptions = {}) => {
    const isStrict = strict && types.checksAdmitted;
    const reading = { gateEnabled: write.gateEnabled, ...write.decodesAnew(), isStrict, restores: isCustomScale };
    const readable = types.readable(replacement, isNew);
    const next = storageForm(write, decode(version.schema, readable, reading), version);
    next.metadata ??= {};
    if (keepsFields && version.conversion === undefined)
      keepUnsayable({ all: request.definition.storage.schema, said: version.schema }, next, object);
    for (const member of Object.keys(object)) delete object[member];
    for (const member of Object.keys(next)) setMember(object, member, next[member] as Json);
    read?.();
    settle?.();
  };
  return (replacement, version, options) => {
    const { definition } = request;
    const { versions, storage, storedForm } = definition;
    const asked = versions.find((each) => each.version === version) ?? request.version;
    const admitted = types.ofAdmitted({ request, version: asked, object: replacement, isCustomScale });
    const conversion = storedForm?.conversion;
    if (conversion === undefined || admitted.version.version === storage.version) {
      return put(admitted.object, admitted.version, options);
    }
    return conversion.convert(admitted.object, apiVersionOf(storage)).then((own) => put(own, request.version, options));
  };
}

interface Sayable {
  /** The schema in which the object is stored, and that of the version. */
  readonly all: StructNode;
  readonly said: StructNode;
}

/**
 * Keeps what a version cannot say: Kubernetes converts what admission returns into the object as it was, field by field,
 * and the structs that are part of it as well. What is in lists and behind pointers is made anew.
 */
function keepUnsayable({ all, said }: Sayable, next: JsonObject, previous: JsonObject): void {
  if (all === said) return;
  for (const [name, { node, pointer }] of all.jsonFields) {
    const before = ownMember(previous, name);
    if (before === undefined) continue;
    const field = said.jsonFields.get(name);
    if (field === undefined) setMember(next, name, before);
    else if (node.kind === 'struct' && field.node.kind === 'struct' && !pointer && isObject(before)) {
      const inner = ownMember(next, name);
      if (isObject(inner)) keepUnsayable({ all: node, said: field.node }, inner, before);
    }
  }
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
