// The verb create: a new object under a free name.

import type { Admission } from '../admission/chain.ts';
import { errors, type FieldError, type FieldErrors } from '../api/errors.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject } from '../api/object.ts';
import { joined, NONE } from '../base/findings.ts';
import type { ResourceDefinition, StrategyContext } from '../resources/definition.ts';
import { withDeclaredRules } from '../resources/validation/declarative-validation.ts';
import { replacing } from './admitted-object.ts';
import { decodeBody } from './decode-body.ts';
import { withEmptyMembers } from './empty-members.ts';
import { fillNewMetadata, generatedName, settleNamespace } from './object-metadata.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { trackCreation } from './ownership.ts';
import type { Registry } from './registry.ts';
import type { RequestBody, ResourceRequest, StoredObject } from './resource-request.ts';
import { validateMetadata } from './update-validation.ts';
import { storeNew } from './write-object.ts';
import { type WriteOptions, writeOptions } from './write-options.ts';

/** What writes need beyond reads. */
export interface WriteContext {
  readonly registry: Registry;
  readonly admission: Admission;
}

const NAME_ATTEMPTS = 8;

/** @throws ApiError 400, 409 and 422 as Kubernetes answers each fault */
export async function createObject(
  context: WriteContext,
  request: ResourceRequest,
  body: RequestBody,
): Promise<StoredObject> {
  const options = writeOptions(request.query, 'CreateOptions');
  request.turn = body.turn;
  if (request.turn !== undefined) await request.turn.over();
  const object = decodeBody(request, body, {
    fieldValidation: options.fieldValidation,
    rules: context.registry.strategyContext(request.user),
  });
  dropRepeatedOwners(request, object, false);
  // Awaited here and below: what an async function returns unawaited settles two turns later.
  return await createDecoded(context, request, { object, options });
}

/** Creates an object that is already in its storage version; also how updates and applies create. */
export async function createDecoded(
  context: WriteContext,
  request: ResourceRequest,
  create: { object: ApiObject; options: WriteOptions; ownershipSettled?: boolean },
): Promise<StoredObject> {
  const { definition } = request;
  const { group, resource } = definition;
  const { object, options } = create;
  settleNamespace(request, object);
  const { refusesCreation } = definition.strategy;
  if (refusesCreation !== undefined) {
    throw errors.forbidden({ group, resource, name: object.metadata.name ?? '' }, refusesCreation);
  }
  object.metadata.deletionTimestamp = undefined;
  object.metadata.deletionGracePeriodSeconds = undefined;
  if (request.turn !== undefined) await request.turn.over();
  // What admission and the kind's rules add belongs to nobody.
  if (create.ownershipSettled !== true) trackCreation(context.registry.times, request, object);
  const { dryRun } = options;
  if (request.turn !== undefined) await request.turn.over();
  const admitting = context.admission.admit({
    request,
    operation: 'create',
    object,
    previous: undefined,
    dryRun,
    replace: replacing(context.registry, { request, object, settle: () => settleNamespace(request, object) }),
  });
  if (admitting !== undefined) await admitting;
  dropRepeatedOwners(request, object, true);
  const { name = '', generateName = '' } = object.metadata;
  // One without a name is refused like any other fault, together with what else is wrong.
  if (name !== '' || generateName === '') return await completeAndStore(context, request, create);
  for (let attempt = 1; ; attempt++) {
    const named = copyJson(object);
    named.metadata.name = generatedName(generateName, context.registry.random);
    try {
      return await completeAndStore(context, request, { object: named, options });
    } catch (error) {
      if (!isTaken(error)) throw error;
      if (attempt === NAME_ATTEMPTS) throw errors.generateNameConflict({ group, resource, name: named.metadata.name });
    }
  }
}

/** What the server itself says of a new object, then its kind's rules, then the store. */
async function completeAndStore(
  context: WriteContext,
  request: ResourceRequest,
  create: { object: ApiObject; options: WriteOptions },
): Promise<StoredObject> {
  const { registry } = context;
  const { strategy } = request.definition;
  fillNewMetadata(create.object, registry.times, registry.random);
  if (strategy.generation) create.object.metadata.generation = 1;
  const rules = registry.strategyContext(request.user);
  request.warnings.push(...(strategy.creationWarnings?.(create.object, rules) ?? []));
  strategy.prepareForCreate?.(create.object, rules);
  const { object, options } = create;
  const { allocations } = registry;
  const allocating = allocations.allocate(request.definition, {
    next: object,
    previous: undefined,
    dryRun: options.dryRun,
  });
  if (allocating === undefined) return await validateAndStore(context, request, create);
  await allocating;
  let stored = false;
  try {
    const written = await validateAndStore(context, request, create);
    stored = true;
    return written;
  } finally {
    await allocations.settle(object, stored);
  }
}

function validateContent(definition: ResourceDefinition, object: ApiObject, context: StrategyContext): FieldErrors {
  const { strategy, storage } = definition;
  const found = joined(
    strategy.validate?.(object, context) ?? NONE,
    strategy.validateCreate?.(object, context) ?? NONE,
  );
  if (strategy.declaredRulesFor?.includes('') !== true) return found;
  return withDeclaredRules(found, { type: storage.schema, next: object, previous: undefined, context });
}

async function validateAndStore(
  context: WriteContext,
  request: ResourceRequest,
  create: { object: ApiObject; options: WriteOptions },
): Promise<StoredObject> {
  const { definition } = request;
  const { object, options } = create;
  const rules = { ...context.registry.strategyContext(request.user), isFinal: request.empties.length === 0 };
  if (request.turn !== undefined) await request.turn.over();
  const { strategy } = definition;
  const ofContent = withEmptyMembers(object, request.empties, () => validateContent(definition, object, rules));
  const isMetadataSpared = strategy.checksMetadataLast === true && ofContent.length > 0;
  const found = joined(isMetadataSpared ? NONE : validateMetadata(definition, object), ofContent);
  if (found.length > 0) throw invalid(request, object, found);
  request.warnings.push(...(definition.strategy.warnings?.(object, undefined, rules) ?? []));
  const { dryRun } = options;
  const admitting = context.admission.validate({ request, operation: 'create', object, previous: undefined, dryRun });
  const undo = admitting === undefined ? undefined : await admitting;
  if (request.turn !== undefined) await request.turn.over();
  try {
    return await storeNew(context.registry, request, { object, dryRun });
  } catch (error) {
    await undo?.();
    throw error;
  }
}

/** Field errors of an object. */
export function invalid({ definition }: ResourceRequest, object: ApiObject, found: readonly FieldError[]) {
  // Named as it is stored: events of the newer group answer as events of the core.
  const { group, kind } = definition.storage;
  return errors.invalid({ group, kind, name: object.metadata.name ?? '' }, found);
}

export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'AlreadyExists';
}
