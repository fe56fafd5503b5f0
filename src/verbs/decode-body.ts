// Decoding of a request body to the storage version: checks the kind, decodes the value by the schema of the path's
// version, applies field validation, converts, and applies defaults.

import type { AuditTrail } from '../api/audit-trail.ts';
import { fieldErrorBody } from '../api/errors.ts';
import { apiVersionOf } from '../api/group-version.ts';
import { copyJson } from '../api/json-writer.ts';
import { notAnObject, unreadableTypeMeta } from '../api/not-an-object.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import { isSince } from '../lifecycle/version.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { annotationFault } from '../resources/number-annotation.ts';
import { DecodeError, decodeObject, decodingObject } from '../schema/decode.ts';
import { noteTexts } from '../schema/opaque-text.ts';
import { EmbeddedObjectError } from '../schema/structural/embedded-objects.ts';
import { unreadable, unrecognized } from './body-errors.ts';
import { withOwnedMembers } from './empty-members.ts';
import type { BodyType } from './object-types.ts';
import { inReleaseWords } from './release-errors.ts';
import type { RequestBody } from './resource-request.ts';
import { typesOf } from './types-of.ts';
import { fromStorage, storing } from './version-forms.ts';
import type { Write } from './write.ts';

/**
 * Decodes the body of a create or update.
 * @throws ApiError 400 for a body that is not such an object, and with Strict for unknown or duplicate fields
 */
export function decodeBody(write: Write, body: RequestBody): ApiObject {
  return atOnce(decodingBody(write, body));
}

/** Like decodeBody, in slices. */
export function* decodingBody(write: Write, body: RequestBody): Steps<ApiObject> {
  const { request } = write;
  const { fieldValidation } = write.options;
  const { definition, version } = request;
  const value = bodyObject(definition.kind, body);
  const unreadableNames = unreadableTypeMeta(value);
  if (unreadableNames !== undefined) throw unrecognized(definition.kind, unreadableNames, body.excerpt);
  const expected = apiVersionOf({ group: definition.group, version: version.version });
  const sent = { definition, version, expected, body, value, fieldValidation };
  const type = yield* typesOf(definition).ofBody(sent);
  const { kind, apiVersion, asKind, refusal } = type;
  const { value: object, faults } = yield* decodingValue(value, { type, write, body });
  if (refusal !== undefined && type.isForeign === true) throw refusal;
  const why = annotationFault(definition, object);
  if (why !== undefined) throw unreadable({ kind, apiVersion, definition: asKind, why });
  if (faults.length > 0 && fieldValidation === 'Strict') {
    throw unreadable({
      kind,
      apiVersion,
      definition: asKind,
      why: `strict decoding error: ${body.strictText?.(faults) ?? faults.join(', ')}`,
    });
  }
  if (fieldValidation !== 'Ignore') request.warnings.push(...faults);
  if (refusal !== undefined) throw refusal;
  object.kind = kind;
  object.apiVersion = expected;
  if (kind !== definition.kind) {
    request.audit?.requestObject({ ...object });
    write.otherKind = kind;
    object.kind = definition.kind;
  }
  const stored = yield* storing(write, object);
  if (request.audit !== undefined && kind === definition.kind) auditBody(request.audit, write, stored);
  return stored;
}

/**
 * Audit events contain the decoded body with defaults, in the version of the request, before anything is dropped: empty
 * lists of required fields, and fields behind disabled gates.
 */
function auditBody(audit: AuditTrail, { request, empties }: Write, stored: ApiObject): void {
  const { definition, version } = request;
  if (!audit.recordsRequests) audit.requestObject(stored);
  else if (version.conversion === undefined) audit.requestObject(withOwnedMembers(stored, empties));
  else audit.requestObject(fromStorage(definition, version, copyJson(stored)));
}

interface DecodeStep {
  readonly type: BodyType;
  readonly write: Write;
  readonly body: RequestBody;
}

/** Decodes by the schema; duplicate members require a second pass. */
function* decodingValue(value: unknown, step: DecodeStep): Steps<{ value: ApiObject; faults: readonly string[] }> {
  const { write, type } = step;
  const { schema, kind, apiVersion, asKind } = type;
  const reading = { owned: true, gateEnabled: write.gateEnabled, floats: step.body.floats };
  try {
    const options = { ...reading, ...write.decodesAnew() };
    // Slices cost more than decoding most bodies, so short ones are decoded at once.
    const decoded =
      write.turn === undefined ? decodeObject(schema, value, options) : yield* decodingObject(schema, value, options);
    yield;
    const merging = step.body.repeated(decoded.keys);
    const repeated = merging && (yield* merging);
    if (repeated === undefined) {
      if (step.body.json !== undefined) noteTexts(schema, step.body.json, decoded.value as ApiObject);
      return {
        value: decoded.value as ApiObject,
        faults: step.body.faults?.(decoded.unknown) ?? decoded.unknown.map(unknownField),
      };
    }
    if (decoded.duplicatesFirst) {
      const faults = [...(yield* repeated.faults([])), ...decoded.unknown.map(unknownField)];
      return { value: decoded.value as ApiObject, faults };
    }
    for (const document of repeated.replaced) {
      yield* decodingObject(schema, document, { owned: true, gateEnabled: reading.gateEnabled });
    }
    const opaque: string[] = [];
    const again = yield* decodingObject(schema, repeated.value, {
      ...reading,
      ...write.decodesAnew(),
      opaque,
    });
    if (step.body.json !== undefined) noteTexts(schema, step.body.json, again.value as ApiObject);
    return { value: again.value as ApiObject, faults: yield* repeated.faults(again.unknown, opaque) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const told = step.body.explain?.(error) ?? faultText(error, write.request.definition);
    throw unreadable({ kind, apiVersion, definition: asKind, why: told });
  }
}

/** The first minor release of Kubernetes 1 that names fields within the types of custom decoders. */
const WHOLE_PATHS = 35;

/** The message of an error, with values quoted as the release quotes them. */
function faultText(error: DecodeError, definition: ResourceDefinition): string {
  const { within = '' } = error.mismatch ?? {};
  if (within !== '' && isSince(definition, WHOLE_PATHS))
    return error.message.replace(' of type ', `.${within} of type `);
  if (!(error instanceof EmbeddedObjectError)) return error.message;
  const [fault = error.fault] = inReleaseWords([error.fault], definition);
  return `${fault.field}: ${fieldErrorBody(fault)}`;
}

function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

function bodyObject(kind: string, body: RequestBody): JsonObject {
  const { value } = body;
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw unrecognized(kind, notAnObject(value as Json), body.excerpt);
  }
  return value as JsonObject;
}
