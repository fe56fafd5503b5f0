// The progress of the expansion of a claim's volume, from its status.

import type { Draft } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import type { PersistentVolumeClaim } from '../../resources/builtin/core/persistent-volume-claim/objects.ts';

type ClaimStatus = NonNullable<Draft<PersistentVolumeClaim>['status']>;
type ClaimCondition = NonNullable<ClaimStatus['conditions']>[number];

/** The conditions that expansions set. */
const TYPES: ReadonlySet<string | undefined> = new Set([
  'Resizing',
  'FileSystemResizePending',
  'ControllerResizeError',
  'NodeResizeError',
]);

/** The state of the expansion of a claim: `NodeResizePending`. */
export function resizing({ status }: PersistentVolumeClaim): string | undefined {
  return ownMember(status?.allocatedResourceStatuses, 'storage');
}

/** Sets the state of an expansion, and the condition that goes with it; without them, it is over. */
export function grow(status: ClaimStatus, state?: string, condition?: ClaimCondition): void {
  const { storage: _before, ...states } = status.allocatedResourceStatuses ?? {};
  if (state !== undefined) status.allocatedResourceStatuses = { ...states, storage: state };
  else if (Object.keys(states).length > 0) status.allocatedResourceStatuses = states;
  else delete status.allocatedResourceStatuses;
  const others = (status.conditions ?? []).filter(({ type }) => !TYPES.has(type));
  const conditions = condition === undefined ? others : [...others, condition];
  if (conditions.length > 0) status.conditions = conditions;
  else delete status.conditions;
}
