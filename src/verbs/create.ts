// The verb create: a new object.

import { type ApiError, errors, type FieldError, type FieldErrors } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { joined, NONE } from '../base/findings.ts';
import { isLater, type Soon } from '../base/soon.ts';
import { carriedOut } from '../base/steps.ts';
import { isSince } from '../lifecycle/version.ts';
import { type CreateCheck, defaultCreateChecks, type StrategyContext } from '../resources/definition.ts';
import { hasGeneration } from '../resources/strategy-rules.ts';
import { optsIn, withDeclaredRules } from '../resources/validation/declarative-validation.ts';
import { replacing } from './admitted-object.ts';
import { otherKind } from './body-errors.ts';
import { computed, copyObject } from './computed.ts';
import { decodingBody } from './decode-body.ts';
import { warningsInRelease } from './earlier-warnings.ts';
import { withEmptyMembers } from './empty-members.ts';
import { fillNewMetadata, generatedName, settleNamespace, wipeServerMetadata } from './object-metadata.ts';
import { dropOwnersRepeatedByAdmission, dropRepeatedOwners } from './owner-references.ts';
import { trackCreation } from './ownership.ts';
import { inReleaseWords } from './release-errors.ts';
import type { RequestBody, ResourceRequest, StoredObject } from './resource-request.ts';
import { writtenRevision } from './resource-version.ts';
import { validateCommonMetadata, validateMetadata } from './update-validation.ts';
import { Write, type WriteContext } from './write.ts';
import { storeNew } from './write-object.ts';
import { writeOptions } from './write-options.ts';

const NAME_ATTEMPTS = 8;
/** The first minor release of Kubernetes 1 in which creates by update and apply, too, reset what only the server sets. */
const WIPES_ALWAYS = 37;

/** @throws ApiError 400, 409 and 422 as in Kubernetes */
export async function createObject(
  context: WriteContext,
  request: ResourceRequest,
  body: RequestBody,
): Promise<StoredObject> {
  const write = new Write(context, request, { ...writeOptions(request, 'CreateOptions'), turn: body.turn });
  await write.pause();
  const decoding = carriedOut(decodingBody(write, body), write.turn);
  const object = isLater(decoding) ? await decoding : decoding;
  wipeServerMetadata(object);
  settleNamespace(request, object);
  dropRepeatedOwners(request, object);
  // Awaited here and below: a promise returned from an async function without await settles two turns later.
  return await createDecoded(write, object);
}

/**
 * Creates an object that is already in its storage version and in the request's namespace. Also used for creates by
 * update and apply, which before 1.37 keep a deletionTimestamp.
 * @param options.byUpdate whether an update or apply creates the object: its resource version is then ignored
 */
export async function createDecoded(
  write: Write,
  object: ApiObject,
  { ownershipSettled = false, byUpdate = false } = {},
): Promise<StoredObject> {
  const { registry, request, dryRun } = write;
  const { group, resource, strategy, refusesCreation } = request.definition;
  if (refusesCreation !== undefined) {
    throw errors.forbidden({ group, resource, name: object.metadata.name ?? '' }, refusesCreation);
  }
  await write.pause();
  // Fields added by admission and by the strategy have no owner.
  if (!ownershipSettled) {
    await trackCreation(write, object);
  }
  await write.pause();
  if (strategy.load !== undefined) await strategy.load();
  await write.admission.admit({
    ...{ request, operation: 'create', object, previous: undefined, dryRun },
    replace: replacing(write, object, { settle: () => settleNamespace(request, object), isNew: true }),
  });
  if (byUpdate && isSince(request.definition, WIPES_ALWAYS)) wipeServerMetadata(object);
  if (byUpdate) dropVersion(write, object);
  dropOwnersRepeatedByAdmission(request, object);
  const { name = '', generateName = '' } = object.metadata;
  // A missing name is reported together with the other errors.
  if (generateName === '') return await completeAndStore(write, object);
  if (name !== '') return await named(write, object);
  const attempts = registry.gateEnabled('RetryGenerateName') ? NAME_ATTEMPTS : 1;
  for (let attempt = 1; ; attempt++) {
    const next = copyObject(request.definition, object);
    next.metadata.name = nameFor(write, generateName);
    try {
      return await completeAndStore(write, next);
    } catch (error) {
      if (!isTaken(error)) throw error;
      if (attempt === attempts) throw errors.generateNameConflict({ group, resource, name: next.metadata.name });
    }
  }
}

/** The name for a generateName. */
function nameFor({ registry, request }: Write, generateName: string): string {
  const { nameRule } = request.definition.strategy;
  const generate = typeof nameRule === 'string' ? undefined : nameRule.generate;
  return generate?.(generateName) ?? generatedName(generateName, registry.random);
}

/** A dry run stores nothing and returns the version. @throws ApiError 500 for an invalid one */
function dropVersion({ dryRun }: Write, { metadata }: ApiObject): void {
  writtenRevision(metadata.resourceVersion ?? '');
  if (!dryRun) metadata.resourceVersion = undefined;
}

/** With generateName, Kubernetes reports a missing generated name, even if the object has a name. */
async function named(write: Write, object: ApiObject): Promise<StoredObject> {
  try {
    return await completeAndStore(write, object);
  } catch (error) {
    const { group, resource } = write.request.definition;
    if (!isTaken(error)) throw error;
    throw errors.generateNameConflict({ group, resource, name: object.metadata.name ?? '' });
  }
}

/** Sets server metadata, then allocates, runs the strategy, and stores the object. */
async function completeAndStore(write: Write, object: ApiObject): Promise<StoredObject> {
  const { registry, request } = write;
  const { strategy } = request.definition;
  fillNewMetadata(object, registry.times, registry.random);
  if (hasGeneration(strategy, write.gateEnabled)) object.metadata.generation = 1;
  const context = write.strategyContext();
  strategy.dropGated?.(object, context);
  strategy.prepareForCreate?.(object, context);
  let isStored = false;
  try {
    // A create through the status subresource gets no allocations.
    const allocating = request.subresource === '' && registry.allocations.allocate(write, object, undefined);
    if (allocating) await allocating;
    const stored = await validateAndStore(write, object);
    isStored = true;
    return stored;
  } finally {
    await write.endAttempt(isStored);
  }
}

/** Validation errors of a new object, in the order of its kind. Declared rules replace some hand-written ones. */
function validateNew(write: Write, object: ApiObject, context: StrategyContext): FieldErrors {
  const { request, empties } = write;
  const { definition } = request;
  const { strategy, storage } = definition;
  const { create: steps = defaultCreateChecks } = strategy.checks ?? {};
  const checks: Readonly<Record<CreateCheck, () => FieldErrors>> = {
    metadata: () => validateMetadata(definition, object, context),
    content: () => withEmptyMembers(object, empties, (given) => strategy.validate?.(given, context) ?? NONE),
    creation: () => withEmptyMembers(object, empties, (given) => strategy.validateCreate?.(given, context) ?? NONE),
  };
  const own = joined(...steps.map((check) => checks[check]()));
  const declared = {
    type: storage.schema,
    previous: undefined,
    context,
    isKnown: optsIn(storage.schema, ''),
  };
  const found = withEmptyMembers(object, empties, (next) => withDeclaredRules(own, { ...declared, next }));
  // What the common rules for names imply need not be checked again.
  const isChecked = steps.includes('metadata') && typeof strategy.nameRule === 'string';
  return found.length > 0 || isChecked ? found : validateCommonMetadata(definition, object);
}

async function validateAndStore(write: Write, object: ApiObject): Promise<StoredObject> {
  const { request, turn, empties, dryRun } = write;
  const { definition, warnings, phases, life } = request;
  const { strategy } = definition;
  const context = { ...write.strategyContext(), isFinal: empties.length === 0 };
  await write.pause();
  refuseOtherKind(write, object);
  const validated = write.inSlices(() => validateNew(write, write.leftovers.asGiven(object), context));
  const found = isLater(validated) ? await validated : validated;
  if (found.length > 0) throw await refusal(write, object, found);
  const warning = computed(() => strategy.warnings?.(object, undefined, context) ?? [], turn);
  const warned = isLater(warning) ? await warning : warning;
  for (const text of warningsInRelease(warned, request.definition)) warnings.push(text);
  await write.admission.validate({ request, operation: 'create', object, previous: undefined, dryRun }, write);
  await write.pause();
  const isFilledIn = strategy.defaultsOnRead?.(object, context) === true;
  const leftovers = write.leftovers.written;
  const { isApply: keepsManagers } = write.options;
  // An update or apply creates the object of its path, whatever admission calls it.
  const name = request.name === '' ? undefined : request.name;
  const stored = { object, name, dryRun, keepsManagers, isFilledIn, leftovers };
  return await storeNew(write.registry, { definition, turn, phases, life }, stored);
}

/** Field errors of an object. */
function invalid({ definition }: ResourceRequest, object: ApiObject, found: readonly FieldError[]) {
  // With its stored type: events of the newer group are reported as core events.
  const { group, kind } = definition.storage;
  return errors.invalid({ group, kind, name: object.metadata.name ?? '' }, inReleaseWords(found, definition));
}

/**
 * Rejects an object of another kind without validating it any further; updates of a status keep the kind.
 * @throws ApiError 422
 */
export function refuseOtherKind({ request, otherKind: kind }: Write, { metadata }: ApiObject): void {
  if (kind !== undefined && request.subresource !== 'status')
    throw otherKind(request.definition, kind, metadata.name ?? '');
}

/** Like `invalid`, in slices for many errors. */
export function refusal(write: Write, object: ApiObject, found: readonly FieldError[]): Soon<ApiError> {
  return write.inSlices(() => invalid(write.request, object, found));
}

export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'AlreadyExists';
}
