// Preparation shared by all updates (update, patch, status, scale) once the next state of an object is known: restores
// what the server controls, updates the generation, runs admission and validates the change.

import type { AdmissionRequest } from '../admission/chain.ts';
import type { FieldErrors } from '../api/errors.ts';
import { equalJson } from '../api/json-equal.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, Json } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { NONE } from '../base/findings.ts';
import { isLater } from '../base/soon.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { generationRule, hasGeneration, keepsStatus } from '../resources/strategy-rules.ts';
import type { EmptyMember } from '../schema/decode.ts';
import { hasOpaque, sameTexts } from '../schema/opaque-text.ts';
import { replacing } from './admitted-object.ts';
import { computed } from './computed.ts';
import { refusal, refuseOtherKind } from './create.ts';
import { warningsInRelease } from './earlier-warnings.ts';
import { isStillEmpty, withOwnedMembers } from './empty-members.ts';
import { settleNamespace } from './object-metadata.ts';
import { dropOwnersRepeatedByAdmission } from './owner-references.ts';
import { isUnchanged, trackUpdate } from './ownership.ts';
import { checkVersion } from './resource-version.ts';
import { validateUpdate } from './update-validation.ts';
import type { Write } from './write.ts';

interface UpdateStep {
  /** In the storage version, just decoded; modified in place. */
  readonly next: ApiObject;
  readonly previous: ApiObject;
  /** Whether `next` already has its managedFields. */
  readonly ownershipSettled?: boolean;
  /** The request body if it is an object of another kind, for admission. */
  readonly shown?: AdmissionRequest['shown'];
  /** Integrates the result of webhooks. */
  readonly replace?: AdmissionRequest['replace'];
  /** Transfers `shown`, as mutating admission has left it, to `next`. @throws ApiError */
  readonly transfer?: () => void;
  /** What validating admission sees instead of `next`: `shown` computed from it. */
  readonly judged?: () => AdmissionRequest['shown'];
}

/**
 * Turns `next` into the object to be stored. Reservations belong to the write, which knows whether it was stored.
 * @returns `next`, or `previous` if they are equal
 * @throws ApiError 403 and 422
 */
export async function prepareUpdate(write: Write, step: UpdateStep): Promise<ApiObject> {
  const { registry, request, turn, admission, dryRun } = write;
  const { next, previous, shown } = step;
  await track(write, step);
  await write.pause();
  const { load } = request.definition.strategy;
  if (load !== undefined) await load();
  const asked = { request, operation: 'update', object: next, previous, dryRun, shown } as const;
  await admission.admit({ ...asked, replace: step.replace ?? replacing(write, next) });
  dropOwnersRepeatedByAdmission(request, shown?.object ?? next);
  step.transfer?.();
  checkVersion(request, next, previous);
  next.metadata.resourceVersion = previous.metadata.resourceVersion;
  settleNamespace(request, next);
  keepUnwritable(write, step);
  keepDeletion(next, previous);
  const saying = computed(() => saysAnother(write, step), turn);
  const isSaid = isLater(saying) ? await saying : saying;
  prepareByStrategy(write, step);
  await write.pause();
  const sharing = computed(() => unchangedMembers(write, step), turn);
  for (const name of isLater(sharing) ? await sharing : sharing) next[name] = ownMember(previous, name) as Json;
  const changing = computed(() => raisesGeneration(write, step, isSaid), turn);
  if (isLater(changing) ? await changing : changing) next.metadata.generation = (previous.metadata.generation ?? 0) + 1;
  const allocating = request.subresource === '' && registry.allocations.allocate(write, next, previous);
  if (allocating) await allocating;
  await write.pause();
  const judging = admission.rights?.(asked) ?? [];
  await validate(write, step, isLater(judging) ? await judging : judging);
  await write.pause();
  await admission.validate({ ...asked, shown: step.judged?.() ?? shown }, write);
  const comparing = computed(() => isUnchanged(request.definition.storage.schema, next, previous), turn);
  return (isLater(comparing) ? await comparing : comparing) ? previous : next;
}

/**
 * Updates managedFields, unless the verb has done so. As in Kubernetes, ownership and mutating admission follow what was
 * sent, even if it is restored afterwards.
 */
async function track(write: Write, step: UpdateStep): Promise<void> {
  await write.pause();
  // Fields added by the strategy and by admission have no owner.
  if (step.ownershipSettled === true) return;
  await trackUpdate(write, step);
}

/** The strategy's preparation of an object; that of a subresource has run before. */
function prepareByStrategy(write: Write, { next, previous }: UpdateStep): void {
  const { subresource, definition } = write.request;
  const { strategy } = definition;
  if (subresource === 'status') return;
  strategy.dropGated?.(next, { ...write.strategyContext(), gateEnabled: write.gateEnabled });
  if (ownMember(strategy.subresources, subresource) !== undefined) return;
  strategy.prepareForUpdate?.(next, previous, write.strategyContext());
}

/** Whether a path is that of a member of the status. */
function isInStatus(path: EmptyMember['path'], member: string): boolean {
  return path.length === 2 && path[0] === 'status' && path[1] === member;
}

/** Restores what the request cannot change. */
function keepUnwritable(write: Write, step: UpdateStep): void {
  const { request } = write;
  const { next, previous } = step;
  const { strategy } = request.definition;
  keepServerMetadata(next, previous);
  // Only storing an object drops its link.
  if (!write.dryRun) next.metadata.selfLink = undefined;
  const givesEmpty = (member: string) =>
    write.empties.some(({ path, isList, gated }) => isList && gated === undefined && isInStatus(path, member));
  const rules = ownMember(strategy.subresources, request.subresource);
  if (request.subresource === 'status') keepAllButStatus(write, step);
  if (rules !== undefined) rules.prepareForUpdate?.(next, previous, { ...write.strategyContext(), givesEmpty });
  else if (keepsStatus(strategy)) keepStatus(request.definition, next, previous);
}

/**
 * An absent status stays absent: custom objects are compared, and their rules run, by the members that they have. They
 * are also pruned in place when they are stored.
 */
function keepStatus({ storedForm }: ResourceDefinition, next: ApiObject, { status }: ApiObject): void {
  if (status === undefined) delete next['status'];
  else next.status = storedForm === undefined ? status : copyJson(status);
}

/** Fields that clients cannot change. */
function keepServerMetadata(next: ApiObject, previous: ApiObject): void {
  const { metadata } = next;
  const old = previous.metadata;
  metadata.creationTimestamp = old.creationTimestamp;
  metadata.generation = old.generation;
  if ((metadata.uid ?? '') === '') metadata.uid = old.uid;
}

/** A deletion in progress cannot be undone. A different grace period is an error, so only an absent one is restored. */
function keepDeletion({ metadata }: ApiObject, { metadata: old }: ApiObject): void {
  if (old.deletionTimestamp !== undefined) metadata.deletionTimestamp = old.deletionTimestamp;
  metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
}

function keepAllButStatus(write: Write, { next, previous }: UpdateStep): void {
  for (const member of Object.keys(next)) if (!NO_CONTENT.has(member)) delete next[member];
  const shares = mayShare(write);
  for (const [member, value] of Object.entries(previous)) {
    if (!NO_CONTENT.has(member)) next[member] = shares ? value : copyJson(value);
  }
  // After the restored members, as in every other object.
  const { status } = next;
  delete next['status'];
  if (status !== undefined) next.status = status;
  const { keeps = [] } = write.request.definition.strategy.subresources?.['status'] ?? {};
  for (const member of keeps) next.metadata[member] = copyJson(previous.metadata[member]) as never;
}

/**
 * The names of unchanged fields, which are replaced by those of the previous object, which is never modified: they are
 * compared once, here, and later comparisons see identical values. Not if they are still being modified, by allocators
 * or by the stored form of a definition, nor if opaque values may have other texts.
 */
function unchangedMembers(write: Write, { next, previous }: UpdateStep): readonly string[] {
  if (!mayShare(write) || hasOpaque(write.request.definition.storage.schema)) return NONE;
  const names: string[] = [];
  for (const name in next) {
    const value = next[name];
    if (name === 'metadata' || typeof value !== 'object' || value === null) continue;
    if (equalJson(value, ownMember(previous, name))) names.push(name);
  }
  return names;
}

function mayShare({ registry, request: { definition } }: Write): boolean {
  return definition.storedForm === undefined && !registry.allocations.concern(definition);
}

/** Whether a write of a kind with a generation changes the content, part of which may be dropped. */
function saysAnother({ request, empties }: Write, { next, previous }: UpdateStep): boolean {
  if (generationRule(request.definition.strategy)?.countsDropped !== true) return false;
  const dropped = empties.filter(({ gated }) => gated !== undefined);
  return !equalContent(withOwnedMembers(next, dropped), previous);
}

function raisesGeneration(write: Write, { next, previous }: UpdateStep, isSaid: boolean): boolean {
  const { request, empties, leftovers } = write;
  const { strategy } = request.definition;
  const { also, countsEmpty } = generationRule(strategy) ?? {};
  if (!hasGeneration(strategy, write.gateEnabled) || also === 'nothing' || request.subresource === 'status')
    return false;
  // Stored objects have no empty fields, so a given one differs from an absent one.
  const isEmptied =
    countsEmpty === true &&
    (empties.some((empty) => isEmptyContent(empty) && isStillEmpty(next, empty)) || leftovers.areOther);
  return (
    isSaid ||
    isEmptied ||
    !equalContent(next, previous) ||
    !sameTexts(request.definition.storage.schema, next, previous) ||
    (also !== undefined && !equalJson(memberOf(next, also), memberOf(previous, also)))
  );
}

function isEmptyContent({ path, gated }: EmptyMember): boolean {
  return gated === undefined && !NO_CONTENT.has(String(path[0]));
}

function memberOf({ metadata, status }: ApiObject, name: 'annotations' | 'labels' | 'status'): unknown {
  // An empty status differs from an absent one.
  return name === 'status' ? status : (metadata[name] ?? {});
}

const NO_CONTENT = new Set(['kind', 'apiVersion', 'metadata', 'status']);

function equalContent(one: ApiObject, other: ApiObject): boolean {
  for (const name in one) if (!NO_CONTENT.has(name) && !equalJson(one[name], ownMember(other, name))) return false;
  for (const name in other) {
    if (!NO_CONTENT.has(name) && other[name] !== undefined && ownMember(one, name) === undefined) return false;
  }
  return true;
}

async function validate(write: Write, { next, previous }: UpdateStep, refusedRights: FieldErrors): Promise<void> {
  const { request, turn } = write;
  const { strategy } = request.definition;
  refuseOtherKind(write, next);
  const given = () => ({ next: write.leftovers.asGiven(next), previous, refusedRights });
  const judging = write.inSlices(() => validateUpdate(write, given()));
  const found = isLater(judging) ? await judging : judging;
  if (found.length > 0) throw await refusal(write, next, found);
  const rules = request.subresource === 'status' ? strategy.subresources?.['status'] : strategy;
  const warn = () => rules?.warnings?.(next, previous, write.strategyContext());
  const warning = computed(warn, turn);
  const warned = (isLater(warning) ? await warning : warning) ?? [];
  for (const text of warningsInRelease(warned, request.definition)) request.warnings.push(text);
}
