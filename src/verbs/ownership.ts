// Field ownership of a write: maintains metadata.managedFields for creates, updates and all patches except applies,
// which do so themselves. Never makes a write fail.

import { ApiError } from '../api/errors.ts';
import { apiVersionOf } from '../api/group-version.ts';
import { equalJson } from '../api/json-equal.ts';
import type { ApiObject, JsonObject, ObjectMeta } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { managersAfterCreation } from '../apply/creation.ts';
import { fieldManagerOf } from '../apply/field-manager.ts';
import { type FieldNode, LEAF } from '../apply/field-set.ts';
import { ItemError } from '../apply/list-items.ts';
import { isReset, type Manager, parseManagers, readManagers, writeManagers } from '../apply/managers.ts';
import { isMistyped } from '../apply/type-faults.ts';
import { type Convert, type TypedObject, VersionError } from '../apply/typed-object.ts';
import { fieldSetOf } from '../apply/typed-walk.ts';
import { managersAfterUpdate, type Update } from '../apply/update.ts';
import { hasParts, part } from '../base/resumed.ts';
import type { Soon } from '../base/soon.ts';
import { isSince } from '../lifecycle/version.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { keepsStatus } from '../resources/strategy-rules.ts';
import type { EmptyMember } from '../schema/decode-state.ts';
import type { StructNode } from '../schema/node.ts';
import { sameTexts } from '../schema/opaque-text.ts';
import { computed } from './computed.ts';
import { withOwnedMembers } from './empty-members.ts';
import { conversionOf, emptyObject, typedObject } from './object-versions.ts';
import type { Registry } from './registry.ts';
import type { ResourceRequest } from './resource-request.ts';
import type { Times } from './times.ts';
import { withConversions } from './version-conversion.ts';
import type { Write } from './write.ts';

/**
 * Makes the creator the manager of all fields in the body and of defaults. Entries in the body are kept as far as they
 * own other fields, unless a webhook converts versions. Modifies its argument, synchronously unless the object is long.
 */
export function trackCreation(write: Write, object: ApiObject): Soon<void> {
  const { registry, request, empties, turn } = write;
  const { definition, version } = request;
  const sent = entriesOfNew(object, request);
  object.metadata.managedFields = undefined;
  const { by, now, ignored } = writer(registry.times, request);
  const isLong = turn !== undefined;
  const run = (convert: Convert): void => {
    const given = withOwnedMembers(object, empties);
    const created = part(() => typedObject(definition, version, given));
    // The ownership of values of a wrong type cannot be determined.
    if (definition.codec.mayBeMistyped && part(() => isMistyped(created.type, created.value, isLong))) return;
    const empty = emptyObject(definition, version);
    const said = part(() => parseManagers(sent) ?? []);
    settle(object, undefined, () =>
      said.length > 0
        ? managersAfterUpdate({ by, now, ignored, live: empty, next: created, convert }, said)
        : managersAfterCreation({ empty, created, by, now, ignored, isLong }),
    );
  };
  // Only entries in the body may be of other versions.
  if (sent.length === 0) return computed(() => run(conversionOf(definition)), turn);
  return withConversions({ definition, run, turn });
}

/** An object that the server creates itself. */
interface OwnMaking {
  readonly object: ApiObject;
  /** The fields set by the creator, in the storage version; all others are defaults. */
  readonly said: JsonObject;
  /** The manager; `kube-apiserver` by default. */
  readonly manager?: string | undefined;
  /** The manager of its applied status; absent if none. */
  readonly statusManager?: string | undefined;
  /** The applied part of the status; all of it by default. */
  readonly status?: JsonObject;
}

/**
 * Makes the given managers owners of their fields in an object that the server creates itself. Modifies its argument.
 */
export function trackMaking({ times }: Registry, definition: ResourceDefinition, making: OwnMaking) {
  const { object, said, manager = 'kube-apiserver', statusManager } = making;
  const [version] = definition.versions;
  if (version === undefined) return;
  const now = times.now();
  const metadata = said['metadata'] as ObjectMeta | undefined;
  const managers = managersAfterCreation({
    empty: emptyObject(definition, version),
    created: typedObject(definition, version, { ...said, metadata: metadata ?? {} }),
    ignored: keepsStatus(definition.strategy) ? STATUS : undefined,
    by: { name: manager, subresource: '' },
    now,
  });
  const status = making.status ?? object['status'];
  if (statusManager === undefined || status === undefined) {
    object.metadata.managedFields = writeManagers(managers);
    return;
  }
  const { type, apiVersion, value } = typedObject(definition, version, { metadata: {}, status });
  const { metadata: _metadata, ...applied } = value;
  const by = { name: statusManager, operation: 'Apply', apiVersion, subresource: 'status', time: now } as const;
  object.metadata.managedFields = writeManagers([{ ...by, fields: fieldSetOf(type, applied) }, ...managers]);
}

/**
 * Makes the writer the manager of the fields that it changed. Modifies `next`, synchronously unless it is long or a
 * webhook converts versions.
 */
export function trackUpdate(write: Write, change: { next: ApiObject; previous: ApiObject }): Soon<void> {
  const { registry, request, empties, turn } = write;
  const { definition, version } = request;
  const { next, previous } = change;
  const sent = next.metadata.managedFields;
  const told = writer(registry.times, request);
  const run = (convert: Convert): void => {
    const managers = part(() => managersSaid(write, sent, previous));
    if (managers.length === 0) {
      next.metadata.managedFields = undefined;
      return;
    }
    // The entries themselves have no owner, and equal objects need no comparison.
    next.metadata.managedFields = previous.metadata.managedFields;
    const given = withOwnedMembers(next, empties);
    const update = {
      ...told,
      live: part(() => typedObject(definition, version, previous)),
      next: part(() => typedObject(definition, version, given)),
    };
    const remaining = isSince(definition, KEEPS_MANAGERS) ? previous.metadata.managedFields : undefined;
    settle(next, remaining, () => {
      if (write.otherKind !== undefined) throw new VersionError('there is no schema for the kind in the body');
      checkTyped(request, update.next);
      // A definition may have been changed since it was stored.
      checkTyped(request, update.live);
      return managersAfterUpdate({ ...update, convert }, managers);
    });
  };
  return withConversions({ definition, run, turn });
}

/**
 * Parts that a write does not change, such as the status of a custom object, may have any type in the request.
 * @throws VersionError for an object that does not match its schema
 */
function checkTyped({ definition }: ResourceRequest, { type, value }: TypedObject): void {
  if (mayBeMistyped(definition) && part(() => isMistyped(type, value, hasParts()))) {
    throw new VersionError('the object is not of the types that its schema declares');
  }
}

/**
 * Whether an object with managers may not match its type: its schema may have changed, or it lost its managers only in
 * earlier releases.
 */
export function mayBeMistyped(definition: ResourceDefinition): boolean {
  return definition.codec.mayBeMistyped || isSince(definition, KEEPS_MANAGERS);
}

/** The writer, the time, and what the write cannot change. */
export function writer(times: Times, request: ResourceRequest): Pick<Update, 'by' | 'now' | 'ignored' | 'ignoredIn'> {
  const fieldManager = request.query.text('fieldManager');
  return {
    by: { name: fieldManagerOf({ fieldManager, userAgent: request.userAgent }), subresource: request.subresource },
    now: times.now(),
    ignored: ignoredFields(request),
    ignoredIn: ignoredVersion(request),
  };
}

/** The first minor release of Kubernetes 1 in which the managers remain if a write's cannot be computed; before, they are dropped. */
const KEEPS_MANAGERS = 37;

/**
 * Sets the managers of an object; if they cannot be computed, `otherwise`. An ApiError is that of a webhook which should
 * have converted their fields.
 */
function settle(object: ApiObject, otherwise: ObjectMeta['managedFields'], managers: () => readonly Manager[]): void {
  try {
    object.metadata.managedFields = writeManagers(managers());
  } catch (error) {
    if (![VersionError, ItemError, ApiError].some((known) => error instanceof known)) throw error;
    object.metadata.managedFields = otherwise;
  }
}

/** The entries in the body of a create. */
function entriesOfNew({ metadata }: ApiObject, { definition }: ResourceRequest): readonly JsonObject[] {
  const sent = metadata.managedFields ?? [];
  return isReset(sent) || definition.storedForm?.conversion !== undefined ? [] : sent;
}

/**
 * The entries that an update starts from: those in its body if they are valid, otherwise the current ones. An empty
 * list resets those of built-in kinds and is ignored for custom resources.
 */
function managersSaid(
  { request, empties }: Write,
  sent: readonly JsonObject[] | undefined | null,
  previous: ApiObject,
): readonly Manager[] {
  const { definition, subresource } = request;
  const live = previous.metadata.managedFields;
  if (subresource !== '') return readManagers(live);
  if (!definition.custom && empties.some(isManagedFields)) return [];
  if (sent === undefined || sent === null || sent.length === 0) return readManagers(live);
  if (isReset(sent)) return [];
  if (equalJson(sent, live)) return readManagers(live);
  return parseManagers(sent) ?? readManagers(live);
}

function isManagedFields({ path }: EmptyMember): boolean {
  return path.length === 2 && path[0] === 'metadata' && path[1] === 'managedFields';
}

/**
 * What a write never changes: for a write to the object its status, for a write to the status everything else. For
 * other subresources the strategy has already restored the rest.
 */
export function ignoredFields({ definition, version, subresource }: ResourceRequest): FieldNode | undefined {
  const { strategy } = definition;
  const rules = subresource === '' ? strategy : ownMember(strategy.subresources, subresource);
  if (rules?.resets !== undefined) return rules.resets.length === 0 ? undefined : fieldsAt(rules.resets);
  if (subresource === '') return keepsStatus(strategy) ? STATUS : undefined;
  if (subresource !== 'status') return undefined;
  const ignored: Record<string, FieldNode> = {};
  for (const name of version.schema.jsonFields.keys()) if (!OF_STATUS.has(name)) ignored[`f:${name}`] = LEAF;
  const { keeps: kept = [] } = strategy.subresources?.[subresource] ?? {};
  if (kept.length > 0) ignored['f:metadata'] = Object.fromEntries(kept.map((name) => [`f:${name}`, LEAF]));
  return ignored;
}

/** Release from which on writes to the status of custom resources leave the other fields of all versions alone. */
const STATUS_OF_ALL_VERSIONS = 35;

/** The only version in which these fields count as unchanged: that of the request for a custom resource. */
export function ignoredVersion({ definition, version, subresource }: ResourceRequest): string | undefined {
  if (subresource === 'status' && isSince(definition, STATUS_OF_ALL_VERSIONS)) return undefined;
  return definition.custom ? apiVersionOf({ group: definition.group, version: version.version }) : undefined;
}

/** The set of the fields at these paths (`status.conditions`). */
function fieldsAt(paths: readonly string[]): FieldNode {
  const set: Record<string, FieldNode> = {};
  for (const path of paths) {
    const names = path.split('.');
    const last = names.pop() as string;
    let here = set;
    for (const name of names) {
      here[`f:${name}`] ??= {};
      here = here[`f:${name}`] as Record<string, FieldNode>;
    }
    here[`f:${last}`] = LEAF;
  }
  return set;
}

const STATUS: FieldNode = Object.freeze({ 'f:status': LEAF });
const OF_STATUS = new Set(['kind', 'apiVersion', 'metadata', 'status']);

/** Whether two states of an object of a type differ only in the times of managedFields. */
export function isUnchanged(type: StructNode, next: ApiObject, previous: ApiObject): boolean {
  return (
    equalBut('metadata', next, previous) &&
    sameTexts(type, next, previous) &&
    equalBut('managedFields', next.metadata, previous.metadata) &&
    equalJson(next.metadata.managedFields?.map(withoutTime), previous.metadata.managedFields?.map(withoutTime))
  );
}

/** Whether two objects are equal except for one field. */
function equalBut(member: string, one: JsonObject, other: JsonObject): boolean {
  for (const name in one) if (name !== member && !equalJson(one[name], ownMember(other, name))) return false;
  for (const name in other)
    if (name !== member && other[name] !== undefined && ownMember(one, name) === undefined) return false;
  return true;
}

function withoutTime({ time: _time, ...entry }: JsonObject): JsonObject {
  return entry;
}
