// Decoding of a request body to the storage version: checks the kind, decodes the value by the schema of the path's
// version, applies field validation, converts, and applies defaults.

import type { AuditTrail } from '../api/audit-trail.ts';
import { type ApiError, errors, fieldError } from '../api/errors.ts';
import { apiVersionOf, canonicalApiVersion, parseApiVersion } from '../api/group-version.ts';
import { equalJson } from '../api/json-equal.ts';
import { copyJson, stringifyJson } from '../api/json-writer.ts';
import { notAnObject, typeMetaOf, unreadableTypeMeta } from '../api/not-an-object.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { unregisteredKind } from '../api/unregistered-kind.ts';
import { part } from '../base/resumed.ts';
import { atOnce, type Steps } from '../base/steps.ts';
import { registeredPackage } from '../resources/builtin/registered-kinds.ts';
import { findBuiltinType } from '../resources/builtin/types.ts';
import { bodySchema } from '../resources/custom/body-schema.ts';
import type { Conversion, ResourceDefinition, ServedVersion, StrategyContext } from '../resources/definition.ts';
import { annotationFault } from '../resources/number-annotation.ts';
import { DecodeError, decodeObject, decodingObject, type EmptyMember } from '../schema/decode.ts';
import type { StructNode } from '../schema/node.ts';
import { computing } from './computed.ts';
import { withEmptyMembers } from './empty-members.ts';
import type { RequestBody, ResourceRequest } from './resource-request.ts';
import { missingKind, nullVersion } from './type-meta.ts';
import type { Write } from './write.ts';
import type { FieldValidation } from './write-options.ts';

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
  const names = definition.custom ? kindOf(value) : typeMetaOf(value);
  const expected = apiVersionOf({ group: definition.group, version: version.version });
  const kind = names.kind === '' ? definition.kind : names.kind;
  const apiVersion = versionOfBody({ definition, kind, apiVersion: names.apiVersion, expected, body });
  if (definition.custom) checkCustomReadable({ definition, names, body }, fieldValidation, expected);
  const other = definition.custom ? undefined : otherBuiltin({ definition, kind, apiVersion, expected, body });
  const fault = definition.custom && body.untypedFault !== undefined ? yield* body.untypedFault() : undefined;
  if (fault !== undefined) throw unreadable({ kind, apiVersion, definition: { kind }, why: fault.message });
  const schema = definition.custom ? bodySchema(definition, version, names) : (other?.schema ?? version.schema);
  // A custom resource of another kind is decoded as that kind, and then rejected.
  const asKind = definition.custom ? { kind } : definition;
  const { value: object, faults } = yield* decodingValue(value, { kind, apiVersion, write, body, schema, asKind });
  if (other?.isOtherKind === true) throw other.error;
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
  if (other !== undefined) throw other.error;
  if (definition.custom) checkCustomVersion(names.apiVersion, expected);
  object.kind = kind;
  object.apiVersion = expected;
  if (kind !== definition.kind) {
    request.audit?.requestObject(object);
    throw otherKind(definition, kind, nameIn(body.value));
  }
  const stored = yield* storing(write, object);
  if (request.audit !== undefined) auditBody(request.audit, request, stored);
  return stored;
}

/** Audit events contain the decoded body with defaults, in the version of the request. */
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
  /** The type that messages say it cannot be handled as. */
  readonly asKind: Pick<ResourceDefinition, 'kind'>;
}

/** Decodes by the schema; duplicate members require a second pass. */
function* decodingValue(value: unknown, step: DecodeStep): Steps<{ value: ApiObject; faults: readonly string[] }> {
  const { write, schema } = step;
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

/** Like storageForm, in slices for a long object. */
export function* storing(write: Write, object: ApiObject): Steps<ApiObject> {
  const convert = () => storageForm(write, object);
  return write.turn === undefined ? convert() : yield* computing(convert);
}

/** Converts what a write decoded in the path's version, like `toStorage`. Modifies its argument. */
export function storageForm(write: Write, object: ApiObject, version = write.request.version): ApiObject {
  const { request, empties, leftovers } = write;
  const leaves = (member: string, given: Json) => leftovers.leavesDefaults({ member, given });
  return toStorage({ definition: request.definition, version, empties, leaves }, object, write.strategyContext());
}

interface DecodedIn {
  readonly definition: ResourceDefinition;
  readonly version: ServedVersion;
  readonly empties?: readonly EmptyMember[];
  /** Called if a version leaves defaults to the readers of the object. */
  readonly leaves?: (member: string, given: Json) => void;
}

/**
 * Converts a decoded object from a served version to the storage version and applies defaults. Modifies its argument.
 */
export function toStorage(
  { definition, version, empties = [], leaves }: DecodedIn,
  object: ApiObject,
  context: StrategyContext,
): ApiObject {
  const stored =
    version.conversion === undefined
      ? object
      : // Some fields are omitted when empty in one version and required in another.
        convertedBy(version.conversion, definition, object);
  stored.kind = definition.storage.kind;
  stored.apiVersion = apiVersionOf(definition.storage);
  const left = version.conversion?.leavesDefaultsIn;
  const before = left === undefined ? null : part(() => copyJson(memberOfSpec(stored, left)));
  withEmptyMembers(stored, empties, () => definition.strategy.defaults?.(stored, context));
  if (left !== undefined && !equalJson(before, memberOfSpec(stored, left))) leaves?.(left, before);
  return stored;
}

function convertedBy(conversion: Conversion, { storage }: ResourceDefinition, object: ApiObject): ApiObject {
  return part(() => decodeObject(storage.schema, conversion.toStorage(object)).value as ApiObject);
}

function memberOfSpec({ spec }: ApiObject, name: string): Json {
  return ownMember(spec as JsonObject | undefined, name) ?? null;
}

/** Converts an object from the storage version to a served one. Modifies its argument. */
export function fromStorage(definition: ResourceDefinition, version: ServedVersion, object: ApiObject): ApiObject {
  return atOnce(servingStored(definition, version, object));
}

/** Like fromStorage, in slices for a long object. */
export function* servingStored(
  definition: ResourceDefinition,
  version: ServedVersion,
  object: ApiObject,
): Steps<ApiObject> {
  const served =
    version.conversion === undefined
      ? object
      : // Some fields are required in one version and omitted when empty in another.
        ((yield* decodingObject(version.schema, version.conversion.fromStorage(object))).value as ApiObject);
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

/**
 * The apiVersion of a body; by default that of the path, also if a built-in kind's body only has the group (`apps/`).
 * @throws ApiError 400 for an apiVersion that is malformed, or without a version for another group's body
 */
function versionOfBody({ definition, kind, apiVersion, expected, body }: FoundType): string {
  const named = parseApiVersion(apiVersion);
  if (named === undefined) {
    throw unrecognized(definition.kind, `unexpected GroupVersion string: ${apiVersion}`, body.excerpt);
  }
  if (named.version !== '' || (definition.custom && apiVersion !== '')) return apiVersion;
  if (named.group === '' || named.group === definition.group) return expected;
  const why = `Object 'apiVersion' is missing in '${body.text ?? stringifyJson(body.value as Json)}'`;
  throw unreadable({ kind, apiVersion, definition, why });
}

function kindOf(value: JsonObject): { kind: string; apiVersion: string } {
  const { kind, apiVersion } = value;
  const named = typeof apiVersion === 'string' ? canonicalApiVersion(apiVersion) : '';
  return { kind: typeof kind === 'string' ? kind : '', apiVersion: named };
}

interface OtherBuiltin {
  /** The type by which the body is decoded all the same: its errors come first. */
  readonly schema: StructNode;
  readonly isOtherKind: boolean;
  readonly error: ApiError;
}

interface FoundType {
  readonly definition: ResourceDefinition;
  readonly kind: string;
  readonly apiVersion: string;
  /** The apiVersion of the path. */
  readonly expected: string;
  readonly body: RequestBody;
}

/**
 * The type of a body whose kind or version is not that of the path; undefined if they are the same.
 * @throws ApiError 400 for a kind without a type
 */
function otherBuiltin(found: FoundType): OtherBuiltin | undefined {
  const { definition, kind, apiVersion, expected } = found;
  const named = parseApiVersion(apiVersion);
  if ((apiVersion === expected && kind === definition.kind) || named === undefined) return undefined;
  const isRegistered = registeredPackage(definition.group, { kind, apiVersion }, definition.minor) !== undefined;
  const isOtherKind = kind !== definition.kind || !isRegistered;
  const error = isOtherKind
    ? unreadable({ kind, apiVersion, definition, why: otherType(definition, { kind, apiVersion }) })
    : otherVersion(apiVersion, expected);
  const schema = isRegistered ? findBuiltinType(named.group, named.version, kind, definition.minor) : undefined;
  if (schema === undefined) throw error;
  return { schema, isOtherKind, error };
}

/**
 * Why an object of another built-in kind, or of none, does not match the path. The messages contain Kubernetes'
 * internal names.
 */
export function otherType(
  definition: ResourceDefinition,
  { kind, apiVersion }: { kind: string; apiVersion: string },
): string {
  // The scheme of the Scale of custom resources, the only definition with paths of replicas, has no other kinds.
  const isCustomScale = definition.scale !== undefined;
  const isForeign = isCustomScale && kind !== definition.kind;
  const found = isForeign ? undefined : registeredPackage(definition.group, { kind, apiVersion }, definition.minor);
  if (found === undefined) return unregisteredKind(kind, apiVersion, definition.minor);
  const internal = isCustomScale ? 'v1' : definition.group === '' ? 'core' : definition.group.split('.')[0];
  return `converting (${found}.${kind}) to (${internal}.${definition.kind}): unknown conversion`;
}

interface CustomKind {
  readonly definition: ResourceDefinition;
  readonly names: { readonly kind: string; readonly apiVersion: string };
  readonly body: RequestBody;
}

/**
 * With fieldValidation=Ignore, kube-apiserver completes kind and apiVersion from the path before it checks them, and quotes
 * YAML as JSON.
 *
 * @throws ApiError 400 for a custom resource without kind or apiVersion
 */
function checkCustomReadable(
  { definition, names, body }: CustomKind,
  validation: FieldValidation,
  expected: string,
): void {
  const value = body.value as JsonObject;
  const isIgnored = validation === 'Ignore';
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

/** @throws ApiError 400 for a custom resource of another version than the path's */
function checkCustomVersion(apiVersion: string, expected: string): void {
  if (apiVersion !== expected) throw otherVersion(apiVersion, expected);
}

function otherVersion(apiVersion: string, expected: string): ApiError {
  return errors.badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
  );
}

/** The error for a custom resource of another kind than the path's. */
export function otherKind({ group, kind }: ResourceDefinition, found: string, name: string): ApiError {
  return errors.invalid({ group, kind: found, name }, [fieldError.invalid('kind', found, `must be ${kind}`)]);
}

/** The name of an object, '' without one. */
export function nameIn(value: unknown): string {
  const { metadata } = (value ?? {}) as { metadata?: { name?: unknown } | null };
  return typeof metadata?.name === 'string' ? metadata.name : '';
}

/** A body without a kind; the reason alone is the error's cause. */
export function unrecognized(kind: string, why: string, excerpt: string): ApiError {
  const quoted = excerpt === '' ? '' : ` (${excerpt})`;
  const message = `the object provided is unrecognized (must be of type ${kind}): ${why}${quoted}`;
  return errors.badRequest(message, undefined, why);
}

/** A body of an impossible or wrong kind; the reason alone is the error's cause. */
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

/**
 * An object of the storage version that the server's own parts have made, as if a client had sent it: numbers that are 0
 * and empty lists are absent where Kubernetes leaves them out. Parts of it are reused.
 */
export function asDecoded({ custom, storage }: ResourceDefinition, object: ApiObject): ApiObject {
  return custom ? object : (decodeObject(storage.schema, object, { owned: true }).value as ApiObject);
}
