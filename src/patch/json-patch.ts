// JSON patch (RFC 6902) with Kubernetes' leniency: `replace` adds a missing member, `copy` treats a missing one as
// null, `test` considers a missing one equal to null, indexes may be negative, and what precedes a path's first slash
// is ignored. Independent of schemas.

import { countMembers } from '../api/count-members.ts';
import { ApiError } from '../api/errors.ts';
import { isObject } from '../api/is-object.ts';
import { equalJson } from '../api/json-equal.ts';
import { countKeys, strictDecodingErrors } from '../api/json-reader.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { limits } from '../base/limits.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import { DocumentDraft, Misfit, type Pointer } from './document-draft.ts';
import {
  type JsonPatchOperation,
  misfitText,
  missingMemberText,
  missingPathText,
  pathText,
  type ValidOperation,
} from './misfit-text.ts';
import { notAPatch, notApplicable, notOfType, testFailed, tooManyOperations } from './patch-errors.ts';

export type JsonPatch = readonly JsonPatchOperation[];

interface JsonPatchReading {
  /** The body as sent. With it, numbers in a `test` are compared as text: `2.0` is not `2`. */
  readonly text?: string | undefined;
  /** Whether field validation applies, which decodes it with its own types first. */
  readonly isChecked?: boolean;
}

const OPERATION_FIELDS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/**
 * Decodes a body parsed from JSON; null is a patch without operations.
 * @throws ApiError 400 for anything but a list of operations, 413 for too many. Operations that can never apply fail
 * when their turn comes, because an earlier one may fail, too.
 */
export function parseJsonPatch(value: unknown, { text, isChecked = true }: JsonPatchReading = {}): JsonPatch {
  if (value === null) return [];
  if (!Array.isArray(value)) {
    throw isChecked ? notAPatch(value, 'value of type []handlers.jsonPatchOp') : notOfType(value, 'jsonpatch.Patch');
  }
  for (const each of value) checkTypes(each, isChecked);
  if (value.length > limits.jsonPatchOperations) throw tooManyOperations(limits.jsonPatchOperations, value.length);
  if (text !== undefined) checkTestedNumbers(text);
  return value.map(parseOperation);
}

/**
 * The document with all operations applied in order. Neither argument is modified; unchanged parts are shared.
 * @throws ApiError 422 without details as soon as one operation fails, including a failed `test`.
 */
export function applyJsonPatch(document: Json, patch: JsonPatch): Json {
  return atOnce(applyingJsonPatch(document, patch));
}

/** Like applyJsonPatch, in slices of one operation. */
export function* applyingJsonPatch(document: Json, patch: JsonPatch): Steps<Json> {
  const draft = new DocumentDraft(document);
  for (const operation of patch) {
    apply(draft, operation);
    yield;
  }
  return draft.finished();
}

/** Refuses to replace a whole document by null, a text, a number or a boolean. @throws ApiError 422 */
export function refuseScalarRoot(patch: JsonPatch): void {
  const isScalar = (value: Json) => typeof value !== 'object' || value === null;
  if (patch.some((each) => each.op === 'replace' && each.path.length === 0 && isScalar(each.value))) {
    throw notApplicable('replace operation value must be object or array');
  }
}

/** The document with all operations applied, and the containers that they looked into. They must apply. */
export function enterByJsonPatch(document: Json, patch: JsonPatch): Pick<DocumentDraft, 'root' | 'entered'> {
  const draft = new DocumentDraft(document);
  for (const operation of patch) {
    apply(draft, operation);
    if (operation.op === 'test' && operation.path.length > 0)
      enterAll(draft.entered, draft.get(operation.path) ?? null);
  }
  return draft;
}

/**
 * Field validation of the patch document, in the order of the text: unknown members of operations, and duplicate
 * members anywhere.
 * @param value the body parsed from JSON
 * @param document.text the body as sent
 * @param document.repeats whether it has duplicate members, if that is known already
 */
export function jsonPatchStrictErrors(
  value: unknown,
  { text, repeats }: { readonly text: string; readonly repeats?: boolean | undefined },
): string[] {
  const unknown: string[] = [];
  const operations: readonly unknown[] = Array.isArray(value) ? value : [];
  operations.forEach((operation, index) => {
    if (!isObject(operation)) return;
    for (const name of Object.keys(operation)) if (!OPERATION_FIELDS.has(name)) unknown.push(`[${index}].${name}`);
  });
  if (unknown.length === 0 && !(repeats ?? countKeys(text) !== countMembers(value as Json))) return [];
  return atOnce(strictDecodingErrors(text, unknown)).map((each) => `json patch ${each}`);
}

function checkTypes(operation: unknown, isChecked: boolean): void {
  if (operation === null) return;
  if (!isObject(operation)) {
    throw isChecked
      ? notAPatch(operation, 'value of type handlers.jsonPatchOp')
      : notOfType(operation, 'jsonpatch.Operation');
  }
  if (!isChecked) return;
  for (const name of ['op', 'path', 'from']) {
    const member = ownMember(operation, name) ?? null;
    if (member !== null && typeof member !== 'string') {
      throw notAPatch(member, `struct field jsonPatchOp.${name} of type string`);
    }
  }
}

function parseOperation(operation: JsonObject | null): JsonPatchOperation {
  try {
    return parseValidOperation(operation);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { op: 'invalid', error };
  }
}

function parseValidOperation(operation: JsonObject | null): JsonPatchOperation {
  const op = operation?.['op'];
  switch (op) {
    case 'add':
      return { op, path: placePointer(operation!, 'path'), value: ownMember(operation!, 'value') ?? null };
    case 'replace':
    case 'test':
      return { op, path: pointer(operation!, 'path'), value: ownMember(operation!, 'value') ?? null };
    case 'remove':
      return { op, path: placePointer(operation!, 'path') };
    case 'move':
    case 'copy':
      return { op, path: placePointer(operation!, 'path'), from: placePointer(operation!, 'from') };
    default:
      throw notApplicable(`Unexpected kind: ${typeof op === 'string' ? op : 'unknown'}`);
  }
}

/** A pointer that may be the whole document. */
function pointer(operation: JsonObject, name: 'path' | 'from'): Pointer {
  const text = ownMember(operation, name) ?? null;
  if (text === '') return [];
  if (text === null) throw notApplicable(missingMemberText(String(operation['op']), name));
  if (typeof text !== 'string') throw notApplicable(`${operation['op']} operation failed to decode ${name}`);
  const names = text.split('/');
  if (names.length < 2) throw notApplicable(missingPathText(String(operation['op']), { name, path: text }));
  names.shift();
  return names.map((each) =>
    each.includes('~') ? each.replace(/~[01]/g, (code) => (code === '~1' ? '/' : '~')) : each,
  );
}

function placePointer(operation: JsonObject, name: 'path' | 'from'): Pointer {
  const names = pointer(operation, name);
  if (names.length === 0) throw notApplicable(missingPathText(String(operation['op']), { name, path: '' }));
  return names;
}

function apply(draft: DocumentDraft, operation: JsonPatchOperation): void {
  if (operation.op === 'invalid') throw operation.error;
  try {
    applyOperation(draft, operation);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    throw notApplicable(misfitText(operation, error));
  }
}

function applyOperation(draft: DocumentDraft, operation: ValidOperation): void {
  switch (operation.op) {
    case 'add':
      draft.add(operation.path, operation.value);
      return;
    case 'remove':
      draft.remove(operation.path);
      return;
    case 'replace':
      if (operation.path.length === 0) draft.replaceRoot(operation.value);
      else draft.replace(operation.path, operation.value);
      return;
    case 'move':
      draft.add(
        operation.path,
        source(() => draft.remove(operation.from)),
      );
      return;
    case 'copy':
      draft.add(
        operation.path,
        source(() => draft.copyOf(operation.from)),
      );
      return;
    case 'test': {
      const found = operation.path.length === 0 ? draft.root : (draft.get(operation.path) ?? null);
      if (!equalJson(found, operation.value)) throw testFailed(pathText(operation.path));
    }
  }
}

/** A comparison decodes all that it compares. */
function enterAll(entered: Set<Json>, value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  entered.add(value);
  for (const member of Object.values(value)) enterAll(entered, member as Json);
}

/** The source of a move or copy. @throws Misfit */
function source(take: () => Json): Json {
  try {
    return take();
  } catch (error) {
    if (error instanceof Misfit) error.isSource = true;
    throw error;
  }
}

/** A number in JSON text that the server might write differently, or something similar. */
const UNUSUAL_NUMBER = /[[:,\s]-?[0-9]+[.eE]/;

// Kubernetes compares texts in a test. The server writes a number in one form only, so a number in another form equals
// nothing in any document.
function checkTestedNumbers(text: string): void {
  if (!text.includes('"test"') || !UNUSUAL_NUMBER.test(text)) return;
  const unusual: Json = {};
  const mark = (_: string, value: Json, context: { readonly source: string }): Json =>
    typeof value === 'number' && isUnusual(context.source, value) ? unusual : value;
  const operations = JSON.parse(text, mark as (key: string, value: unknown) => unknown) as JsonObject[];
  for (const operation of operations) {
    if (operation?.['op'] === 'test' && holds(operation['value'], unusual)) {
      throw notApplicable('a test for a number in a form that the server does not write');
    }
  }
}

function isUnusual(source: string, value: number): boolean {
  return /[.eE]/.test(source) && source !== String(value);
}

function holds(value: Json | undefined, what: Json): boolean {
  if (value === what) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((each) => holds(each, what));
}
