// Preparation shared by all updates, once the next state of an object is known: what the server keeps is put back, the
// generation is counted, admission is asked and the change is validated. Update, patch, status and scale share it.

import type { AdmissionRequest } from '../admission/chain.ts';
import { errors, fieldError, MODIFIED } from '../api/errors.ts';
import { equalJson } from '../api/json-equal.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, Json } from '../api/object.ts';
import type { EmptyMember } from '../schema/decode.ts';
import { replacing } from './admitted-object.ts';
import { invalid } from './create.ts';
import { withOwnedMembers } from './empty-members.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { isUnchanged, trackUpdate } from './ownership.ts';
import type { ResourceRequest } from './resource-request.ts';
import { writtenRevision } from './resource-version.ts';
import { validateUpdate } from './update-validation.ts';
import type { Write } from './write.ts';

interface UpdateStep {
  /** In the storage version, freshly decoded; changed in place. */
  readonly next: ApiObject;
  readonly previous: ApiObject;
  /** Whether `next` says already who owns what. */
  readonly ownershipSettled?: boolean;
  /** What the client wrote where that is an object of another kind, for admission. */
  readonly shown?: AdmissionRequest['shown'];
  /** How what webhooks make of it is put in its place. */
  readonly replace?: AdmissionRequest['replace'];
}

/**
 * The version that an update names must be the current one; none, or 0, means any where the kind allows it.
 * @throws ApiError 409 for another version, 422 where one is needed, 500 for what is not a version
 */
export function checkVersion(request: ResourceRequest, next: ApiObject, previous: ApiObject): void {
  const { definition, name } = request;
  const revision = writtenRevision(next.metadata.resourceVersion ?? '');
  if (revision === 0) {
    if (definition.strategy.unconditionalUpdate) return;
    // The resource, not the kind, stands in this message, and the version as a number: so clients know it.
    throw errors.invalid({ group: definition.group, kind: definition.resource, name }, [
      fieldError.invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  }
  if (String(revision) !== previous.metadata.resourceVersion) {
    throw errors.conflict({ group: definition.group, resource: definition.resource, name }, MODIFIED);
  }
}

/**
 * Makes `next` what is to be stored. What is reserved for it on the way is the write's, which knows whether it came to
 * be stored.
 * @returns `next`, or `previous` where they do not differ
 * @throws ApiError 403 and 422
 */
export async function prepareUpdate(write: Write, step: UpdateStep): Promise<ApiObject> {
  const { registry, request, turn, admission, dryRun } = write;
  const { next, previous, shown } = step;
  await trackAndKeep(write, step);
  if (turn !== undefined) await turn.over();
  const { load } = request.definition.strategy;
  if (load !== undefined) await load();
  const asked = { request, operation: 'update', object: next, previous, dryRun, shown } as const;
  const mutating = admission.admit({
    ...asked,
    replace:
      step.replace ??
      replacing(write, next, () => {
        if (request.subresource !== '') keepAll(write, step);
      }),
  });
  if (mutating !== undefined) await mutating;
  next.metadata.resourceVersion = previous.metadata.resourceVersion;
  if (request.subresource === '') keepAll(write, step);
  const isSaid = saysAnother(write, step);
  prepareByStrategy(write, step);
  if (turn !== undefined) await turn.over();
  shareUnchanged(write, step);
  countGeneration(write, step, isSaid);
  dropRepeatedOwners(request, next, true);
  const allocating = request.subresource === '' && registry.allocations.allocate(write, next, previous);
  if (allocating) await allocating;
  if (turn !== undefined) await turn.over();
  validate(write, step);
  if (turn !== undefined) await turn.over();
  const validating = admission.validate(asked, write);
  if (validating !== undefined) await validating;
  return isUnchanged(next, previous) ? previous : next;
}

/**
 * Notes who said what, and puts back what a subresource can't change: mutating admission sees what the client said.
 * As in Kubernetes, ownership follows what was sent, also where it is put back afterwards.
 */
async function trackAndKeep(write: Write, step: UpdateStep): Promise<void> {
  if (write.turn !== undefined) await write.turn.over();
  // What the kind's rules and admission add belongs to nobody.
  if (step.ownershipSettled !== true) {
    const tracking = trackUpdate(write, step);
    if (tracking !== undefined) await tracking;
  }
  if (write.request.subresource !== '') keepAll(write, step);
}

/** What the kind's rules make of an object; those of a subresource have had their say. */
function prepareByStrategy(write: Write, { next, previous }: UpdateStep): void {
  const { subresource, definition } = write.request;
  const { strategy } = definition;
  if (subresource === 'status') return;
  strategy.dropGated?.(next, { ...write.strategyContext(), gateEnabled: write.gateEnabled });
  if (strategy.subresourceRules?.[subresource] !== undefined) return;
  strategy.prepareForUpdate?.(next, previous, write.strategyContext());
}

function keepAll(write: Write, step: UpdateStep): void {
  keepUnwritable(write, step);
  keepDeletion(step.next, step.previous);
}

/** Puts back what the request can't change. */
function keepUnwritable(write: Write, step: UpdateStep): void {
  const { request } = write;
  const { next, previous } = step;
  const { strategy } = request.definition;
  keepServerMetadata(next, previous);
  const ofSubresource = strategy.subresourceRules?.[request.subresource];
  if (request.subresource === 'status') keepAllButStatus(write, step);
  else if (ofSubresource !== undefined) {
    ofSubresource.prepareForUpdate?.(next, previous, write.strategyContext());
  } else if (strategy.hasStatus) next.status = copyJson(previous.status);
}

/** What clients can't change. */
function keepServerMetadata(next: ApiObject, previous: ApiObject): void {
  const { metadata } = next;
  const old = previous.metadata;
  metadata.creationTimestamp = old.creationTimestamp;
  metadata.selfLink = undefined;
  metadata.generation = old.generation;
  if ((metadata.uid ?? '') === '') metadata.uid = old.uid;
}

/** A deletion under way stays under way. Another period than it has is refused, so only none is put back. */
function keepDeletion({ metadata }: ApiObject, { metadata: old }: ApiObject): void {
  if (old.deletionTimestamp !== undefined) metadata.deletionTimestamp = old.deletionTimestamp;
  metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
}

function keepAllButStatus(write: Write, { next, previous }: UpdateStep): void {
  for (const member of Object.keys(next)) if (!NO_CONTENT.has(member)) delete next[member];
  for (const [member, value] of Object.entries(previous)) if (!NO_CONTENT.has(member)) next[member] = copyJson(value);
  const { strategy } = write.request.definition;
  for (const member of strategy.statusKeeps ?? []) next.metadata[member] = copyJson(previous.metadata[member]) as never;
  strategy.prepareForStatusUpdate?.(next, previous, write.strategyContext());
}

/**
 * Members that did not change become those of the previous object, which nobody changes: they are compared once, here,
 * and every comparison that follows sees at once that they are the same. Not where something is still written into
 * them: what the server gives out, the form that a definition stores, the empty members that validation looks at.
 */
function shareUnchanged({ registry, request, empties }: Write, { next, previous }: UpdateStep): void {
  const { definition } = request;
  const isComplete = definition.storedForm === undefined && empties.length === 0 && !definition.strategy.keepsTexts;
  if (!isComplete || registry.allocations.concern(definition)) return;
  for (const name in next) {
    const value = next[name];
    if (name === 'metadata' || typeof value !== 'object' || value === null) continue;
    if (equalJson(value, previous[name])) next[name] = previous[name] as Json;
  }
}

/** Whether a write of a kind that counts it says other content, of which some may be dropped. */
function saysAnother({ request, empties }: Write, { next, previous }: UpdateStep): boolean {
  if (request.definition.strategy.generationTellsDropped !== true) return false;
  const dropped = empties.filter(({ gated }) => gated !== undefined);
  return withOwnedMembers(next, dropped, () => !equalContent(next, previous));
}

function countGeneration(write: Write, { next, previous }: UpdateStep, isSaid: boolean): void {
  const { request, empties, leftovers } = write;
  const { generation, generationRaisedBy: also, generationTellsEmpty } = request.definition.strategy;
  if (!generation || also === 'never' || request.subresource === 'status') return;
  // What is stored has no member that is empty: one that is given is another than none.
  const isEmptied = generationTellsEmpty === true && (empties.some(isEmptyContent) || leftovers.areOther);
  const changed =
    isSaid ||
    isEmptied ||
    !equalContent(next, previous) ||
    (also !== undefined && !equalJson(memberOf(next, also), memberOf(previous, also)));
  if (changed) next.metadata.generation = (previous.metadata.generation ?? 0) + 1;
}

function isEmptyContent({ path, gated }: EmptyMember): boolean {
  return gated === undefined && !NO_CONTENT.has(String(path[0]));
}

function memberOf({ metadata, status }: ApiObject, name: 'annotations' | 'labels' | 'status'): unknown {
  // An empty status is another than none.
  return name === 'status' ? status : (metadata[name] ?? {});
}

const NO_CONTENT = new Set(['kind', 'apiVersion', 'metadata', 'status']);

function equalContent(one: ApiObject, other: ApiObject): boolean {
  for (const name in one) if (!NO_CONTENT.has(name) && !equalJson(one[name], other[name])) return false;
  for (const name in other) {
    if (!NO_CONTENT.has(name) && other[name] !== undefined && one[name] === undefined) return false;
  }
  return true;
}

function validate(write: Write, { next, previous }: UpdateStep): void {
  const { request } = write;
  const { strategy, custom } = request.definition;
  const found = validateUpdate(write, { next, previous });
  if (found.length > 0) throw invalid(request, next, found);
  // Writes to the status of built-in kinds are not warned of.
  if (request.subresource === 'status' && !custom) return;
  request.warnings.push(...(strategy.warnings?.(next, previous, write.strategyContext()) ?? []));
}
