// Conditions of CustomResourceDefinitions, and the next state of their status.

import type { ApiObject, JsonObject } from '../../api/object.ts';
import { type Condition, conditionOf, removeCondition, setCondition } from '../conditions.ts';
import { objectIn } from '../fill-in.ts';
import { at, textAt } from '../value.ts';
import { decideNames, sameNames, type TakenNames } from './accepted-names.ts';
import { approvalOf } from './approval.ts';
import { hasBadBundle } from './conversion-rules.ts';
import { nonStructuralCondition } from './preserved-fields.ts';

const INSTALLING: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'Installing',
  message: 'the initial names have been accepted',
};
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
 * Updates names and conditions. A definition whose names have just been accepted becomes established by `establish`, in a
 * separate write, as in Kubernetes. Modifies its argument.
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
  // What `establish` has said of a definition stays while its names do.
  if (changed && !isEstablished(definition)) {
    setCondition(definition, condition.status === 'True' ? INSTALLING : NOT_ESTABLISHED, now);
  }
  const approval = approvalCondition(definition);
  if (approval !== undefined) changed = setCondition(definition, approval, now) || changed;
  const structure = nonStructuralCondition(definition);
  if (structure === undefined) return removeCondition(definition, 'NonStructuralSchema') || changed;
  return setCondition(definition, structure, now) || changed;
}

/**
 * Sets the condition Established of a definition whose names are accepted; False if its webhook has an invalid CA bundle.
 * Modifies its argument.
 *
 * @returns whether anything changed
 */
export function establish(definition: ApiObject, now: string): boolean {
  if (textAt(conditionOf(definition, 'NamesAccepted'), 'status') !== 'True' || isEstablished(definition)) return false;
  return setCondition(definition, hasBadBundle(definition) ? BAD_BUNDLE : ESTABLISHED, now);
}

function isEstablished(definition: ApiObject): boolean {
  return textAt(conditionOf(definition, 'Established'), 'status') === 'True';
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
  neverEstablished: {
    type: 'Terminating',
    status: 'False',
    reason: 'NeverEstablished',
    message: 'resource was never established',
  },
  overlapping: {
    type: 'Terminating',
    status: 'False',
    reason: 'OverlappingBuiltInResource',
    message: 'instances overlap with built-in resources in storage',
  },
} as const satisfies Record<string, Condition>;

/**
 * Updates the condition Terminating of a definition. Modifies its argument.
 *
 * @returns whether anything changed
 */
export function markTerminating(definition: ApiObject, state: TerminatingState, now: string): boolean {
  return setCondition(definition, TERMINATING[state], now);
}

export type TerminatingState = keyof typeof TERMINATING;

/** The same for a deletion that failed, and is tried again. */
export function markDeletionFailed(definition: ApiObject, message: string, now: string): boolean {
  const failed = { type: 'Terminating', status: 'True', reason: 'InstanceDeletionFailed', message } as const;
  return setCondition(definition, failed, now);
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
