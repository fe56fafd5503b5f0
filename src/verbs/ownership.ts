// Who owns which fields of an object after a write: metadata.managedFields kept current by creates, updates and all
// patches but applies, which know themselves. It never makes a write fail.

import { equalJson } from '../api/json-equal.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { fieldManagerOf } from '../apply/field-manager.ts';
import { type FieldNode, LEAF } from '../apply/field-set.ts';
import { ItemError } from '../apply/list-items.ts';
import { isReset, type Manager, parseManagers, readManagers, writeManagers } from '../apply/managers.ts';
import { VersionError } from '../apply/typed-object.ts';
import { managersAfterUpdate, type Update } from '../apply/update.ts';
import type { Clock } from '../base/clock.ts';
import { timestamp } from './object-metadata.ts';
import { conversionOf, emptyObject, typedObject } from './object-versions.ts';
import type { ResourceRequest } from './resource-request.ts';

/** Makes the creator the owner of all that it said and of what was filled in. Changes its argument. */
export function trackCreation(clock: Clock, request: ResourceRequest, object: ApiObject): void {
  const { definition, version } = request;
  object.metadata.managedFields = undefined;
  settle(object, [], {
    ...writer(clock, request),
    live: emptyObject(definition, version),
    next: typedObject(definition, version, object),
  });
}

/** Makes the writer the owner of what it changed. `next` is changed. */
export function trackUpdate(clock: Clock, request: ResourceRequest, change: { next: ApiObject; previous: ApiObject }) {
  const { definition, version } = request;
  const { next, previous } = change;
  const managers = managersSaid(request, change);
  if (managers.length === 0) {
    next.metadata.managedFields = undefined;
    return;
  }
  // The entries themselves are nobody's, and equal ones need no comparison.
  next.metadata.managedFields = previous.metadata.managedFields;
  settle(next, managers, {
    ...writer(clock, request),
    live: typedObject(definition, version, previous),
    next: typedObject(definition, version, next),
  });
}

/** Who writes, when, and what its write can't change. */
export function writer(clock: Clock, request: ResourceRequest): Pick<Update, 'by' | 'now' | 'convert' | 'ignored'> {
  const fieldManager = request.query.text('fieldManager');
  return {
    by: { name: fieldManagerOf({ fieldManager, userAgent: request.userAgent }), subresource: request.subresource },
    now: timestamp(clock.now()),
    convert: conversionOf(request.definition),
    ignored: ignoredFields(request),
  };
}

function settle(object: ApiObject, managers: readonly Manager[], update: Update): void {
  try {
    object.metadata.managedFields = writeManagers(managersAfterUpdate(update, managers));
  } catch (error) {
    if (!(error instanceof VersionError) && !(error instanceof ItemError)) throw error;
    // What can't be told is forgotten, as Kubernetes does.
    object.metadata.managedFields = undefined;
  }
}

/** The entries that an update starts from: those it sends where they make sense, else the live ones. */
function managersSaid(request: ResourceRequest, { next, previous }: { next: ApiObject; previous: ApiObject }) {
  const sent = next.metadata.managedFields ?? [];
  const live = previous.metadata.managedFields;
  if (request.subresource !== '' || sent.length === 0 || equalJson(sent, live)) return readManagers(live);
  if (isReset(sent)) return [];
  return parseManagers(sent) ?? readManagers(live);
}

/**
 * What a write leaves as it is whatever it says: a write to the object its status, one to the status all else. Of
 * other subresources the kind's rules have put back what is not theirs.
 */
export function ignoredFields({ definition, version, subresource }: ResourceRequest): FieldNode | undefined {
  const { behaviour } = definition;
  if (subresource === '') return behaviour.hasStatus ? STATUS : undefined;
  if (subresource !== 'status') return undefined;
  const ignored: Record<string, FieldNode> = {};
  for (const name of version.schema.jsonFields.keys()) if (!OF_STATUS.has(name)) ignored[`f:${name}`] = LEAF;
  const kept = behaviour.statusKeeps ?? [];
  if (kept.length > 0) ignored['f:metadata'] = Object.fromEntries(kept.map((name) => [`f:${name}`, LEAF]));
  return ignored;
}

const STATUS: FieldNode = Object.freeze({ 'f:status': LEAF });
const OF_STATUS = new Set(['kind', 'apiVersion', 'metadata', 'status']);

/** Whether two states of an object differ in nothing but the times of their entries. */
export function isUnchanged(next: ApiObject, previous: ApiObject): boolean {
  const { metadata, ...rest } = next;
  const { metadata: oldMetadata, ...oldRest } = previous;
  const { managedFields, ...others } = metadata;
  const { managedFields: oldManagedFields, ...oldOthers } = oldMetadata;
  return (
    equalJson(others, oldOthers) &&
    equalJson(rest, oldRest) &&
    equalJson(managedFields?.map(withoutTime), oldManagedFields?.map(withoutTime))
  );
}

function withoutTime({ time: _time, ...entry }: JsonObject): JsonObject {
  return entry;
}
