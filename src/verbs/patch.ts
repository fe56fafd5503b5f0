// The verb patch: a change given as a difference, applied to the current object in the version of the path. Handles
// three patch types; apply is a verb of its own.

import { countMembers } from '../api/count-members.ts';
import { type ApiError, errors, fieldError } from '../api/errors.ts';
import { goText } from '../api/go-text.ts';
import { apiVersionOf } from '../api/group-version.ts';
import { isObject } from '../api/is-object.ts';
import {
  countKeys,
  type FloatLiterals,
  findDuplicateFields,
  floatLiterals,
  JsonError,
  numberFault,
  parseJson,
  parseLongJson,
} from '../api/json-reader.ts';
import { copyingJson, copyJson, stringifyJson } from '../api/json-writer.ts';
import { withSortedMembers } from '../api/member-order.ts';
import { notAnObject } from '../api/not-an-object.ts';
import type { ApiObject, Json, JsonObject, ObjectMeta } from '../api/object.ts';
import type { Turn } from '../base/short-turns.ts';
import { isLater } from '../base/soon.ts';
import { atOnce, carriedOut, type Steps } from '../base/steps.ts';
import { isSince } from '../lifecycle/version.ts';
import {
  applyingJsonPatch,
  type JsonPatch,
  jsonPatchStrictErrors,
  parseJsonPatch,
  refuseScalarRoot,
} from '../patch/json-patch.ts';
import { applyingMergePatch, parseMergePatch } from '../patch/merge-patch.ts';
import { notAMergePatch } from '../patch/patch-errors.ts';
import { patchedFloats } from '../patch/patched-floats.ts';
import { orderedByMerge, orderedByOperations, quoted } from '../patch/patched-text.ts';
import { restoreMessage } from '../patch/restore-fault.ts';
import { spentPatch } from '../patch/spent-patch.ts';
import { applyStrategicMergePatch, parseStrategicMergePatch } from '../patch/strategic-merge.ts';
import { annotationFault } from '../resources/number-annotation.ts';
import { DecodeError, decodeObject, decodingObject } from '../schema/decode.ts';
import type { DocumentReading } from '../schema/node.ts';
import { carryTexts, textInJson } from '../schema/opaque-text.ts';
import { checkName, settleNamespace } from './object-metadata.ts';
import type { PatchedObject, PatchedType } from './object-types.ts';
import { prepareUpdate } from './prepare-update.ts';
import type { ResourceRequest, StoredObject } from './resource-request.ts';
import { typesOf } from './types-of.ts';
import { fromStorage, storing } from './version-forms.ts';
import { Write, type WriteContext } from './write.ts';
import { updateStored } from './write-object.ts';
import { writeOptions } from './write-options.ts';

export type PatchType = 'json' | 'merge' | 'strategic';

export interface PatchBody {
  readonly type: PatchType;
  /** JSON, not parsed yet, because the object is looked up first. */
  readonly text: string;
  /** Cooperative slices for long patches. */
  readonly turn?: Turn | undefined;
}

/** @throws ApiError as in Kubernetes, 404 before the patch is parsed */
export async function patchObject(
  context: WriteContext,
  request: ResourceRequest,
  patch: PatchBody,
): Promise<StoredObject> {
  const write = new Write(context, request, { ...writeOptions(request, 'PatchOptions'), turn: patch.turn });
  const written = await updateStored(write, {
    change: async (previous) => {
      const { definition, version } = request;
      const read = patch.turn === undefined ? undefined : await parseLongPatch(write, patch);
      const current = fromStorage(definition, version, { ...previous });
      const patching = carriedOut(patchingValue({ write, current, patch }, read), write.turn);
      const next = isLater(patching) ? await patching : patching;
      const making = carriedOut(storing(write, next), write.turn);
      const made = isLater(making) ? await making : making;
      return { next: await prepareUpdate(write, { next: made, previous }) };
    },
  });
  return written.object;
}

interface Patching {
  readonly write: Write;
  /** In the version of the path. */
  readonly current: ApiObject;
  readonly patch: PatchBody;
}

/** The patched object; both objects are in the version of the path. @throws ApiError 400, 413 and 422 */
export function patchedValue(patching: Patching): ApiObject {
  return atOnce(patchingValue(patching));
}

/** Like patchedValue, in slices. */
function* patchingValue(patching: Patching, read = parsePatch(patching.write, patching.patch)): Steps<ApiObject> {
  const { write, current, patch } = patching;
  const { request } = write;
  const { group } = request.definition;
  const { value } = read;
  const result = yield* applyingPatch(patching, value);
  yield;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) {
    throw invalidPatch(stringifyJson(result), notAnObject(result));
  }
  const quoted = () => quotedPatch(patching, value, result);
  const object: PatchedObject = {
    request,
    current,
    patched: result,
    expected: apiVersionOf({ group, version: request.version.version }),
    isStrategic: patch.type === 'strategic',
    unchecked: isChecked(write, patch) ? undefined : patch.text,
    quoted,
    invalid: (why) => invalidPatch(quoted(), why),
    tellUnknown: (unknown) => tellFaults(patching, { read, unknown, quoted }),
  };
  const types = typesOf(request.definition);
  const type = yield* types.ofPatched(object);
  const next = yield* decodingPatched(patching, { value, object, type });
  checkReadable(patching, next, quoted);
  settleNamespace(request, next);
  checkName(request, next);
  types.checkPatched(object, next);
  return next;
}

/** A patch that was read from its text. */
interface ReadPatch {
  readonly value: Json;
  /** Whether a member came twice; undefined where that is still to be found out. */
  readonly repeats?: boolean;
}

function parsePatch(write: Write, patch: PatchBody): ReadPatch {
  try {
    return { value: parseJson(patch.text) };
  } catch (error) {
    throw unreadablePatch(error, write, patch);
  }
}

async function parseLongPatch(write: Write, patch: PatchBody): Promise<ReadPatch> {
  try {
    return (await parseLongJson(patch.text, () => patch.turn?.over())) ?? parsePatch(write, patch);
  } catch (error) {
    throw unreadablePatch(error, write, patch);
  }
}

/**
 * Whether kube-apiserver decodes the patch to find unknown and repeated fields, and with them everything else that is
 * wrong. Otherwise only its application finds errors.
 */
function isChecked({ options }: Write, { type }: PatchBody): boolean {
  return type === 'strategic' || options.fieldValidation !== 'Ignore';
}

/** Errors in a strategic merge patch have no prefix. */
function unreadablePatch(error: unknown, write: Write, patch: PatchBody): unknown {
  if (!(error instanceof JsonError)) return error;
  const { type } = patch;
  if (type === 'merge' && !isChecked(write, patch)) return notAMergePatch();
  const hasPrefix = type !== 'strategic' && isChecked(write, patch);
  return errors.badRequest(hasPrefix ? `error decoding patch: ${error.message}` : error.message);
}

/** @throws ApiError 400 for a number out of range. The values of a JSON patch are members of its operations. */
function* checkNumbers(write: Write, patch: PatchBody): Steps<void> {
  if (!isChecked(write, patch)) return;
  const fault = yield* numberFault(patch.text);
  if (fault === undefined) return;
  const { message } = fault;
  const why = patch.type === 'json' ? message.replace('Go value', 'Go struct field jsonPatchOp.value') : message;
  throw unreadablePatch(new JsonError(why), write, patch);
}

/** The first minor release that refuses to replace a document by a scalar; before, such an operation did nothing. */
const REPLACES_BY_CONTAINERS = 35;

function* applyingPatch({ write, current, patch }: Patching, value: Json): Steps<Json> {
  switch (patch.type) {
    case 'json': {
      const operations = parseJsonPatch(value, { text: patch.text, isChecked: isChecked(write, patch) });
      yield* checkNumbers(write, patch);
      if (isSince(write.request.definition, REPLACES_BY_CONTAINERS)) refuseScalarRoot(operations);
      return yield* applyingJsonPatch(current, operations);
    }
    case 'merge': {
      const members = parseMergePatch(value, { isChecked: isChecked(write, patch) });
      if (Array.isArray(members)) return members;
      yield* checkNumbers(write, patch);
      return yield* applyingMergePatch(current, members);
    }
    case 'strategic': {
      const members = parseStrategicMergePatch(value);
      yield* checkNumbers(write, patch);
      return applyStrategicMergePatch(current, members, write.request.version.schema);
    }
  }
}

interface DecodingStep {
  /** The patch. */
  readonly value: Json;
  readonly object: PatchedObject;
  readonly type: PatchedType;
}

/** Decodes the patched object. @throws ApiError 422 */
function* decodingPatched(patching: Patching, { value, object, type }: DecodingStep): Steps<ApiObject> {
  const { write, patch } = patching;
  const { named, schema } = type;
  const notes = write.decodesAnew();
  const reading = { gateEnabled: write.gateEnabled, restores: patch.type === 'strategic' };
  let decoded: DocumentReading;
  try {
    decoded = yield* decodingUntouched(patching, named, function* (own) {
      // Most of the object is already decoded: copying that and decoding the copy costs less than decoding everything
      // again.
      const isShort = write.turn === undefined;
      const copy = isShort ? copyJson(own) : yield* copyingJson(own);
      yield;
      const options = { ...reading, ...notes, owned: true, floats: floatsOf(patch, value) };
      // The operations of a JSON patch can copy what is short until it is long.
      if (isShort && patch.type !== 'json') return decodeObject(schema, copy, options);
      return yield* decodingObject(schema, copy, options);
    });
    yield;
  } catch (error) {
    if (error instanceof DecodeError) throw object.invalid(faultOf(error, patch.type));
    throw error;
  }
  if (write.options.fieldValidation !== 'Ignore') {
    const { unknown } =
      decoded.unknown.length > 1 ? decodeObject(schema, inOrder(patching, value, named), reading) : decoded;
    object.tellUnknown(unknown.map((path) => `unknown field ${JSON.stringify(path)}`));
  }
  // A strategic merge patch makes the texts of opaque values anew.
  if (patch.type !== 'strategic') carryTexts(schema, { from: named, to: decoded.value }, textInJson);
  return decoded.value as ApiObject;
}

/** @throws ApiError 422 for a value that cannot be decoded, 500 without a reason after a strategic merge patch */
function checkReadable({ write, patch }: Patching, next: ApiObject, quoted: () => string): void {
  const why = annotationFault(write.request.definition, next);
  if (why === undefined) return;
  throw patch.type === 'strategic' ? errors.unexplained(why) : invalidPatch(quoted(), why);
}

interface Faults {
  readonly read: ReadPatch;
  /** In the patched object. */
  readonly unknown: readonly string[];
  readonly quoted: () => string;
}

/** Tells what is wrong with the patch and with the object, as field validation demands. @throws ApiError 422 if strict */
function tellFaults({ write, patch }: Patching, { read, unknown, quoted }: Faults): void {
  const { request, options } = write;
  if (options.fieldValidation === 'Ignore') return;
  const faults = [...patchFaults(patch, read), ...unknown];
  if (faults.length > 0 && options.fieldValidation === 'Strict') {
    throw invalidPatch(quoted(), `strict decoding error: ${faults.join(', ')}`);
  }
  request.warnings.push(...faults);
}

/**
 * Decodes without managedFields if the patch does not change them: they are canonical, are never modified in place, and
 * are as long as the rest.
 */
function* decodingUntouched(
  { current }: Patching,
  patched: JsonObject,
  decode: (object: JsonObject) => Steps<DocumentReading>,
): Steps<DocumentReading> {
  const { managedFields } = current.metadata;
  const metadata = patched.metadata as ObjectMeta | undefined;
  if (managedFields === undefined || metadata?.managedFields !== managedFields) return yield* decode(patched);
  const { managedFields: _same, ...rest } = metadata;
  const decoded = yield* decode({ ...patched, metadata: rest });
  (decoded.value as ApiObject).metadata.managedFields = managedFields;
  return decoded;
}

/**
 * Paths of the patched object whose numbers the patch writes as floats. A strategic merge patch turns them into
 * integers.
 */
function floatsOf({ type, text }: PatchBody, value: Json): FloatLiterals | undefined {
  const floats = type === 'strategic' ? undefined : floatLiterals(text);
  return floats === undefined || type === 'merge' ? floats : patchedFloats(value, floats);
}

/** The text that messages quote: the patch of a strategic merge patch, otherwise the patched object. */
function quotedPatch({ write, current, patch }: Patching, value: Json, patched: Json): string {
  if (patch.type === 'strategic') return goText(isObject(value) ? spentPatch(value, current) : value);
  const { definition, version } = write.request;
  const node = definition.codec.typeOf(version.schema);
  const ordered =
    patch.type === 'merge'
      ? orderedByMerge(current, patched, node)
      : orderedByOperations(current, operationsOf(value), node);
  return quoted(ordered, floatsOf(patch, value));
}

/** The patched object with its members in the order in which Kubernetes reports unknown ones. */
function inOrder({ current, patch, write }: Patching, value: Json, patched: JsonObject): JsonObject {
  // Merge patches are merged into maps.
  if (patch.type !== 'json') return withSortedMembers(patched) as JsonObject;
  const { definition, version } = write.request;
  const type = definition.codec.typeOf(version.schema);
  if (type === undefined) return patched;
  const { kind, apiVersion } = patched as ApiObject;
  return { ...(orderedByOperations(current, operationsOf(value), type) as JsonObject), kind, apiVersion };
}

/** The operations of a JSON patch that has been applied. */
function operationsOf(value: Json): JsonPatch {
  return parseJsonPatch(value, { isChecked: false });
}

/** A value of a wrong type in the patched object, which a strategic merge patch decodes from maps. */
function faultOf(error: DecodeError, type: PatchType): string {
  return type === 'strategic' ? restoreMessage(error) : error.message;
}

/** Field validation of the patch itself. */
function patchFaults({ type, text }: PatchBody, { value, repeats }: ReadPatch): string[] {
  if (type === 'json') return jsonPatchStrictErrors(value, { text, repeats });
  if (!(repeats ?? countKeys(text) !== countMembers(value))) return [];
  return findDuplicateFields(text).map((path) => `duplicate field ${JSON.stringify(path)}`);
}

/** A patch whose result is not an object of its kind. */
function invalidPatch(quoted: string, why: string): ApiError {
  return errors.invalid({ group: '', kind: '', name: '' }, [fieldError.invalid('patch', quoted, why)]);
}
