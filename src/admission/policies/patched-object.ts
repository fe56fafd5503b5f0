// Application of a mutation to an object: merged by the type of the object, or patched.

import { ApiError, errors } from '../../api/errors.ts';
import { apiVersionOf } from '../../api/group-version.ts';
import { withSortedMembers } from '../../api/member-order.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { mergeValues } from '../../apply/merge.ts';
import { typeFaults, UnfitScalar } from '../../apply/type-faults.ts';
import { valueTypeOf } from '../../apply/value-type.ts';
import { wholePlaces } from '../../apply/whole-places.ts';
import { ListValue, MapValue, type Value } from '../../cel/value/value.ts';
import { JsonList } from '../../expressions/json-list.ts';
import { JsonPatchOperation } from '../../expressions/json-patch.ts';
import { ObjectValue } from '../../expressions/object-value.ts';
import { PatchObject } from '../../expressions/patch-object.ts';
import { jsonOf } from '../../expressions/value-json.ts';
import { applyJsonPatch, parseJsonPatch } from '../../patch/json-patch.ts';
import { FailedTest } from '../../patch/patch-errors.ts';
import { restoreMessage } from '../../patch/restore-fault.ts';
import { DecodeError, decodeObject } from '../../schema/decode.ts';
import type { StructNode } from '../../schema/node.ts';
import type { GroupVersionKind } from './attributes.ts';
import { unfitValue } from './unfit-values.ts';
import { fieldFault, unmarshallable } from './unmarshallable.ts';

/** Why an object cannot be changed by an expression. */
export class MutationFault extends Error {
  override name = 'MutationFault';
}

export interface PatchSubject {
  readonly object: JsonObject;
  readonly kind: GroupVersionKind;
  /** Undefined if the kind's own group and version does not declare it. */
  readonly schema: StructNode | undefined;
}

/** The object with an apply configuration merged into it. @throws MutationFault */
export function mergedObject(value: Value, { object, kind: gvk, schema }: PatchSubject): JsonObject {
  if (!(value instanceof PatchObject)) throw new MutationFault('unsupported return type');
  checkNames(value);
  if (fieldFault(value) !== undefined) throw new MutationFault('invalid return type: *dynamic.ObjectVal');
  const { group, version, kind } = gvk;
  const applied = { ...appliedObject(value), apiVersion: apiVersionOf({ group, version }), kind };
  const check = { allowDuplicates: false };
  const fault = (what: string) => new MutationFault(`error applying patch: ${what}`);
  if (schema === undefined) {
    const unknown = `no corresponding type for ${group}/${version}, Kind=${kind}`;
    throw fault(`failed to convert patch object to typed object: ${unknown}`);
  }
  const type = valueTypeOf(schema);
  const mistyped = typeFaults(type, applied, check);
  if (mistyped !== undefined) throw fault(`failed to convert patch object to typed object: ${mistyped}`);
  const wholes = wholePlaces(type, applied);
  if (wholes.length > 0) {
    throw fault(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${wholes.join(', ')}`);
  }
  const unfit = typeFaults(type, object, check);
  if (unfit !== undefined) throw fault(`failed to convert original object to typed object: ${unfit}`);
  return restored(mergeValues(type, object, applied) as JsonObject, gvk, schema);
}

/** The object, if it is valid for its type. @throws MutationFault */
function restored(object: JsonObject, { group, version, kind }: GroupVersionKind, schema: StructNode): JsonObject {
  try {
    decodeObject(schema, object, { restores: true });
    return object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const type = `${group}/${version}, Kind=${kind}`;
    throw new MutationFault(`unable to convert unstructured object to ${type}: ${restoreMessage(error)}`);
  }
}

/** The object after the operations; undefined if a test operation does not hold. @throws MutationFault */
export function patchedObject(value: Value, object: JsonObject): JsonObject | undefined {
  if (!(value instanceof ListValue)) throw new MutationFault('unsupported return type');
  const operations = Array.from({ length: value.size }, (_, index) => operationOf(value.at(index)));
  try {
    // Of several values of wrong types, the first in this order is reported.
    return withSortedMembers(applyJsonPatch(object, parseJsonPatch(operations))) as JsonObject;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.cause instanceof FailedTest) return undefined;
    const why = error.cause instanceof Error ? error.cause.message : error.message;
    throw new MutationFault(`JSON Patch: ${why}`);
  }
}

function operationOf(value: Value): JsonObject {
  if (!(value instanceof JsonPatchOperation)) throw errors.internal('an operation of a JSON patch is none');
  const { op, path, from, value: given } = value;
  if (given instanceof PatchObject) checkNames(given);
  const fault = given === undefined ? undefined : unmarshallable(given);
  if (fault !== undefined) {
    throw new MutationFault(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${fault}`);
  }
  return {
    op,
    path,
    ...(from === '' ? {} : { from }),
    ...(given === undefined ? {} : { value: withSortedMembers(jsonOf(given)) }),
  };
}

function checkNames(value: PatchObject): void {
  const misnamed = value.misnamed();
  if (misnamed !== '') throw new MutationFault(`type mismatch: ${misnamed}`);
}

function appliedObject({ fields }: PatchObject): JsonObject {
  return Object.fromEntries([...fields].map(([name, value]) => [name, appliedField(value)]));
}

function appliedField(value: Value): Json {
  if (isLiteral(value)) {
    if (value instanceof ListValue) return Array.from({ length: value.size }, (_, index) => within(value.at(index)));
    return Object.fromEntries(value.keys().map((key) => [String(jsonOf(key)), within(value.get(key) as Value)]));
  }
  return appliedScalar(value);
}

/**
 * Kubernetes accepts a list or map constructed by an expression only as the value of a field, not within another list
 * or map. The same holds for booleans in lists and maps.
 */
function within(value: Value): Json {
  if (isLiteral(value)) return false;
  return appliedScalar(value);
}

function appliedScalar(value: Value): Json {
  if (value instanceof PatchObject) {
    const fault = fieldFault(value);
    if (fault === undefined) return appliedObject(value);

    return new UnfitScalar({ word: '*types.Err', text: fault, syntax: fault }) as unknown as Json;
  }
  return (unfitValue(value) as unknown as Json | undefined) ?? jsonOf(value);
}

/** Whether a list or map was constructed by the expression rather than taken from an object. */
function isLiteral(value: Value): value is ListValue | MapValue {
  if (value instanceof ListValue) return !(value instanceof JsonList);
  return value instanceof MapValue && !(value instanceof ObjectValue);
}
