// Decoding of a request's body to an object of the storage version: the kind is checked, the value decoded by the
// schema of the path's version, faults of single fields reported as field validation asks, the version converted,
// defaults filled.

import type { AuditTrail } from '../api/audit-trail.ts';
import { type ApiError, errors, fieldError } from '../api/errors.ts';
import { apiVersionOf, parseApiVersion } from '../api/group-version.ts';
import { equalJson } from '../api/json-equal.ts';
import { copyJson, stringifyJson } from '../api/json-writer.ts';
import { notAnObject, typeMetaOf, unreadableTypeMeta } from '../api/not-an-object.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { unregisteredKind } from '../api/unregistered-kind.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import { registeredPackage } from '../resources/builtin/registered-kinds.ts';
import { bodySchema } from '../resources/custom/body-schema.ts';
import type { ResourceDefinition, ServedVersion, StrategyContext } from '../resources/definition.ts';
import { DecodeError, decodeObject, decodingObject, type EmptyMember } from '../schema/decode.ts';
import type { StructNode } from '../schema/node.ts';
import { withEmptyMembers } from './empty-members.ts';
import type { RequestBody, ResourceRequest } from './resource-request.ts';
import { missingKind, nullVersion } from './type-meta.ts';
import type { Write } from './write.ts';

/**
 * Reads the body of a create or update.
 * @throws ApiError 400 for a body that is not such an object, and under Strict for unknown or duplicate fields
 */
export function decodeBody(write: Write, body: RequestBody): ApiObject {
  return atOnce(decodingBody(write, body));
}

/** As decodeBody, in steps. */
export function* decodingBody(write: Write, body: RequestBody): Steps<ApiObject> {
  const { request } = write;
  const { fieldValidation } = write.options;
  const { definition, version } = request;
  const value = bodyObject(definition.kind, body);
  const unreadableNames = unreadableTypeMeta(value);
  if (unreadableNames !== undefined) throw unrecognized(definition.kind, unreadableNames, body.excerpt);
  const names = definition.custom ? kindOf(value) : typeMetaOf(value);
  const expected = apiVersionOf({ group: definition.group, version: version.version });
  const apiVersion = names.apiVersion === '' ? expected : names.apiVersion;
  const kind = names.kind === '' ? definition.kind : names.kind;
  if (definition.custom) checkCustomReadable({ definition, names, body });
  else checkKind({ definition, kind, apiVersion, expected, body });
  const fault = definition.custom && body.untypedFault !== undefined ? yield* body.untypedFault() : undefined;
  if (fault !== undefined) throw unreadable({ kind, apiVersion, definition: { kind }, why: fault.message });
  const schema = definition.custom ? bodySchema(definition, version, names) : version.schema;
  // A custom resource of another kind is decoded as that kind, and rejected afterwards.
  const asKind = definition.custom ? { kind } : definition;
  const { value: object, faults } = yield* decodingValue(value, { kind, apiVersion, write, body, schema, asKind });
  const why = definition.strategy.readFault?.(object);
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
  if (definition.custom) checkCustomKind({ definition, names, expected, body });
  object.kind = kind;
  object.apiVersion = expected;
  const stored = storageForm(write, object);
  if (request.audit !== undefined) auditBody(request.audit, request, stored);
  return stored;
}

/** Events show what a client sent as it was understood, defaults filled in, in the version it came in. */
function auditBody(audit: AuditTrail, { definition, version }: ResourceRequest, stored: ApiObject): void {
  const isServed = version.conversion === undefined || !audit.recordsRequests;
  audit.requestObject(isServed ? stored : fromStorage(definition, version, copyJson(stored)));
}

interface DecodeStep {
  readonly kind: string;
  readonly apiVersion: string;
  readonly write: Write;
  readonly body: RequestBody;
  readonly schema: StructNode;
  /** What messages say that it cannot be handled as. */
  readonly asKind: Pick<ResourceDefinition, 'kind'>;
}

/** Decodes by the schema; duplicate members make a second reading. */
function* decodingValue(value: unknown, step: DecodeStep): Steps<{ value: ApiObject; faults: readonly string[] }> {
  const { write, schema } = step;
  const reading = { owned: true, gateEnabled: write.gateEnabled, floats: step.body.floats };
  try {
    const options = { ...reading, ...write.decodesAnew() };
    // Steps cost more than most bodies: what is short is decoded without them.
    const decoded =
      write.turn === undefined ? decodeObject(schema, value, options) : yield* decodingObject(schema, value, options);
    yield;
    const merging = step.body.repeated(decoded.keys);
    const repeated = merging && (yield* merging);
    if (repeated === undefined) {
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
    return { value: again.value as ApiObject, faults: yield* repeated.faults(again.unknown, opaque) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw unreadable({
      kind: step.kind,
      apiVersion: step.apiVersion,
      definition: step.asKind,
      why: step.body.explain?.(error) ?? error.message,
    });
  }
}

function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

/** What a write decoded in a version (the path's) as `toStorage` makes it. Changes its argument. */
export function storageForm(write: Write, object: ApiObject, version = write.request.version): ApiObject {
  const { request, empties, leftovers } = write;
  const leaves = () => leftovers.leavesDefaults();
  return toStorage({ definition: request.definition, version, empties, leaves }, object, write.strategyContext());
}

interface DecodedIn {
  readonly definition: ResourceDefinition;
  readonly version: ServedVersion;
  readonly empties?: readonly EmptyMember[];
  /** Told where a version leaves defaults to whoever reads the object. */
  readonly leaves?: () => void;
}

/**
 * Converts an object decoded in a served version to the storage version and fills in defaults. Changes its
 * argument.
 */
export function toStorage(
  { definition, version, empties = [], leaves }: DecodedIn,
  object: ApiObject,
  context: StrategyContext,
): ApiObject {
  const stored =
    version.conversion === undefined
      ? object
      : // What one version leaves out when it is empty, another always writes.
        (decodeObject(definition.storage.schema, version.conversion.toStorage(object)).value as ApiObject);
  stored.kind = definition.storage.kind;
  stored.apiVersion = apiVersionOf(definition.storage);
  const left = version.conversion?.leavesDefaultsIn;
  const before = left === undefined ? null : copyJson(memberOfSpec(stored, left));
  withEmptyMembers(stored, empties, () => definition.strategy.defaults?.(stored, context));
  if (left !== undefined && !equalJson(before, memberOfSpec(stored, left))) leaves?.();
  return stored;
}

function memberOfSpec({ spec }: ApiObject, name: string): Json {
  return (spec as JsonObject | undefined)?.[name] ?? null;
}

/** Converts an object of the storage version to a served one. Changes its argument. */
export function fromStorage(definition: ResourceDefinition, version: ServedVersion, object: ApiObject): ApiObject {
  const served =
    version.conversion === undefined
      ? object
      : // What one version always writes, another leaves out when it is empty.
        (decodeObject(version.schema, version.conversion.fromStorage(object)).value as ApiObject);
  served.kind = definition.kind;
  served.apiVersion = apiVersionOf({ group: definition.group, version: version.version });
  return served;
}

function bodyObject(kind: string, body: RequestBody): JsonObject {
  const { value } = body;
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw unrecognized(kind, notAnObject(value as Json), body.excerpt);
  }
  return value as JsonObject;
}

function kindOf(value: JsonObject): { kind: string; apiVersion: string } {
  const { kind, apiVersion } = value;
  return { kind: typeof kind === 'string' ? kind : '', apiVersion: typeof apiVersion === 'string' ? apiVersion : '' };
}

function checkKind(found: {
  definition: ResourceDefinition;
  kind: string;
  apiVersion: string;
  expected: string;
  body: RequestBody;
}): void {
  const { definition, kind, apiVersion, expected, body } = found;
  if (apiVersion === expected && kind === definition.kind) return;
  if (parseApiVersion(apiVersion) === undefined) {
    throw unrecognized(definition.kind, `unexpected GroupVersion string: ${apiVersion}`, body.excerpt);
  }
  if (kind === definition.kind && registeredPackage(definition.group, { kind, apiVersion }) !== undefined) {
    throw errors.badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  throw unreadable({ kind, apiVersion, definition, why: otherType(definition, { kind, apiVersion }) });
}

/**
 * Why an object that is another built-in kind, or none, is not of the path's. The words name Kubernetes' own
 * insides.
 */
export function otherType(
  definition: ResourceDefinition,
  { kind, apiVersion }: { kind: string; apiVersion: string },
): string {
  const found = registeredPackage(definition.group, { kind, apiVersion });
  if (found === undefined) return unregisteredKind(kind, apiVersion);
  const internal = definition.group === '' ? 'core' : definition.group.split('.')[0];
  return `converting (${found}.${kind}) to (${internal}.${definition.kind}): unknown conversion`;
}

interface CustomKind {
  readonly definition: ResourceDefinition;
  readonly names: { readonly kind: string; readonly apiVersion: string };
  readonly body: RequestBody;
}

/** @throws ApiError 400 for a custom resource that does not say what it is */
function checkCustomReadable({ definition, names, body }: CustomKind): void {
  const value = body.value as JsonObject;
  const noKind = missingKind(value, () => stringifyJson(value));
  if (noKind !== undefined) throw unrecognized(definition.kind, noKind, body.excerpt);
  const noVersion = nullVersion(value);
  if (noVersion !== undefined) throw unreadable({ ...names, definition, why: noVersion });
}

/** @throws ApiError 400 for a custom resource that says another version than the path's, 422 for another kind */
function checkCustomKind({ definition, names, expected, body }: CustomKind & { readonly expected: string }): void {
  const { kind, apiVersion } = names;
  if (apiVersion !== expected) {
    throw errors.badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (kind !== definition.kind) throw otherKind(definition, kind, nameIn(body.value));
}

/** An object of another kind than the path's. */
function otherKind({ group, kind }: ResourceDefinition, found: string, name: string): ApiError {
  return errors.invalid({ group, kind: found, name }, [fieldError.invalid('kind', found, `must be ${kind}`)]);
}

function nameIn(value: unknown): string {
  const { metadata } = (value ?? {}) as { metadata?: { name?: unknown } | null };
  return typeof metadata?.name === 'string' ? metadata.name : '';
}

/** A body that does not even say what it is; the reason alone is the error's cause. */
export function unrecognized(kind: string, why: string, excerpt: string): ApiError {
  const quoted = excerpt === '' ? '' : ` (${excerpt})`;
  const message = `the object provided is unrecognized (must be of type ${kind}): ${why}${quoted}`;
  return errors.badRequest(message, undefined, why);
}

/** A body that says what it is and can't be that, or not what the path wants; the reason alone is the error's cause. */
export function unreadable(found: {
  kind: string;
  apiVersion: string;
  definition: Pick<ResourceDefinition, 'kind'>;
  why: string;
}): ApiError {
  const version = parseApiVersion(found.apiVersion)?.version ?? found.apiVersion;
  return errors.badRequest(
    `${found.kind} in version ${JSON.stringify(version)} cannot be handled as a ${found.definition.kind}: ${found.why}`,
    undefined,
    found.why,
  );
}
