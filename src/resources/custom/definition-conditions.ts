// Conditions of CustomResourceDefinitions, and the next state of their status.

import type { ApiObject, JsonObject } from '../../api/object.ts';
import { type Condition, conditionOf, setCondition } from '../conditions.ts';
import { objectIn } from '../fill-in.ts';
import { at, textAt } from '../value.ts';
import { decideNames, sameNames, type TakenNames } from './accepted-names.ts';
import { approvalOf } from './approval.ts';
import { hasBadBundle } from './conversion-rules.ts';

const ESTABLISHED: Condition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const NOT_ESTABLISHED: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};
const BAD_BUNDLE: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
};

/**
 * Updates names and conditions. Modifies its argument.
 *
 * @param now in the format of metadata
 * @returns whether anything changed
 */
export function settleStatus(definition: ApiObject, taken: TakenNames, now: string): boolean {
  const { acceptedNames, condition } = decideNames(definition, taken);
  const status = objectIn(definition, 'status');
  let changed = !sameNames(acceptedNames, at(status, 'acceptedNames') as JsonObject | undefined);
  status['acceptedNames'] = acceptedNames;
  changed = setCondition(definition, condition, now) || changed;
  const established = conditionOf(definition, 'Established');
  if (textAt(established, 'status') !== 'True') {
    const next = condition.status !== 'True' ? NOT_ESTABLISHED : hasBadBundle(definition) ? BAD_BUNDLE : ESTABLISHED;
    changed = setCondition(definition, next, now) || changed;
  }
  const approval = approvalCondition(definition);
  if (approval !== undefined) changed = setCondition(definition, approval, now) || changed;
  return changed;
}

/** Progress of deleting custom objects, as in the condition Terminating. */
const TERMINATING = {
  pending: {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  },
  inProgress: {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  },
  completed: {
    type: 'Terminating',
    status: 'False',
    reason: 'InstanceDeletionCompleted',
    message: 'removed all instances',
  },
} as const satisfies Record<string, Condition>;

/**
 * Updates the condition Terminating of a definition. Modifies its argument.
 *
 * @returns whether anything changed
 */
export function markTerminating(definition: ApiObject, state: keyof typeof TERMINATING, now: string): boolean {
  return setCondition(definition, TERMINATING[state], now);
}

function approvalCondition(definition: ApiObject): Condition | undefined {
  const approval = approvalOf(definition);
  if (approval === undefined) return undefined;
  const { state, message } = approval;
  const reasons = {
    approved: 'ApprovedAnnotation',
    bypassed: 'UnapprovedAnnotation',
    missing: 'MissingAnnotation',
    invalid: 'InvalidAnnotation',
  };
  return {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: state === 'approved' ? 'True' : 'False',
    reason: reasons[state],
    message,
  };
}
