// The verb apply: a patch that declares the fields its manager has an opinion about, and creates the object if there is
// none. src/apply decides about fields and managers; this file has the checks and the path into the store.

import { errors, MODIFIED } from '../api/errors.ts';
import { jsonWord } from '../api/go-text.ts';
import { apiVersionOf, canonicalApiVersion, parseApiVersion } from '../api/group-version.ts';
import { isObject } from '../api/is-object.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import type { Applied, Apply } from '../apply/apply.ts';
import { ConflictError } from '../apply/conflict.ts';
import { applyWithMigration } from '../apply/last-applied.ts';
import { ItemError } from '../apply/list-items.ts';
import { type Manager, readManagers, writeManagers } from '../apply/managers.ts';
import { appliedFaults, isMistyped, typeFaults } from '../apply/type-faults.ts';
import { type TypedObject, VersionError } from '../apply/typed-object.ts';
import type { ValueType } from '../apply/value-type.ts';
import { limits } from '../base/limits.ts';
import type { Turn } from '../base/short-turns.ts';
import { isLater, type Soon } from '../base/soon.ts';
import { carriedOut, type Steps } from '../base/steps.ts';
import { restoreMessage } from '../patch/restore-fault.ts';
import { ManagedFieldsEntry } from '../resources/builtin/meta/v1.ts';
import { annotationFault } from '../resources/number-annotation.ts';
import { DecodeError, decodeObject, decodingObject } from '../schema/decode.ts';
import { findStored } from './caught-up.ts';
import { computed } from './computed.ts';
import { createDecoded, isTaken } from './create.ts';
import { checkName, settleNamespace } from './object-metadata.ts';
import { emptyObject, typed } from './object-versions.ts';
import { ignoredFields, ignoredVersion, mayBeMistyped } from './ownership.ts';
import { prepareUpdate } from './prepare-update.ts';
import { storageKey } from './registry.ts';
import { createsBy, type ResourceRequest, type StoredObject } from './resource-request.ts';
import { withConversions } from './version-conversion.ts';
import { fromStorage, storing } from './version-forms.ts';
import { Write, type WriteContext } from './write.ts';
import { updateStored } from './write-object.ts';
import { type WriteOptions, writeOptions } from './write-options.ts';

export interface ApplyBody {
  /** The applied configuration and its duplicate members. @throws ApiError 400 */
  readonly parse: () => Promise<{ readonly value: Json; readonly duplicates: readonly string[] }>;
  /** Cooperative slices for long configurations. */
  readonly turn?: Turn | undefined;
  /** Rejects users who may not create the object. @throws ApiError 403 */
  readonly authorizeCreate: () => Soon<void>;
}

interface AppliedObject {
  readonly object: StoredObject;
  readonly created: boolean;
}

/** @throws ApiError 400, 403, 404, 409, 422 and 500 as in Kubernetes */
export async function applyObject(
  context: WriteContext,
  request: ResourceRequest,
  body: ApplyBody,
): Promise<AppliedObject> {
  const write = new Write(context, request, { ...writeOptions(request, 'PatchOptions', true), turn: body.turn });
  const { definition, namespace, name } = request;
  const { group, resource } = definition;
  const storage = await context.registry.storage(definition);
  const key = storageKey(definition, namespace, name);
  for (let attempt = 0; attempt <= limits.writeRetries; attempt++) {
    if ((await findStored(storage, key)) !== undefined) {
      const object = await update(write, body);
      if (object !== undefined) return { object, created: false };
    }
    if (!createsBy(request)) throw errors.notFound({ group, resource, name });
    try {
      return { object: await create(write, body), created: true };
    } catch (error) {
      // The object was created concurrently: now there is something to apply to.
      if (!isTaken(error)) throw error;
    }
  }
  throw errors.conflict({ group, resource, name }, MODIFIED);
}

/** @returns undefined if the object was deleted concurrently: now there is something to create */
async function update(write: Write, body: ApplyBody): Promise<StoredObject | undefined> {
  const gone = { object: { bytes: Buffer.alloc(0), revision: 0 }, removed: true };
  const written = await updateStored(write, {
    gone,
    change: async (previous) => {
      const next = await applied(write, body, previous);
      await write.pause();
      if (!isNamed(next.metadata.resourceVersion)) next.metadata.resourceVersion = previous.metadata.resourceVersion;
      return { next: await prepareUpdate(write, { next, previous, ownershipSettled: true }) };
    },
  });
  return written === gone ? undefined : written.object;
}

async function create(write: Write, body: ApplyBody): Promise<StoredObject> {
  const object = await applied(write, body, undefined);
  await body.authorizeCreate();
  return createDecoded(write, object, { ownershipSettled: true, byUpdate: true });
}

function isNamed(text: string | undefined): text is string {
  return text !== undefined && text !== null && text !== '';
}

/** The result of an apply, in the storage version, with its managedFields. */
async function applied(write: Write, body: ApplyBody, previous: ApiObject | undefined) {
  const { registry, request, options } = write;
  const { definition, version } = request;
  const { value, duplicates } = await body.parse();
  const expected = {
    kind: definition.kind,
    apiVersion: apiVersionOf({ group: definition.group, version: version.version }),
  };
  const configuration = checkedConfiguration(value, expected);
  const empty = emptyObject(definition, version);
  const managers = readManagers(previous?.metadata.managedFields);
  const live = previous === undefined ? empty : liveObject(request, previous);
  const isLong = write.turn !== undefined;
  const checking = computed(() => {
    // Before the first apply to an object without managers, its fields get one.
    if (previous !== undefined && managers.length === 0) {
      const failed = 'failed to create manager for existing fields: failed to convert new object';
      checkLive(live, { failed, how: ' to smd typed', isLong });
    }
    checkTypes(configuration, empty.type, { isLong });
    if (mayBeMistyped(definition)) checkLive(live, { failed: 'failed to create typed live object', how: '', isLong });
  }, write.turn);
  if (isLater(checking)) await checking;
  const applying = withConversions({
    definition,
    turn: write.turn,
    run: (convert) =>
      runApply(
        {
          live,
          empty,
          applied: configuration,
          by: { name: options.fieldManager, subresource: request.subresource },
          force: options.force,
          convert,
          ignored: ignoredFields(request),
          ignoredIn: ignoredVersion(request),
          now: registry.times.now(),
          isLong,
        },
        managers,
      ),
  });
  const result = isLater(applying) ? await applying : applying;
  noteDuplicates(request, options, duplicates);
  await write.pause();
  const isSame = result.object === undefined && previous !== undefined;
  const making = isSame
    ? copyWithoutEntries(previous)
    : carriedOut(storingResult(write, { object: result.object ?? configuration, configuration }), write.turn);
  const next = isLater(making) ? await making : making;
  await write.pause();
  if (previous === undefined) checkNoUid(request, next);
  settleNamespace(request, next);
  checkName(request, next);
  next.metadata.managedFields = writeManagers(result.managers);
  if (request.subresource === '' && definition.codec.storesEmptyMetadata)
    write.leftovers.appliesEmpty(emptyMetadata(configuration, next));
  return next;
}

/** A configuration with a UID requires the object to exist. @throws ApiError 409 */
function checkNoUid(
  { definition: { group, resource }, name }: ResourceRequest,
  { metadata: { uid } }: ApiObject,
): void {
  if (!isNamed(uid)) return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw errors.conflict({ group, resource, name }, why);
}

const EMPTIABLE = ['annotations', 'labels', 'finalizers', 'ownerReferences'] as const;

/** The members of its metadata that a configuration gives empty, and that nothing else has filled. */
function emptyMetadata({ metadata }: JsonObject, { metadata: result }: ApiObject): string[] {
  const isEmpty = (value: unknown) => Object.keys(value ?? {}).length === 0;
  const given = isObject(metadata) ? metadata : {};
  return EMPTIABLE.filter((name) => Object.hasOwn(given, name) && isEmpty(given[name]) && isEmpty(result[name]));
}

/** A copy that may be modified, without managedFields. */
function copyWithoutEntries(previous: ApiObject): ApiObject {
  const { managedFields: _entries, ...metadata } = previous.metadata;
  return copyJson({ ...previous, metadata });
}

/** The object in the version of the request, without managedFields. Parts that need no conversion are shared. */
function liveObject({ definition, version }: ResourceRequest, previous: ApiObject): TypedObject {
  const { managedFields: _entries, ...metadata } = previous.metadata;
  const object = { ...previous, metadata };
  const own = version.conversion === undefined ? object : copyJson(object);
  return typed(definition, version, fromStorage(definition, version, own));
}

/**
 * The kind of the body must match the path, and it must not have managedFields.
 * @throws ApiError 400
 */
export function checkedConfiguration(value: Json, expected: { kind: string; apiVersion: string }): JsonObject {
  if (value !== null && !isObject(value)) {
    const fault = `json: cannot unmarshal ${jsonWord(value)} into Go value of type map[string]interface {}`;
    throw errors.badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${fault}`);
  }
  const { kind, apiVersion, metadata } = value ?? {};
  const version = typeof apiVersion === 'string' ? canonicalApiVersion(apiVersion) : apiVersion;
  if (kind !== expected.kind || version !== expected.apiVersion) {
    throw errors.badRequest(`invalid object type: ${typeText(kind, apiVersion)}`);
  }
  const { managedFields = null } = isObject(metadata) ? metadata : {};
  if (areEntries(managedFields)) throw errors.badRequest('metadata.managedFields must be nil');
  return version === apiVersion ? (value as JsonObject) : { ...value, ...expected };
}

/** Unreadable entries are ignored here; they are reported when the object that has them is validated. */
function areEntries(entries: Json): boolean {
  if (!Array.isArray(entries)) return false;
  try {
    for (const entry of entries) {
      if (!isObject(entry)) return false;
      decodeObject(ManagedFieldsEntry, entry, { restores: true });
    }
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}

interface TypeCheck {
  /** Whether the value is too long for its shape to be remembered. */
  readonly isLong: boolean;
}

/** @throws ApiError 500 without a reason */
export function checkTypes(configuration: JsonObject, type: ValueType, { isLong }: TypeCheck): void {
  const faults = isLong
    ? typeFaults(type, configuration, { allowDuplicates: false })
    : appliedFaults(type, configuration);
  if (faults === undefined) return;
  throw errors.unexplained(`failed to create typed patch object (${nameText(configuration)}): ${faults}`);
}

/** @throws ApiError 500 without a reason, which says what failed and how, if an object does not match its type */
function checkLive(
  { type, value }: TypedObject,
  { failed, how, isLong }: TypeCheck & { readonly failed: string; readonly how: string },
): void {
  if (!isMistyped(type, value, isLong)) return;
  const faults = typeFaults(type, value, { allowDuplicates: true });
  throw errors.unexplained(`${failed} (${nameText(value)})${how}: ${faults}`);
}

/** A configuration as named in messages; a name that is not a string is omitted. */
function nameText({ kind, apiVersion, metadata }: JsonObject): string {
  const { name, namespace } = isObject(metadata) ? metadata : {};
  const [where, what] = [namespace, name].map((each) => (typeof each === 'string' ? each : ''));
  return `${where}/${what}; ${typeText(kind, apiVersion)}`;
}

/** A type as named in messages about applies: `apps/v1, Kind=Deployment`. */
function typeText(kind: Json | undefined, apiVersion: Json | undefined): string {
  const named = parseApiVersion(typeof apiVersion === 'string' ? apiVersion : '');
  if (named === undefined) return '/, Kind=';
  return `${named.group}/${named.version}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

/** @throws ApiError 409 for fields of other managers, 500 without a reason for unusable entries */
export function runApply(apply: Apply, managers: readonly Manager[]): Applied {
  try {
    return applyWithMigration(apply, managers);
  } catch (error) {
    if (error instanceof ConflictError) throw error.answer;
    if (error instanceof VersionError || error instanceof ItemError) throw errors.unexplained(error.message);
    throw error;
  }
}

/** Duplicate members are rejected with Strict and cause a warning by default. @throws ApiError 400 */
export function noteDuplicates(
  request: ResourceRequest,
  { fieldValidation }: WriteOptions,
  duplicates: readonly string[],
): void {
  if (duplicates.length === 0 || fieldValidation === 'Ignore') return;
  if (fieldValidation === 'Strict') {
    const lines = duplicates.map((line) => `  ${line}`).join('\n');
    throw errors.badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n${lines}`,
    );
  }
  request.warnings.push(...duplicates);
}

/**
 * Converts the result of an apply to the stored form. @throws ApiError 500 without a reason for values of wrong types
 */
function* storingResult(
  write: Write,
  { object, configuration }: { object: JsonObject; configuration: JsonObject },
): Steps<ApiObject> {
  const { schema } = write.request.version;
  const options = { gateEnabled: write.gateEnabled, ...write.decodesAnew(), restores: true };
  try {
    // Slices cost more than decoding most configurations.
    const { value } =
      write.turn === undefined ? decodeObject(schema, object, options) : yield* decodingObject(schema, object, options);
    const why = annotationFault(write.request.definition, value as ApiObject);
    if (why !== undefined) {
      throw errors.unexplained(`failed to convert to unversioned (${nameText(configuration)}): ${why}`);
    }
    return yield* storing(write, value as ApiObject);
  } catch (error) {
    throw unfitting(configuration, error);
  }
}

/** @throws ApiError 500 without a reason if the result of applying a configuration does not match its type */
export function fitting<Result>(configuration: JsonObject, decode: () => Result): Result {
  try {
    return decode();
  } catch (error) {
    throw unfitting(configuration, error);
  }
}

function unfitting(configuration: JsonObject, error: unknown): unknown {
  if (!(error instanceof DecodeError)) return error;
  const type = typeText(configuration.kind, configuration.apiVersion);
  const why = `unable to convert unstructured object to ${type}: ${restoreMessage(error)}`;
  return errors.unexplained(`failed to convert new object (${nameText(configuration)}) to proper version: ${why}`);
}
