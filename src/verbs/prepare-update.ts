// Preparation shared by all updates, once the next state of an object is known: what the server keeps is put back, the
// generation is counted, admission is asked and the change is validated. Update, patch, status and scale share it.

import type { AdmissionRequest } from '../admission/chain.ts';
import { errors, fieldError, MODIFIED } from '../api/errors.ts';
import { equalJson } from '../api/json-equal.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, Json } from '../api/object.ts';
import type { EmptyMember } from '../schema/decode.ts';
import { replacing } from './admitted-object.ts';
import { invalid, type WriteContext } from './create.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { isUnchanged, trackUpdate } from './ownership.ts';
import type { ResourceRequest } from './resource-request.ts';
import { writtenRevision } from './resource-version.ts';
import { validateUpdate } from './update-validation.ts';

interface UpdateStep {
  readonly context: WriteContext;
  readonly request: ResourceRequest;
  /** In the storage version, freshly decoded; changed in place. */
  readonly next: ApiObject;
  readonly previous: ApiObject;
  readonly dryRun: boolean;
  /** Whether `next` says already who owns what. */
  readonly ownershipSettled?: boolean;
  /** What the client wrote where that is an object of another kind, for admission. */
  readonly shown?: AdmissionRequest['shown'];
  /** How what webhooks make of it is put in its place. */
  readonly replace?: AdmissionRequest['replace'];
}

/**
 * The version that an update names must be the current one; none, or 0, means any where the kind allows it. Afterwards
 * `next` has the current version.
 * @throws ApiError 409 for another version, 422 where one is needed, 500 for what is not a version
 */
export function checkVersion(request: ResourceRequest, next: ApiObject, previous: ApiObject): void {
  const { definition, name } = request;
  const revision = writtenRevision(next.metadata.resourceVersion ?? '');
  if (revision === 0) {
    if (definition.strategy.unconditionalUpdate) {
      next.metadata.resourceVersion = previous.metadata.resourceVersion;
      return;
    }
    // The resource, not the kind, stands in this message, and the version as a number: so clients know it.
    throw errors.invalid({ group: definition.group, kind: definition.resource, name }, [
      fieldError.invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  }
  if (String(revision) !== previous.metadata.resourceVersion) {
    throw errors.conflict({ group: definition.group, resource: definition.resource, name }, MODIFIED);
  }
}

/** Makes `next` what is to be stored. @throws ApiError 403 and 422 */
export async function prepareUpdate(step: UpdateStep): Promise<ApiObject> {
  const { context, request, next, previous, dryRun, shown } = step;
  const { strategy } = request.definition;
  const isStatus = request.subresource === 'status';
  const rules = context.registry.strategyContext(request.user);
  const ofSubresource = strategy.subresourceRules?.[request.subresource];
  // Kubernetes notes who says what before it puts back what a write cannot change: who says what no owner can be told
  // of leaves the object without owners. Of built-in kinds a write to the status keeps what it cannot change as it is.
  const tracksFirst = request.subresource === '' ? strategy.hasStatus : isStatus && request.definition.custom;
  if (!tracksFirst) keepUnwritable(step);
  if (request.turn !== undefined) await request.turn.over();
  // What the kind's rules and admission add belongs to nobody.
  if (step.ownershipSettled !== true) {
    const tracking = trackUpdate(context.registry.times, request, step);
    if (tracking !== undefined) await tracking;
  }
  if (tracksFirst) keepUnwritable(step);
  if (request.turn !== undefined) await request.turn.over();
  const mutating = context.admission.admit({
    request,
    operation: 'update',
    object: next,
    previous,
    dryRun,
    shown,
    replace: step.replace ?? replacing(context.registry, { request, object: next, settle: () => keepUnwritable(step) }),
  });
  if (mutating !== undefined) await mutating;
  if (!isStatus && ofSubresource === undefined) strategy.prepareForUpdate?.(next, previous, rules);
  if (request.turn !== undefined) await request.turn.over();
  shareUnchanged(step);
  if (!isStatus) countGeneration(step);
  dropRepeatedOwners(request, next, true);
  if (request.subresource === '') {
    const allocating = context.registry.allocations.allocate(request.definition, { next, previous, dryRun });
    if (allocating !== undefined) return validateAllocated(step, allocating);
  }
  if (request.turn !== undefined) await request.turn.over();
  validate(step);
  if (request.turn !== undefined) await request.turn.over();
  const admitting = admitValid(step);
  if (admitting !== undefined) await admitting;
  if (!isUnchanged(next, previous)) return next;
  await context.registry.allocations.settle(next, false);
  return previous;
}

/** The last word of admission; what it notes is taken back with what was given to the object. */
function admitValid({ context, request, next, previous, dryRun, shown }: UpdateStep): Promise<void> | undefined {
  const admitting = context.admission.validate({ request, operation: 'update', object: next, previous, dryRun, shown });
  return admitting?.then((undo) => {
    if (undo !== undefined) context.registry.allocations.undoUnlessStored(next, undo);
  });
}

/** As the end of prepareUpdate, for objects that are given something: a change that is not stored gives it back. */
async function validateAllocated(step: UpdateStep, allocating: Promise<void>): Promise<ApiObject> {
  const { context, next, previous } = step;
  await allocating;
  let changed = false;
  try {
    validate(step);
    await admitValid(step);
    changed = !isUnchanged(next, previous);
  } finally {
    if (!changed) await context.registry.allocations.settle(next, false);
  }
  return changed ? next : previous;
}

/** Puts back what the request can't change. */
function keepUnwritable(step: UpdateStep): void {
  const { context, request, next, previous } = step;
  const { strategy } = request.definition;
  keepServerMetadata(next, previous);
  const ofSubresource = strategy.subresourceRules?.[request.subresource];
  if (request.subresource === 'status') keepAllButStatus(step);
  else if (ofSubresource !== undefined) {
    ofSubresource.prepareForUpdate?.(next, previous, context.registry.strategyContext(request.user));
  } else if (strategy.hasStatus) next.status = copyJson(previous.status);
}

/** What clients can't change. A deletion under way stays under way, whatever they send. */
function keepServerMetadata(next: ApiObject, previous: ApiObject): void {
  const { metadata } = next;
  const old = previous.metadata;
  metadata.creationTimestamp = old.creationTimestamp;
  metadata.selfLink = undefined;
  metadata.generation = old.generation;
  if ((metadata.uid ?? '') === '') metadata.uid = old.uid;
  if (old.deletionTimestamp !== undefined) {
    metadata.deletionTimestamp = old.deletionTimestamp;
    metadata.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
}

function keepAllButStatus({ context, request, next, previous }: UpdateStep): void {
  for (const member of Object.keys(next)) if (!NO_CONTENT.has(member)) delete next[member];
  for (const [member, value] of Object.entries(previous)) if (!NO_CONTENT.has(member)) next[member] = copyJson(value);
  const { strategy } = request.definition;
  for (const member of strategy.statusKeeps ?? []) next.metadata[member] = copyJson(previous.metadata[member]) as never;
  strategy.prepareForStatusUpdate?.(next, previous, context.registry.strategyContext(request.user));
}

/**
 * Members that did not change become those of the previous object, which nobody changes: they are compared once, here,
 * and every comparison that follows sees at once that they are the same. Not where something is still written into
 * them: what the server gives out, the form that a definition stores, the empty members that validation looks at.
 */
function shareUnchanged({ context, request, next, previous }: UpdateStep): void {
  const { definition, empties } = request;
  const isFinal = definition.storedForm === undefined && empties.length === 0;
  if (!isFinal || context.registry.allocations.concern(definition)) return;
  for (const name in next) {
    const value = next[name];
    if (name === 'metadata' || typeof value !== 'object' || value === null) continue;
    if (equalJson(value, previous[name])) next[name] = previous[name] as Json;
  }
}

function countGeneration({ request, next, previous }: UpdateStep): void {
  const { generation, generationRaisedBy: also, generationTellsEmpty } = request.definition.strategy;
  if (!generation || also === 'never') return;
  // What is stored has no member that is empty: one that is given is another than none.
  const isEmptied = generationTellsEmpty === true && request.empties.some(isEmptyContent);
  const changed =
    isEmptied ||
    !equalContent(next, previous) ||
    (also !== undefined && !equalJson(memberOf(next, also), memberOf(previous, also)));
  if (changed) next.metadata.generation = (previous.metadata.generation ?? 0) + 1;
}

function isEmptyContent({ path, gated }: EmptyMember): boolean {
  return gated === undefined && !NO_CONTENT.has(String(path[0]));
}

function memberOf({ metadata, status }: ApiObject, name: 'annotations' | 'labels' | 'status'): unknown {
  return (name === 'status' ? status : metadata[name]) ?? {};
}

const NO_CONTENT = new Set(['kind', 'apiVersion', 'metadata', 'status']);

function equalContent(one: ApiObject, other: ApiObject): boolean {
  for (const name in one) if (!NO_CONTENT.has(name) && !equalJson(one[name], other[name])) return false;
  for (const name in other) {
    if (!NO_CONTENT.has(name) && other[name] !== undefined && one[name] === undefined) return false;
  }
  return true;
}

function validate({ context, request, next, previous }: UpdateStep): void {
  const { strategy, custom } = request.definition;
  const rules = context.registry.strategyContext(request.user);
  const found = validateUpdate(request, { next, previous }, rules);
  if (found.length > 0) throw invalid(request, next, found);
  if (request.subresource === 'status' && !custom && strategy.warnsOfStatus !== true) return;
  request.warnings.push(...(strategy.warnings?.(next, previous, rules) ?? []));
}
